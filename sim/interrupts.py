"""Ctrl-C while deals are played, or compiled: heard at once, acted on when safe."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def swallowed_in_silence() -> Iterator[None]:
    """No traceback for a KeyboardInterrupt that a C callback swallows."""
    previous = sys.unraisablehook

    def hook(what: "sys.UnraisableHookArgs") -> None:
        if what.exc_type is not KeyboardInterrupt:
            previous(what)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = previous


@contextmanager
def interrupt_flag(at_once: bool = False) -> Iterator[threading.Event]:
    """Notes Ctrl-C in a flag; a second one, or the first `at_once`, interrupts too."""
    flag = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield flag  # only the main thread hears signals
        return
    previous = signal.getsignal(signal.SIGINT)

    def raise_flag(number: int, frame: object) -> None:
        again = flag.is_set()
        flag.set()
        if at_once or again:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, raise_flag)
    try:
        yield flag
    finally:
        signal.signal(signal.SIGINT, previous)
