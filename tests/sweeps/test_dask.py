"""On a cluster of several worker processes, one of which is killed in the middle, the table is complete and the
same."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.common.progress import Part
from grashof.sweeps.table import Sweep
from tests.sweeps.mechanisms import pendulum

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as found:
        yield found


def asked(**options) -> Sweep:
    return gr.sweep(
        pendulum(0.5),
        {"rod.length": (0.5, 1.5), "rod.mass": (-0.2, 1.0)},
        0.2,
        outputs=["min rod.end.y", "trajectory rod.angle"],
        sample="sobol",
        times=5,
        **options,
    )


@pytest.mark.parametrize(("engine", "count"), [("one by one", 40), ("compiled", 6000)])
def test_a_worker_is_killed_in_the_middle(engine: str, count: int, cluster, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(part: Part) -> None:
        if part > 0.1 and not killed:
            nanny = next(iter(cluster.workers.values()))
            killed.append(nanny.pid)
            os.kill(nanny.pid, signal.SIGKILL)

    path, chosen = tmp_path / "table.parquet", {"engine": engine, "count": count}
    found = asked(executor="dask", scheduler=cluster.scheduler_address, progress=kill_one, file=path, **chosen)
    alone = asked(**chosen)
    assert killed
    for name in alone.names:
        assert np.array_equal(found[name], alone[name], equal_nan=True), name
    assert np.array_equal(found.codes, alone.codes)
    assert found.about == alone.about


def test_a_client_may_be_given(cluster) -> None:
    with distributed.Client(cluster, set_as_default=False) as client:
        table = gr.sweep(
            pendulum(), {"rod.mass": [1.0, 2.0]}, 0.1, outputs=["t at end"], executor="dask", scheduler=client
        )
        assert table.ok.all()
        assert client.nthreads()  # it is not closed


def test_mistakes_on_the_way_are_told(cluster) -> None:
    with pytest.raises(ModelError, match="no Dask scheduler at 'nonsense'"):
        asked(executor="dask", scheduler="nonsense", count=4)
