"""Threads of this process, each with its own engine: faster if the engine releases Python's global lock while it
runs."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from grashof.sweeps.executors import Batches, Results, Setup
from grashof.sweeps.study import Study, StudyRows, compute

Compute = Callable[[np.ndarray], StudyRows]

TRAVELS = False


def run(study: Study, batches: Batches, setup: Setup) -> Results:
    """Rows as the threads finish them."""

    def worker() -> Compute:
        engine = study.make_engine()
        return lambda numbers: compute(study, engine, numbers)

    return in_threads(worker, batches, setup.workers)


def in_threads(
    make: Callable[[], Compute], batches: Batches, workers: int, halt: Callable[[], None] = lambda: None
) -> Results:
    """Starts threads, each of which makes its own compute function and processes batches until none are left;
    exceptions are raised here.

    halt  is called when no more results are wanted, so that running computations may end early
    """
    lock, finished, stop = threading.Lock(), queue.Queue[Any](maxsize=2 * workers), threading.Event()

    def work() -> None:
        try:
            compute = make()
            while not stop.is_set():
                with lock:
                    batch = next(batches, None)
                if batch is None:
                    break
                finished.put((batch[0], compute(batch[1])))
            finished.put(None)
        except BaseException as problem:
            finished.put(problem)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    working = workers
    try:
        while working:
            found = finished.get()
            if found is None:
                working -= 1
            elif isinstance(found, BaseException):
                raise found
            else:
                yield found
    finally:
        stop.set()
        halt()
        for thread in threads:
            while thread.is_alive():  # it ends after its present batch, once the result is taken
                with contextlib.suppress(queue.Empty):
                    finished.get(timeout=0.05)
