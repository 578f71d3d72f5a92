"""The thresholds of the `textbook` policy."""

from sim.policies.parameter import Parameter

PARAMETERS: tuple[Parameter, ...] = ()
