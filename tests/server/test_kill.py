"""What was confirmed survives: the real server is killed while it takes results, and started again."""

from __future__ import annotations

import http.client
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from benchmarks.served import Served

from grashof.bench.databases import Place
from grashof.bench.store import Store
from tests.server.test_app import result_file

__all__ = ["result_file"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_server_loses_nothing_that_it_confirmed(
    place: Callable[[str], Place], tmp_path: Path, result_file: bytes
) -> None:
    store = place("results.sqlite")
    server = Served(store, "--folder", str(tmp_path))
    upload = server.upload(result_file)
    confirmed: list[str] = []

    def writing() -> None:
        try:
            for k in range(10_000):
                confirmed.append(server.publish(upload, f"tool {k}"))
        except (OSError, http.client.HTTPException):
            pass  # killed

    thread = threading.Thread(target=writing)
    thread.start()
    while len(confirmed) < 15 and thread.is_alive():
        time.sleep(0.005)
    server.kill()
    thread.join()
    assert len(confirmed) >= 15
    again = Served(store, "--folder", str(tmp_path))
    try:
        for path in confirmed:
            assert again.ask("GET", path)[0] == 200
    finally:
        again.kill()
    with Store(store) as file:
        assert len(file.published()) - len(confirmed) in (
            0,
            1,
        )  # the last one may have been written and not confirmed any more
