from kernels.jit import jit
from sim.policies import random


@jit
def bury(view, layout, parameters):
    return random.bury(view, layout)
