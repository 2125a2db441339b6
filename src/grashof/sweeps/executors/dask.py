"""The workers of a Dask cluster, on one machine or many. The study is sent as data, once to each worker, which then
makes its engine.

Rows that a worker was computing when it was lost are computed by another one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.sweeps.engine import SweepEngine
from grashof.sweeps.executors import Batches, Results, Setup
from grashof.sweeps.study import Study, StudyRows, compute, decode_study

AHEAD = 4
"""Number of batches queued for each thread of the cluster, so that none has to wait."""

LOST = 10
"""How many times a batch, or the study, may be lost with its worker before the sweep is given up."""

TRAVELS = True


def run(study: Study, batches: Batches, setup: Setup) -> Results:
    """Rows as the cluster finishes them."""
    distributed = _import_distributed()
    with _client(distributed, setup) as client:
        # a task rather than scattered data: if its worker is lost, it is repeated
        travelling = client.submit(bytes, study.encode(), key=f"grashof-{study.fingerprint}")

        def submit(batch: tuple[int, np.ndarray]) -> Any:
            index, numbers = batch
            return client.submit(_rows, travelling, index, numbers, pure=False, retries=LOST)

        waiting = distributed.as_completed(loop=client.loop)
        for _ in range(AHEAD * max(1, sum(client.nthreads().values()))):
            if (batch := next(batches, None)) is not None:
                waiting.add(submit(batch))
        for future in waiting:
            index, rows = future.result()
            future.release()
            if (batch := next(batches, None)) is not None:
                waiting.add(submit(batch))
            yield index, rows


@contextlib.contextmanager
def _client(distributed: Any, setup: Setup) -> Iterator[Any]:
    """The given client, one for the scheduler at the given address, or one for a new local cluster."""
    if isinstance(setup.scheduler, distributed.Client):
        yield setup.scheduler
    elif setup.scheduler is not None:
        try:
            client = distributed.Client(setup.scheduler, set_as_default=False)
        except (OSError, ValueError) as problem:
            raise ModelError(
                f"There is no Dask scheduler at '{setup.scheduler}'; give the address that the scheduler "
                "prints when it starts."
            ) from problem
        with client:
            yield client
    else:
        cluster = distributed.LocalCluster(
            n_workers=setup.workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        with cluster, distributed.Client(cluster, set_as_default=False) as client:
            yield client


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError as problem:
        raise ModelError(
            "The executor 'dask' needs Dask, which is not installed: pip install \"grashof[dask]\"."
        ) from problem
    return distributed


# -- on the workers

_kept = threading.local()


def _rows(study: bytes, index: int, numbers: np.ndarray) -> tuple[int, StudyRows]:
    engine, known = _engine(study)
    return index, compute(known, engine, numbers)


def _engine(data: bytes) -> tuple[SweepEngine, Study]:
    """The engine of this thread, made again only for a different study."""
    if getattr(_kept, "data", None) != data:
        study = decode_study(data)
        _kept.engine, _kept.study, _kept.data = study.make_engine(), study, data
    return _kept.engine, _kept.study
