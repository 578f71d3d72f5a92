"""The thresholds of the `textbook` policy."""

import numpy as np

from sim.policies.parameter import Parameter

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("bid_trumps", 7, 1, 30, "cards", "bid on so many trumps"),
)

# One seat's thresholds, in the order of PARAMETERS.
THRESHOLDS_DTYPE = np.dtype([(parameter.name, "i8") for parameter in PARAMETERS])
