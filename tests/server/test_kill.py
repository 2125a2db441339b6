"""What was confirmed survives: the real server is killed while it takes results, and started again."""

from __future__ import annotations

import http.client
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from benchmarks.served import Served

from grashof.bench.databases import Place
from grashof.bench.store import Store
from tests.server.conftest import columns_of, written

RESULTS = 60
"""More than are published before the server is killed."""


def different_results() -> list[bytes]:
    """Result files that differ in one number: the same numbers are published once."""
    columns = {name: x.copy() for name, x in columns_of("andrews").items()}
    found = []
    for _ in range(RESULTS):
        columns["x_F"][5] = np.nextafter(columns["x_F"][5], 1.0)
        found.append(written(columns))
    return found


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_server_loses_nothing_that_it_confirmed(place: Callable[[str], Place], tmp_path: Path) -> None:
    store = place("results.sqlite")
    server = Served(store, "--folder", str(tmp_path))
    uploads = [server.upload(content) for content in different_results()]
    confirmed: list[str] = []

    def writing() -> None:
        try:
            for k, upload in enumerate(uploads):
                confirmed.append(server.publish(upload, f"tool {k}"))
        except (OSError, http.client.HTTPException):
            pass  # killed

    thread = threading.Thread(target=writing)
    thread.start()
    while len(confirmed) < 15 and thread.is_alive():
        time.sleep(0.005)
    server.kill()
    thread.join()
    assert 15 <= len(confirmed) == len(set(confirmed))
    again = Served(store, "--folder", str(tmp_path))
    try:
        for path in confirmed:
            assert again.ask("GET", path)[0] == 200
    finally:
        again.kill()
    with Store(store) as file:
        kept = file.published_ids()
        boards = {entry.id for entry in file.entries("andrews", RESULTS)}
    assert {path.rpartition("/")[2] for path in confirmed} <= set(kept) == boards
    assert len(kept) - len(confirmed) in (0, 1)  # the last one may have been written and not confirmed any more
