"""How a run goes, told to people: one line that rewrites itself on a terminal, a line
every few seconds in a log.

What cannot be told, since the stream is closed or full, is dropped: the run goes on.
"""

import time
from contextlib import suppress
from typing import TextIO

REDRAW_SECONDS = 0.2  # on a terminal
LOG_SECONDS = 5.0  # elsewhere
COMPILING = "compiling the game, once only (10 to 20 s)"


def duration(seconds: float) -> str:
    """A time in words: `4 s`, `3 min 20 s`, `2 h 5 min`, `843 days`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86_400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    days, hours = whole // 86_400, whole % 86_400 // 3600
    day = "day" if days == 1 else "days"
    return f"{days} {day} {hours} h" if days < 10 else f"{days:,} {day}"


def say(stream: TextIO, text: str) -> None:
    """Write a text now; drop it where nothing can be written."""
    with suppress(OSError):
        stream.write(text)
        stream.flush()


class ProgressLine:
    """Follows `sim.driver.play` on a text stream; `close` ends the line."""

    def __init__(self, stream: TextIO):
        self.stream = stream
        self.terminal = stream.isatty()
        self.every = REDRAW_SECONDS if self.terminal else LOG_SECONDS
        self.told = time.perf_counter()
        self.width = 0  # of the line that stands on the terminal
        self.compiling_told: float | None = None  # at which second of it

    def compiling(self, seconds: float) -> None:
        last = self.compiling_told
        if not self.terminal and last is not None and seconds - last < self.every:
            return
        self.compiling_told = seconds
        self.doing(f"{COMPILING}: {duration(seconds)}")

    def played(self, done: int, of: int, seconds: float, unit: str = "deals") -> None:
        now = time.perf_counter()
        if done >= of:
            due = self.width > 0  # finish the line that stands there, or say nothing
        else:
            due = now - self.told >= self.every
        if not due:
            return
        self.told = now
        rate = done / max(seconds, 1e-9)
        text = (
            f"{done:,} of {of:,} {unit} ({done / of:.0%}), {rate:,.0f} {unit}/s, "
            f"{duration((of - done) / rate)} left"
        )
        self.doing(text)

    def doing(self, text: str) -> None:
        """Say in words what is being done."""
        if self.terminal:
            self.redraw(text)
        else:
            say(self.stream, text + "\n")

    def redraw(self, text: str) -> None:
        # Spaces over what stood there: unlike an escape code, any terminal knows them.
        say(self.stream, "\r" + text.ljust(self.width))
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            say(self.stream, "\n")
            self.width = 0
