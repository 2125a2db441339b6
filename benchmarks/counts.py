"""How often a mechanism is checked, compiled and assembled on the way to a result: `python -m benchmarks.counts`.

Calls for the four-bar linkage of the gallery, one result after another in one process, without the cache on disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.table import Table

import grashof as gr
from grashof.assembly.assemble import assemble
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.live.make import live_data
from grashof.model.check import check

COUNTED: tuple[Callable[..., object], ...] = (compile_system, make_dynamics, assemble, check)
"""What is counted."""


def calls_of(task: Callable[[], object]) -> Counter[str]:
    """How often each of the counted functions is called."""
    codes = {function.__code__: function.__name__ for function in COUNTED}
    counts: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in codes:
            counts[codes[frame.f_code]] += 1

    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(None)
    return counts


def results(folder: Path) -> dict[str, Callable[[], object]]:
    """The ways to results."""
    path = folder / "four-bar.toml"
    gr.save(gr.example("four-bar"), path)
    row = {"a": [0.09]}

    def curve() -> object:
        return gr.simulate(gr.load(path), 2.0)["rocker.angle"]

    def swept(engine: str) -> Callable[[], object]:
        return lambda: gr.sweep(gr.load(path), row, 2.0, outputs=["rocker.angle at end"], engine=engine)

    return {
        "TOML → curve": curve,
        "write .osim": lambda: gr.save(gr.load(path), folder / "four-bar.osim"),
        "one sweep row, one by one": swept("one by one"),
        "one sweep row, compiled": swept("compiled"),
        "live page": lambda: live_data(gr.load(path)),
    }


def main() -> None:
    """Counts, and prints a table."""
    os.environ["GRASHOF_CACHE"] = "off"
    table = Table("result", *(function.__name__ for function in COUNTED))
    with tempfile.TemporaryDirectory() as folder:
        for name, task in results(Path(folder)).items():
            counts = calls_of(task)
            table.add_row(name, *(str(counts[function.__name__]) for function in COUNTED))
    Console().print(table)


if __name__ == "__main__":
    main()
