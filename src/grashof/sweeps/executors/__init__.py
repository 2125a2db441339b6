"""Where rows are computed: here, in threads, in processes, or on the machines of a Dask cluster.

Each executor is a file with a constant `TRAVELS` and a function `run`, which takes batches from an iterator as needed
and yields their rows as they are finished, in any order. The rows do not depend on the executor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.sweeps.study import Study, StudyRows

Batches = Iterator[tuple[int, np.ndarray]]
"""Indices of batches and their numbers, (B, P)."""

Results = Iterator[tuple[int, StudyRows]]

EXECUTORS = ("serial", "threads", "processes", "dask")


@dataclass(frozen=True)
class Setup:
    """The number of workers, and for Dask the scheduler: an address, a `distributed.Client`, or None for a cluster
    on this machine."""

    workers: int
    scheduler: Any = None


class Executor(Protocol):
    """The contents of an executor's file.

    TRAVELS   whether the study is sent to other processes, so that it must be plain data
    """

    TRAVELS: bool

    def run(self, study: Study, batches: Batches, setup: Setup) -> Results:
        """The rows of batches, as they are finished."""


def find_executor(name: str) -> Executor:
    """An executor by its name."""
    if name not in EXECUTORS:
        raise ModelError(f"executor is '{name}'; {did_you_mean(name, EXECUTORS)}")
    module: Any = import_module(f"grashof.sweeps.executors.{name}")
    executor: Executor = module
    return executor
