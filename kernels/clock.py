"""A clock for measuring parts of a deal from inside: the processor's own counter."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def cycles(typing_context):
    """The processor's counter as uint64: only differences mean anything, in ticks."""

    def build(context, builder, signature, args):
        counter = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.IntType(64), []),
            "llvm.readcyclecounter",
        )
        return builder.call(counter, [])

    return types.uint64(), build
