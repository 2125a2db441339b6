"""Which columns of a table are shown where in a picture."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from grashof.common.errors import ModelError, did_you_mean
from grashof.show import sweeps as draw
from grashof.show.files import check_figure, save_figure
from grashof.show.labels import plain
from grashof.sweeps.table import Sweep

MOST = 4
"""Largest number of panels, unless columns are named."""


def plot(
    table: Sweep,
    kind: str | None = None,
    names: Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """A picture of the rows that have values; see `Sweep.plot`."""
    if path is not None:
        check_figure(path)
    chosen = _fitting(table) if kind is None else kind
    check_kind(chosen)
    figure = _KINDS[chosen](_Chosen(table, names))
    if path is not None:
        save_figure(figure, path)
    return figure


def check_kind(kind: str) -> None:
    """Refuses an unknown kind of picture."""
    if kind not in _KINDS:
        raise ModelError(f"kind is '{kind}'; {did_you_mean(kind, _KINDS)}")


class _Chosen:
    """The columns that a picture shows."""

    def __init__(self, table: Sweep, names: Sequence[str] | None) -> None:
        self.table, self.rows = table, np.flatnonzero(table.ok)
        named = table.names if names is None else tuple(names)
        self.numbers = [name for name in named if name in table.numbers] or list(table.numbers)
        others = [name for name in named if name not in table.numbers]
        self.histories = [name for name in others if len(table.times(name))]
        self.outputs = [name for name in others if name not in self.histories]
        if names is None:
            self.histories, self.outputs = self.histories[:MOST], self.outputs[:MOST]
        self.title = plain(table.about.facts["mechanism"])

    def axis(self, name: str) -> draw.Axis:
        return draw.Axis(name, self.table.unit(name), self.table[name][self.rows])

    def axes(self, names: Sequence[str]) -> list[draw.Axis]:
        return [self.axis(name) for name in names]

    def require(self, kind: str, outputs: int = 0, numbers: int = 0, histories: int = 0) -> None:
        """Refuses a kind of picture for which columns are missing."""
        if len(self.outputs) < outputs or len(self.numbers) < numbers or len(self.histories) < histories:
            wanted = [
                words
                for count, words in (
                    (numbers, "two numbers" if numbers == 2 else "a number"),
                    (outputs, "an output with one value per row"),
                    (histories, "a trajectory"),
                )
                if count
            ]
            raise ModelError(f"A picture of kind '{kind}' needs {' and '.join(wanted)}, which the table does not have.")


def _fitting(table: Sweep) -> str:
    if all(len(table.times(name)) for name in table.outputs):
        return "fan"
    if table.about.sample == "normal":
        return "histogram"
    return "heatmap" if table.about.sample == "grid" and len(table.numbers) == 2 else "scatter"


def _scatter(chosen: _Chosen) -> Figure:
    chosen.require("scatter", outputs=1, numbers=1)
    shade = chosen.axis(chosen.numbers[1]) if len(chosen.numbers) > 1 else None
    return draw.scatter(chosen.title, chosen.axis(chosen.numbers[0]), chosen.axes(chosen.outputs), shade)


def _histogram(chosen: _Chosen) -> Figure:
    chosen.require("histogram", outputs=1)
    return draw.histogram(chosen.title, chosen.axes(chosen.outputs))


def _parallel(chosen: _Chosen) -> Figure:
    chosen.require("parallel", outputs=1, numbers=1)
    columns = chosen.axes([*chosen.numbers, *chosen.outputs])
    return draw.parallel(chosen.title, columns, columns[-1])


def _heatmap(chosen: _Chosen) -> Figure:
    chosen.require("heatmap", outputs=1, numbers=2)
    first, second = chosen.axes(chosen.numbers[:2])
    return draw.heatmap(chosen.title, first, second, chosen.axis(chosen.outputs[0]))


def _fan(chosen: _Chosen) -> Figure:
    chosen.require("fan", histories=1)
    return draw.fan(chosen.title, chosen.table.times(chosen.histories[0]), chosen.axes(chosen.histories))


_KINDS: dict[str, Callable[[_Chosen], Figure]] = {
    "scatter": _scatter,
    "histogram": _histogram,
    "parallel": _parallel,
    "heatmap": _heatmap,
    "fan": _fan,
}
