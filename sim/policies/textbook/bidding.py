from kernels.jit import jit
from sim.policies import random


@jit
def call(view, legal, one, two, level, drawn, stage, parameters):
    return random.call(view, legal)
