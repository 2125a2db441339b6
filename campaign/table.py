"""Shows the results by family and by method, and the bad runs with the seeds to repeat them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from rich import box
from rich.table import Table

from campaign.judge import BAD, Fate, Verdict
from campaign.suite import METHODS, Suite

COUNTED = (Fate.WRONG, Fate.BETWEEN, Fate.OFF_BRANCH, Fate.NOT_FINITE, Fate.CRASHED, Fate.STOPPED)
HEADINGS = (
    "runs",
    "wrong",
    "between steps",
    "off branch",
    "not finite",
    "crashed",
    "stopped",
    "worst error/aim",
    "beyond 10 aims",
    "median evaluations",
    "median s",
    "longest s",
)


def by_family(suite: Suite, verdicts: Sequence[Verdict]) -> Table:
    """One row for each family."""
    found = {family: [v for v in verdicts if v.family == family] for family in suite.families}
    return _table(["family"], {(family,): chosen for family, chosen in found.items()} | {("all",): verdicts})


def by_suite(found: Mapping[Suite, Sequence[Verdict]]) -> Table:
    """One row for each suite, of runs that are counted."""
    rows: dict[tuple[str, ...], Sequence[Verdict]] = {
        (suite.name,): [v for v in verdicts if v.family not in suite.uncounted] for suite, verdicts in found.items()
    }
    return _table(["suite"], rows | {("all",): [v for counted in rows.values() for v in counted]})


def by_method(suite: Suite, verdicts: Sequence[Verdict]) -> Table:
    """One row for each method and tolerance, of runs that are counted."""
    counted = [v for v in verdicts if v.family not in suite.uncounted]
    rows: dict[tuple[str, ...], Sequence[Verdict]] = {}
    for method in METHODS:
        chosen = [v for v in counted if v.task.method == method]
        for tol in sorted({v.task.tol for v in chosen}, reverse=True):
            rows[method, f"{tol:.0e}"] = [v for v in chosen if v.task.tol == tol]
        rows[method, "all"] = chosen
    return _table(["method", "tol"], rows)


def _table(names: Sequence[str], rows: Mapping[tuple[str, ...], Sequence[Verdict]]) -> Table:
    table = Table(box=box.MARKDOWN)
    for name in names:
        table.add_column(name, no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for words, chosen in rows.items():
        if chosen:
            table.add_row(*words, *_cells(chosen), style="bold" if words[-1] == "all" else None)
    return table


def _cells(verdicts: Sequence[Verdict]) -> list[str]:
    count = Counter(v.outcome for v in verdicts)
    finished = [v.excess for v in verdicts if np.isfinite(v.excess)]
    ran = [v.evaluations for v in verdicts if v.evaluations]
    return [
        str(len(verdicts)),
        *(str(count[x]) for x in COUNTED),
        f"{max(finished):.2g}" if finished else "–",
        str(sum(x > 10.0 for x in finished)),
        f"{np.median(ran):.0f}" if ran else "–",
        f"{np.median([v.seconds for v in verdicts]):.1f}",
        f"{max(v.seconds for v in verdicts):.1f}",
    ]


def reasons(verdicts: Sequence[Verdict]) -> list[str]:
    """The reasons why runs stopped or crashed, without numbers, each with its frequency and one seed."""
    found: dict[str, list[int]] = defaultdict(list)
    for v in verdicts:
        if v.message:
            plain = re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "…", v.message)
            found[f"{v.outcome.value}: {plain}"].append(v.seed)
    return [f"{len(seeds)} × {text} (seed {seeds[0]})" for text, seeds in found.items()]


def doubts(verdicts: Sequence[Verdict]) -> str:
    """How often the true error exceeds the run's own estimate; empty if no run has one."""
    told = [v.doubt for v in verdicts if np.isfinite(v.doubt)]
    if not told:
        return ""
    shares = ", ".join(f"{k} times in {np.mean(np.array(told) > k):.2%}" for k in (1, 3, 10))
    return (
        f"The true error exceeds the estimated one {shares} of {len(told)} runs; in the median it is "
        f"{np.median(told):.2g} times that."
    )


def wrongly(suite: Suite, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The bad runs, except those of families that are not counted."""
    return [v for v in verdicts if v.outcome in BAD and v.family not in suite.uncounted]


def worst(suite: Suite, verdicts: Sequence[Verdict], most: int) -> Table:
    """The bad runs that are counted, the worst of each family first."""
    table = Table("seed", "family", "mechanism", "method", "tol", "outcome", "error", "energy", box=box.MARKDOWN)
    for family in suite.families:
        bad = [v for v in wrongly(suite, verdicts) if v.family == family]
        for v in sorted(bad, key=lambda v: -np.nan_to_num(v.excess, nan=np.inf))[:most]:
            numbers = (f"{v.task.tol:.0e}", v.outcome.value, f"{v.error:.1e}", f"{v.energy:.1e}")
            table.add_row(str(v.seed), v.family, v.what, v.task.method, *numbers)
    return table
