from kernels.jit import jit
from sim.policies import random


@jit
def lead(view, layout, parameters):
    return random.lead(view, layout)
