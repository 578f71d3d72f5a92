from kernels.jit import jit
from sim.policies import random


@jit
def follow(view, layout, parameters):
    return random.follow(view, layout)
