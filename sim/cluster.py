"""The workers of a Dask scheduler, as an executor (the extra `shengji[cluster]`)."""

import logging
import math
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sim.jobs import PartJob, Workers

if TYPE_CHECKING:
    from distributed import Client

ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}")
PATIENCE = 10  # seconds: to be connected, and for a first worker
COUNT_SECONDS = 5
TRIES_MORE = 2  # of a part whose playing failed, but not by a worker's death


class ClusterError(ValueError):
    """A cluster that cannot be used, or was lost: one sentence that says why."""


class Cluster(Workers):
    """Dask's executor. A part whose worker dies is given to another one."""

    def __init__(self, client: "Client"):
        self.client = client
        self.threads, self.counted = 0, -math.inf
        self.executor = client.get_executor(pure=False, retries=TRIES_MORE)

    def submit(self, function: Callable, /, *args: Any, **words: Any) -> Future:
        return self.executor.submit(function, *args, **words)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.executor.shutdown(wait=wait and not cancel_futures)

    def ahead(self) -> int:
        # Workers may come and go meanwhile, but need not be counted every time.
        now = time.monotonic()
        if now - self.counted > COUNT_SECONDS:
            self.threads = sum(self.client.nthreads().values())
            self.counted = now
        return 2 * self.threads + 2

    def refuse_unfit(self, fault: Callable[[PartJob], str], job: PartJob) -> None:
        told = self.client.run(fault, job, on_error="return")
        for worker, words in told.items():
            if isinstance(words, ModuleNotFoundError):
                words = f"has no shengji ({words}): install this version there"
            if words:
                raise ClusterError(f"the worker {worker} {words}")


def hush() -> None:
    """Let Dask log no tracebacks: what goes wrong is told in words here."""
    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at an address, `tcp://HOST:8786`."""
    if not ADDRESS.fullmatch(address):
        raise ClusterError(
            f"{address!r} is no address of a Dask scheduler: that looks like "
            "tcp://HOST:8786"
        )
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ClusterError(
            "--cluster needs Dask, which is not installed: pip install "
            "'shengji[cluster]'"
        ) from error
    hush()
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ClusterError(
                f"the scheduler at {address} has no workers; start some: dask worker "
                f"{address}"
            ) from error
        try:
            yield Cluster(client)
        except KilledWorker as error:
            raise ClusterError(
                f"workers of {address} die of playing the same part; their logs tell "
                "why. What was saved is whole: repeat the command to go on"
            ) from error
        except CancelledError as error:
            raise ClusterError(
                f"the scheduler at {address} was lost; what was saved is whole: repeat "
                "the command to go on"
            ) from error
