"""When a run has enough deals: all that are wanted, or what somebody says."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Protocol


class Until(Protocol):
    """Says when a run has enough deals: asked at fixed numbers of them, in order."""

    @property
    def told(self) -> Mapping[str, object]:
        """What `task.json` says of it."""

    def looks(self, saved: int, wanted: int) -> Iterator[int]:
        """Where to ask, from what is saved on; the last is `wanted`."""

    def enough(self) -> bool:
        """Whether the deals that are saved are."""


class All:
    """All that are wanted are needed."""

    told: Mapping[str, object] = MappingProxyType({})

    def looks(self, saved: int, wanted: int) -> Iterator[int]:
        yield wanted

    def enough(self) -> bool:
        return True
