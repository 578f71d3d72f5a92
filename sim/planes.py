"""Faces that people name, as the bit planes that kernels take (`kernels.layout`)."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from kernels.layout import to_slots


class Planes(NamedTuple):
    """Cards of two decks: held at least once, held twice."""

    one: np.uint64
    two: np.uint64


def face_planes(faces: Iterable[int]) -> Planes:
    """Face planes of some cards, no face more than twice among them."""
    one = two = 0
    for face in faces:
        bit = 1 << face
        one, two = one | bit, two | (one & bit)
    return Planes(np.uint64(one), np.uint64(two))


def slot_planes(faces: Iterable[int], layout: np.void) -> Planes:
    """The same cards as slot planes of a layout."""
    one, two = face_planes(faces)
    return Planes(
        np.uint64(to_slots(one, layout)),
        np.uint64(to_slots(two, layout)),
    )


def slots_of(plane: int) -> list[int]:
    """The slots of a plane, strongest first."""
    bits = int(plane)
    return [slot for slot in range(63, -1, -1) if bits >> slot & 1]


def faces_on(plane: int, layout: np.void) -> list[int]:
    """The faces on a plane's slots, strongest first."""
    return [int(layout["face_of"][slot]) for slot in slots_of(plane)]
