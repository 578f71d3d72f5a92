"""How a run goes, told to people: one line that rewrites itself on a terminal, a line
every few seconds in a log."""

import time
from typing import TextIO

REDRAW_SECONDS = 0.2  # on a terminal
LOG_SECONDS = 5.0  # elsewhere


def duration(seconds: float) -> str:
    """A time in words: `4 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class ProgressLine:
    """Follows `sim.driver.play` on a text stream; `close` ends the line."""

    def __init__(self, stream: TextIO):
        self.stream = stream
        self.terminal = stream.isatty()
        self.every = REDRAW_SECONDS if self.terminal else LOG_SECONDS
        self.told = time.perf_counter()
        self.width = 0  # of the line that stands on the terminal
        self.said_compiling = False

    def compiling(self, seconds: float) -> None:
        if self.terminal:
            self.redraw(f"compiling the game, once only: {duration(seconds)}")
        elif not self.said_compiling:
            self.stream.write("compiling the game, once only (about a minute)\n")
            self.stream.flush()
        self.said_compiling = True

    def played(self, deals: int, of: int, seconds: float) -> None:
        now = time.perf_counter()
        if deals >= of:
            due = self.width > 0  # finish the line that stands there, or say nothing
        else:
            due = now - self.told >= self.every
        if not due:
            return
        self.told = now
        rate = deals / max(seconds, 1e-9)
        text = (
            f"{deals:,} of {of:,} deals ({deals / of:.0%}), {rate:,.0f} deals/s, "
            f"{duration((of - deals) / rate)} left"
        )
        if self.terminal:
            self.redraw(text)
        else:
            self.stream.write(text + "\n")
            self.stream.flush()

    def doing(self, text: str) -> None:
        """Say in words what is being done."""
        if self.terminal:
            self.redraw(text)
        else:
            self.stream.write(text + "\n")
            self.stream.flush()

    def redraw(self, text: str) -> None:
        # Spaces over what stood there: unlike an escape code, any terminal knows them.
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            self.stream.write("\n")
            self.stream.flush()
            self.width = 0
