"""Bits of a uint64: counting them, and finding the first, the last and the n-th.

Every mask in the project is a `np.uint64`: mixed with a Python int, numba would turn it
into a signed or a floating number. So the constants of masks are here too.
"""

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from kernels.four import FLAGS, FOUR, call_llvm, widen
from kernels.jit import jit, jit_inline

U0, U1 = np.uint64(0), np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@intrinsic
def popcount(typing_context, mask):
    """Number of bits set in a uint64, as int64; or in each of a Four."""

    def build(context, builder, signature, args):
        return builder.ctpop(args[0])

    def build_four(context, builder, signature, args):
        return call_llvm(builder, "llvm.ctpop", args[0])

    if mask == FOUR:
        return FOUR(FOUR), build_four
    return types.int64(types.uint64), build


@intrinsic
def lowest_index(typing_context, mask):
    """Index (int64) of the lowest bit of a uint64; 64 for an empty mask."""

    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def leading_zeros(typing_context, mask):
    """Number (int64) of zero bits above the highest one; 64 for an empty mask.

    Or of each of a Four.
    """

    def build(context, builder, signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    def build_four(context, builder, signature, args):
        of_none = ir.Constant(ir.IntType(1), 0)  # which has an answer too: 64
        return call_llvm(builder, "llvm.ctlz", args[0], of_none)

    if mask == FOUR:
        return FOUR(FOUR), build_four
    return types.int64(types.uint64), build


@intrinsic
def choose(typing_context, condition, first, second):
    """The first of two numbers of one type if a condition holds, else the second.

    Both are worked out, and nothing is jumped over: for conditions that are as good as
    drawn by lot, where a wrong guess of the processor costs more than both numbers.
    With Flags, a Four: each of its words is of the first or of the second.
    """

    def build(context, builder, signature, args):
        return builder.select(*args)

    def build_four(context, builder, signature, args):
        kinds = signature.args[1:]
        pair = [widen(builder, *it) for it in zip(kinds, args[1:], strict=True)]
        return builder.select(args[0], *pair)

    if condition == FLAGS:
        kinds = types.unliteral(first), types.unliteral(second)
        return FOUR(FLAGS, *kinds), build_four
    if first != second or condition != types.boolean:
        return None
    return first(condition, first, second), build


@jit
def lowest(mask):
    """The lowest bit of a mask, itself a mask; 0 of an empty one."""
    return mask & (~mask + U1)


@jit
def highest_index(mask):
    """Index (int64) of the highest bit; -1 for an empty mask."""
    return 63 - leading_zeros(mask)


@jit
def highest(mask):
    """The highest bit of a mask, itself a mask; 0 of an empty one."""
    if mask == U0:
        return U0
    return U1 << np.uint64(63 - leading_zeros(mask))


@jit_inline
def highest_each(words):
    """`highest` of each of a Four."""
    last = U1 << np.uint64(63)
    return choose(words == U0, U0, last >> (leading_zeros(words) & np.uint64(63)))


@jit
def bit(index):
    """The mask with one bit set, at an integer index 0..63."""
    return U1 << np.uint64(index)


def deposits_bits() -> bool:
    """Whether the processor that is compiled for has the instruction PDEP (BMI2)."""
    if config.CPU_NAME or config.CPU_FEATURES:
        return "+bmi2" in (config.CPU_FEATURES or "")
    return bool(binding.get_host_cpu_features().get("bmi2"))


@intrinsic
def deposit(typing_context, bits, mask):
    """The lowest bits of a number, one at each bit of a mask in turn: PDEP."""

    def build(context, builder, signature, args):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        name = "llvm.x86.bmi.pdep.64"
        return builder.call(
            cgutils.get_or_insert_function(builder.module, kind, name), args
        )

    return types.uint64(types.uint64, types.uint64), build


@jit
def nth_bit_by_steps(mask, n):
    """`nth_bit` for every processor."""
    for _ in range(n):
        mask &= mask - U1
    return lowest(mask)


@jit
def nth_bit_at_once(mask, n):
    """`nth_bit` by PDEP."""
    return deposit(U1 << np.uint64(n), mask)


# The n-th lowest bit of a mask (n from 0, less than its popcount), as a mask.
nth_bit = nth_bit_at_once if deposits_bits() else nth_bit_by_steps
