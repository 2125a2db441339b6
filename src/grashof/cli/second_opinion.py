"""`grashof second-opinion`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, console, echo, print_json, print_report
from grashof.cli.options import Json, Tolerance, positive, time_option, tolerance
from grashof.common.wording import join_words, seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table

    from grashof.engines.consultation import Opinion
    from grashof.engines.second_opinion import Opinions

NUMBERS = ("CPU", "own", "position", "angle", "energy", "balance", "violation")
"""Columns of numbers, with one for each kind of difference."""

WIDE = 120
"""Width of a terminal, in characters, from which on all columns fit into one table."""


@about_a_mechanism
def second_opinion(
    chosen: Chosen,
    engines: Annotated[
        str | None,
        typer.Option("--engines", metavar="NAME,NAME", help="The engines, separated by commas; all by default."),
    ] = None,
    t_end: Annotated[
        float | None,
        time_option("--t-end", "End time in s; the problem's own or the gallery's by default, needed for a file."),
    ] = None,
    tol: Tolerance = None,
    limit: Annotated[float, typer.Option("--limit", help="CPU time in s that each engine may take.")] = 20.0,
    wall_limit: Annotated[
        float | None,
        typer.Option(
            "--wall-limit", help="Wall time in s after which an engine is stopped. [default: 180 + 2 × limit]"
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Plot the differences from Grashof over time: .png, .svg or .pdf."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Simulates a mechanism with Grashof and with other engines, and reports which results agree.

    Examples: `grashof second-opinion crank.toml --t-end 5`, `grashof second-opinion andrews --engines mujoco,exudyn`
    """
    positive("--limit", limit)
    positive("--wall-limit", wall_limit)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.engines.second_opinion import second_opinion as consult

        if plot is not None:
            from grashof.show.files import check_figure, save_figure

            check_figure(plot)
        left_out: list[str] = []
        case, model = chosen.case_and_model(left_out)
        end = chosen.end(case, t_end)
        names = None if engines is None else [name.strip() for name in engines.split(",") if name.strip()]
        opinions = consult(
            model,
            end,
            names,
            tol=tolerance(tol),
            limit_s=limit,
            wall_s=wall_limit,
            isolated=True,
            left_out=left_out,
            progress=say.progress,
        )
        if plot is not None:
            save_figure(_figure(opinions), plot)
    if as_json:
        print_json(opinions.as_dict())
    else:
        _print(opinions)
        if plot is not None:
            echo(f"wrote {plot}")
    return 0


def _print(opinions: Opinions) -> None:
    from grashof.common.near import AGREES, CLOSE
    from grashof.engines.consultation import NOT_INSTALLED

    title = f"{opinions.name}, {opinions.times[-1]:g} s, size {opinions.size:.3g} m"
    missing = [x.engine for x in opinions.all if (x.reason or "").startswith(NOT_INSTALLED)]
    shown_opinions = [x for x in opinions.all if x.engine not in missing]
    names, rows = ["engine", "verdict", "setting", *NUMBERS], [_row(opinions, x) for x in shown_opinions]
    screen = console()
    for places in [range(10)] if screen.width >= WIDE else [range(5), [0, *range(5, 10)]]:
        shown = [[row[k] for k in places] for row in rows]
        screen.print(_table(title, [names[k] for k in places], [row for row in shown if any(row[1:])]))
        title = ""
    for x in shown_opinions:
        if x.difference is None:
            print_report(f"{x.engine}: {x.reason}")
    if missing:
        print_report(f"not installed: {join_words(missing)}; pip install 'grashof[engines]' installs all engines.")
    print_report(
        "own: the largest difference between this setting and the next coarser one; position, angle, energy: the "
        "largest difference from Grashof, of points divided by the size, of orientations in rad, of energies divided "
        f"by {opinions.energy:.3g} J, the energy scale of the motion. An engine has converged if own is at most "
        f"{CLOSE:g}; results disagree where one of the other differences exceeds {AGREES:g}. balance: the "
        "energy-balance error; – if a work has no closed form."
    )
    for sentence in opinions.left_out:
        print_report(f"not compared: {sentence}")
    print_report(str(opinions))


def _row(opinions: Opinions, x: Opinion) -> list[str]:
    """An engine, its verdict, its setting, and what was measured."""
    who, word = f"{x.engine} {x.version or ''}".strip(), opinions.verdict(x).word
    if x.difference is None:
        return [who, word, (x.reason or "").partition(":")[0], *[""] * len(NUMBERS)]
    apart = x.difference.by_kind.values()
    return [
        who,
        word,
        x.setting or "",
        "–" if x.cpu_s is None else seconds(x.cpu_s),
        _number(x.own),
        *([""] * len(apart) if x is opinions.all[0] else map(_number, apart)),
        _number(x.balance, " J"),
        _number(x.violation, " m"),
    ]


def _table(title: str, names: list[str], rows: list[list[str]]) -> Table:
    from rich.table import Table

    table = Table(title=title or None, title_justify="left")
    for name in names:
        number = name in NUMBERS
        table.add_column(name, justify="right" if number else "left", no_wrap=name != "setting", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _number(value: float | None, unit: str = "") -> str:
    return "–" if value is None else f"{value:.1e}{unit}"


def _figure(opinions: Opinions) -> Figure:
    """The largest difference from Grashof over time, one curve for each engine."""
    from matplotlib.figure import Figure

    from grashof.common.near import AGREES
    from grashof.scene.palette import BODIES
    from grashof.show.labels import plain

    figure = Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for x, color in zip(opinions.all[1:], BODIES * len(opinions.all), strict=False):
        if x.apart is not None:
            axes.semilogy(opinions.times, x.apart.clip(min=1e-16), color=color, label=f"{x.engine}, {x.setting}")
    axes.axhline(AGREES, color="0.6", linewidth=0.8, linestyle="--")
    axes.set(xlabel="t in s", ylabel="largest difference from Grashof", title=plain(opinions.name))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8)
    return figure
