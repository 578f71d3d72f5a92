"""Faces that people name as the planes that kernels take, and back."""

from collections.abc import Iterable, Sequence

import numpy as np

from kernels.layout import cards_to_slots

Planes = tuple[np.uint64, ...]


def as_planes(numbers: Iterable[int]) -> Planes:
    """Planes that a kernel returned, fit to be handed to a kernel again."""
    return tuple(np.uint64(number) for number in numbers)


def face_planes(faces: Iterable[int], decks: int) -> Planes:
    """Face planes of some cards, no face more often than there are decks."""
    planes = [0] * decks
    for face in faces:
        bit = 1 << face
        place = next(place for place, plane in enumerate(planes) if not plane & bit)
        planes[place] |= bit
    return as_planes(planes)


def slot_planes(faces: Iterable[int], decks: int, layout: np.void) -> Planes:
    """The same cards as slot planes of a layout."""
    return as_planes(cards_to_slots(face_planes(faces, decks), layout))


def copies_in(planes: Sequence[int], bit: int) -> int:
    """How many copies planes hold of a face or slot."""
    return sum(int(plane) >> bit & 1 for plane in planes)


def slots_of(plane: int) -> list[int]:
    """The slots of a plane, strongest first."""
    bits = int(plane)
    return [slot for slot in range(63, -1, -1) if bits >> slot & 1]


def faces_on(plane: int, layout: np.void) -> list[int]:
    """The faces on a plane's slots, strongest first, each once."""
    return [int(layout["face_of"][slot]) for slot in slots_of(plane)]


def faces_in(planes: Sequence[int], layout: np.void) -> list[int]:
    """The faces in slot planes, strongest first, each as often as it is there."""
    return [
        int(layout["face_of"][slot])
        for slot in slots_of(planes[0])
        for _ in range(copies_in(planes, slot))
    ]


def sorted_faces(planes: Sequence[int], layout: np.void) -> list[int]:
    """The faces in face planes, in the order of a layout, strongest first."""
    order = layout["slot_of"]
    held = [face for face in range(len(order)) if int(planes[0]) >> face & 1]
    held.sort(key=lambda face: -order[face])
    return [face for face in held for _ in range(copies_in(planes, face))]
