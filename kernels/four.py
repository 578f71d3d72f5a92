"""Four words side by side: what is asked of four suits is asked of all of them at once.

A Four holds four uint64 (or int64: bits are bits), a Flags four conditions, both as a
vector of the processor's: an operation on all four costs as much as on one. Operators
work on each of the four; a lone number beside a Four stands for four of it. Comparisons
are signed, so of masks only `==` and `!=` mean something.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 4
WORD = ir.IntType(64)


class FourType(types.Type):
    """Four words."""

    def __init__(self) -> None:
        super().__init__(name="Four")


class FlagsType(types.Type):
    """Four conditions."""

    def __init__(self) -> None:
        super().__init__(name="Flags")


FOUR, FLAGS = FourType(), FlagsType()
BACKENDS = {FourType: ir.VectorType(WORD, LANES)}
BACKENDS[FlagsType] = ir.VectorType(ir.IntType(1), LANES)


def add_model(kind: type[types.Type], backend: ir.Type) -> None:
    """Tell numba what a type is to LLVM."""

    class Model(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: types.Type) -> None:
            super().__init__(manager, kind, backend)

    register_model(kind)(Model)


for _kind, _backend in BACKENDS.items():
    add_model(_kind, _backend)


def is_lone(kind: types.Type) -> bool:
    return isinstance(kind, types.Integer)


def widen(builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> ir.Value:
    """A Four of a number; what is four already is left so."""
    if kind in (FOUR, FLAGS):
        return value
    if value.type.width < WORD.width:
        grow = builder.sext if kind.signed else builder.zext
        value = grow(value, WORD)
    return side_by_side(builder, [value] * LANES)


def side_by_side(builder: ir.IRBuilder, values: list[ir.Value]) -> ir.Value:
    vector = ir.Constant(ir.VectorType(values[0].type, LANES), ir.Undefined)
    for place, value in enumerate(values):
        vector = builder.insert_element(vector, value, ir.Constant(WORD, place))
    return vector


def call_llvm(builder: ir.IRBuilder, name: str, *args: ir.Value) -> ir.Value:
    """What an intrinsic of LLVM makes of each word of a Four."""
    kind = ir.FunctionType(args[0].type, [arg.type for arg in args])
    function = cgutils.get_or_insert_function(builder.module, kind, f"{name}.v4i64")
    return builder.call(function, args)


def add_operator(
    function: Callable,
    build: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value],
    of_flags: bool = False,
    result: types.Type = FOUR,
) -> None:
    """An operator of two Fours, or a Four and a number; or else of two Flags."""

    @infer_global(function)
    class Operator(AbstractTemplate):
        def generic(self, args: tuple, kws: dict) -> Any:
            if len(args) != 2:
                return None
            if FOUR in args and all(it == FOUR or is_lone(it) for it in args):
                return signature(result, *args)
            if of_flags and args == (FLAGS, FLAGS):
                return signature(FLAGS, *args)
            return None

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> ir.Value:
        left, right = (
            widen(builder, kind, value)
            for kind, value in zip(signature.args, args, strict=True)
        )
        return build(builder, left, right)

    for pair in ((FOUR, FOUR), (FOUR, types.Integer), (types.Integer, FOUR)):
        lower_builtin(function, *pair)(lower)
    if of_flags:
        lower_builtin(function, FLAGS, FLAGS)(lower)


def add_operators() -> None:
    bits = {operator.and_: "and_", operator.or_: "or_"}
    numbers = {operator.add: "add", operator.sub: "sub", operator.mul: "mul"}
    shifts = {operator.lshift: "shl", operator.rshift: "lshr"}
    in_place = {
        operator.and_: operator.iand,
        operator.or_: operator.ior,
        operator.add: operator.iadd,
        operator.sub: operator.isub,
        operator.lshift: operator.ilshift,
        operator.rshift: operator.irshift,
    }
    for function, name in {**bits, **numbers, **shifts}.items():
        build = getattr(ir.IRBuilder, name)
        for each in {function, in_place.get(function, function)}:
            add_operator(each, build, of_flags=function in bits)
    signs = {"==": operator.eq, "!=": operator.ne, "<": operator.lt}
    signs |= {"<=": operator.le, ">": operator.gt, ">=": operator.ge}
    for sign, function in signs.items():

        def build(builder: Any, left: Any, right: Any, sign: str = sign) -> ir.Value:
            return builder.icmp_signed(sign, left, right)

        add_operator(function, build, result=FLAGS)


add_operators()


@infer_global(operator.invert)
class Invert(AbstractTemplate):
    """`~` of a Four or of Flags."""

    def generic(self, args: tuple, kws: dict) -> Any:
        return signature(args[0], *args) if args[0] in (FOUR, FLAGS) else None


@lower_builtin(operator.invert, FOUR)
@lower_builtin(operator.invert, FLAGS)
def lower_invert(context: Any, builder: Any, signature: Any, args: Any) -> ir.Value:
    return builder.not_(args[0])


@intrinsic
def four(typing_context, first, second, third, fourth):
    """A Four of four numbers of one type."""
    kinds = [types.unliteral(it) for it in (first, second, third, fourth)]

    def build(context, builder, signature, args):
        return side_by_side(builder, list(args))

    if kinds.count(kinds[0]) != LANES or kinds[0] not in (types.int64, types.uint64):
        return None
    return FOUR(*kinds), build


@intrinsic
def load_four(typing_context, words):
    """The first four of an array of uint64 as a Four."""

    def build(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.bitcast(array.data, BACKENDS[FourType].as_pointer())
        return builder.load(place, align=8)

    if not isinstance(words, types.Array) or words.dtype != types.uint64:
        return None
    return FOUR(words), build


@intrinsic
def word_of(typing_context, words, place):
    """One word of a Four, by its place 0..3: uint64."""

    def build(context, builder, signature, args):
        return builder.extract_element(args[0], args[1])

    if words != FOUR or types.unliteral(place) != types.int64:
        return None
    return types.uint64(words, types.int64), build


@intrinsic
def with_word(typing_context, words, place, word):
    """A Four in which one word is another, by its place 0..3."""

    def build(context, builder, signature, args):
        return builder.insert_element(args[0], args[2], args[1])

    if words != FOUR or types.unliteral(place) != types.int64:
        return None
    return words(words, types.int64, types.unliteral(word)), build


@intrinsic
def set_flags(typing_context, flags):
    """Which of four conditions hold: bit s for the one at place s, int64."""

    def build(context, builder, signature, args):
        return builder.zext(builder.bitcast(args[0], ir.IntType(LANES)), WORD)

    return (types.int64(flags), build) if flags == FLAGS else None
