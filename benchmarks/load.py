"""Many clients at once: `python -m benchmarks.load [CLIENTS] [SECONDS]` starts `grashof serve` on this machine, and
clients upload and publish results, read pages and check mechanisms.

All requests go to 127.0.0.1, for a bounded time. The report gives requests per second, response times, requests refused
because of overload, and whether every confirmed result is present at the end.
"""

from __future__ import annotations

import http.client
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.served import Served
from grashof.bench.store import Store
from grashof.examples import example_text


def _results(number: int, k: int, rows: int = 201) -> bytes:
    """A small result file, which does not pass; it is read each time a result is judged. No two have the same numbers,
    which would be one result."""
    t = np.linspace(0.0, 0.05, rows)
    return ("t x_F y_F\n" + "\n".join(f"{x:.9g} 0.007 {number + 1e-6 * k!r}" for x in t)).encode()


def main(clients: int = 200, seconds: float = 60.0) -> None:
    """One load test."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "results.sqlite"
        server = Served(store)
        statuses: Counter[str] = Counter()
        took: list[float] = []
        confirmed: list[str] = []
        lock = threading.Lock()
        until = time.monotonic() + seconds

        def client(number: int) -> None:
            mechanism, k = example_text("four-bar").encode(), 0
            while time.monotonic() < until:
                began = time.monotonic()
                kind = ("look", "upload", "check")[(number + k) % 3]
                k += 1
                try:
                    if kind == "look":
                        word = str(server.ask("GET", "/problems/andrews")[0])
                    elif kind == "check":
                        word = str(server.ask("POST", "/api/check", mechanism)[0])
                    else:
                        place = server.publish(server.upload(_results(number, k)), f"client {number}, {k}")
                        word = "303"
                        with lock:
                            confirmed.append(place.rpartition("/")[2])
                except (AssertionError, OSError, http.client.HTTPException) as problem:
                    word = type(problem).__name__
                with lock:
                    statuses[f"{kind} {word}"] += 1
                    took.append(time.monotonic() - began)

        threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answers = server.ask("GET", "/")[0]
        server.kill()
        with Store(store) as file:
            kept = {result.id for result in file.published()}
    print(f"{clients} clients, {seconds:g} s: {len(took) / seconds:.0f} requests a second")
    for name, count in sorted(statuses.items()):
        print(f"  {name}: {count}")
    print(f"  time of an answer: median {np.median(took):.2f} s, 99 % below {np.quantile(took, 0.99):.2f} s")
    print(
        f"  confirmed results: {len(confirmed)}, lost: {len(set(confirmed) - kept)}; the server answers "
        f"{answers} afterwards"
    )


if __name__ == "__main__":
    main(*(int(x) for x in sys.argv[1:2]), *(float(x) for x in sys.argv[2:3]))
