"""A real server with a store that has measured results, and result files to upload."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from benchmarks.served import Served

import grashof as gr
from grashof.bench.messages import BenchRung, Judged, Sample
from grashof.bench.store import Store, new_measurement
from grashof.bench.subject import subject
from grashof.judge import assess
from grashof.problems import make_case

MACHINE = {"processor": "A processor", "cores": "2", "system": "S", "python": "3"}


def columns_of(problem: str, tol: float = 1e-8) -> dict[str, np.ndarray]:
    """The official columns of a problem by Grashof."""
    case = make_case(problem)
    run = gr.simulate(case.model, case.t_end, tol=tol, times=case.times(case.t_end), check_error=False)
    return {"t": run.t, **{x.name: np.asarray(x.value(run), float) for x in case.columns if x.name != "t"}}


def written(columns: dict[str, np.ndarray]) -> bytes:
    """Columns as a result file."""
    rows = zip(*(x.tolist() for x in columns.values()), strict=True)
    return "\n".join([" ".join(columns), *(" ".join(map(repr, row)) for row in rows)]).encode()


def measured_store(path: Path) -> Path:
    """A store with settings of two engines on Andrews' squeezer: five of Grashof, which were judged, and two of
    another that differ in their method."""
    case = make_case("andrews")
    with Store(path) as store:
        machine = store.add_machine(MACHINE)

        def add(engine: str, rung: BenchRung, columns: dict[str, np.ndarray], cpu_s: float) -> None:
            found = assess(case, columns, suspect=False)
            judged = Judged(
                0.1, 0.1, cpu_s, 0.01, 100, bool(found.passes), found.error, found.deviation, found.as_dict()
            )
            made = new_measurement(machine, subject("andrews"), engine, "1.0", ("A note.",), rung, judged)
            store.add(made)
            store.add_sample(made, Sample(cpu_s, cpu_s))

        for k in range(5):
            tol = 10.0 ** -(k + 2)
            add("grashof", BenchRung(f"tol = {tol:.0e}", {"tol": tol}, k), columns_of("andrews", tol), 1e-4 * 1.2**k)
        for k, kind in enumerate(("RK4", "Euler")):
            columns = columns_of("andrews", 1e-3)
            columns["x_F"] = columns["x_F"] * (1.0 + 0.01 * k)
            add("other", BenchRung(f"{kind}, h = 1e-5 s", {"method": kind, "h": 1e-5}, k), columns, 0.1)
    return path


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`grashof serve` on a free port."""
    server = Served(measured_store(tmp_path_factory.mktemp("store") / "results.sqlite"))
    yield server
    server.kill()


@pytest.fixture(scope="package")
def address(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}/"


@pytest.fixture
def visit(browser, address: str) -> Iterator[Callable[..., object]]:
    """Opens a page of the server in a profile of its own; whatever it complains about fails the test, but for
    answers that refuse."""
    opened, complaints = [], []

    def opening(path: str, routes: Mapping[str, Callable[..., object]] | None = None, **options: object) -> object:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})
        page = context.new_page()
        page.set_default_timeout(120_000)  # other work on the machine must not decide a test
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for pattern, handler in (routes or {}).items():
            page.route(pattern, handler)
        page.goto(address + path, wait_until="domcontentloaded" if routes else "load")
        opened.append(context)
        return page

    yield opening
    for context in opened:
        context.close()
    refusals = ("400 (Bad Request)", "404 (Not Found)", "422 (Unprocessable")
    assert [said for said in complaints if not any(refusal in said for refusal in refusals)] == []


def wait_until(page, holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing happened for a minute")


def moves(page, point: str) -> None:
    """Waits until the live mechanism in a page has computed a motion and drawn a point of it elsewhere."""
    viewer = "window.grashof.viewers[0]"
    page.frame_locator("iframe.viewer").locator(".canvas[data-time]").wait_for(timeout=120_000)
    frame = page.frames[1]
    first = frame.evaluate(f"[{viewer}.simulator.engine.time, ...{viewer}.stage.pixel('{point}')]")

    def moved() -> bool:
        time, x, y = frame.evaluate(f"[{viewer}.simulator.engine.time, ...{viewer}.stage.pixel('{point}')]")
        return bool(time > first[0] and abs(x - first[1]) + abs(y - first[2]) > 2.0)

    wait_until(page, moved)
