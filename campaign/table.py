"""Shows what came out, by family and by method, and what went wrong with the seeds to repeat it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from rich import box
from rich.table import Table

from campaign.draw import FAMILIES, METHODS, TOLERANCES, UNDETERMINED, turning_family
from campaign.judge import BAD, Outcome, Verdict

ORDER = (*FAMILIES, *(turning_family(x) for x in (1.0, 1e-9, 0.0)))
COUNTED = (Outcome.WRONG, Outcome.BETWEEN, Outcome.OFF_BRANCH, Outcome.NOT_FINITE, Outcome.CRASHED, Outcome.STOPPED)
HEADINGS = (
    "runs",
    "wrong",
    "between steps",
    "off branch",
    "not finite",
    "crashed",
    "stopped",
    "worst error/aim",
    "median evaluations",
)


def by_family(verdicts: Sequence[Verdict]) -> Table:
    """One row for each family."""
    found = {family: [v for v in verdicts if v.family == family] for family in ORDER}
    return _table(["family"], {(family,): chosen for family, chosen in found.items()} | {("all",): verdicts})


def by_method(verdicts: Sequence[Verdict]) -> Table:
    """One row for each method and tolerance, of runs whose motion is determined."""
    determined = [v for v in verdicts if v.family != UNDETERMINED]
    rows: dict[tuple[str, ...], Sequence[Verdict]] = {}
    for method in METHODS:
        chosen = [v for v in determined if v.task.method == method]
        for tol in TOLERANCES:
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
        f"{np.median(ran):.0f}" if ran else "–",
    ]


def reasons(verdicts: Sequence[Verdict]) -> list[str]:
    """Why runs stopped or crashed, numbers left out, with how often and one seed."""
    found: dict[str, list[int]] = defaultdict(list)
    for v in verdicts:
        if v.message:
            plain = re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "…", v.message)
            found[f"{v.outcome.value}: {plain}"].append(v.seed)
    return [f"{len(seeds)} × {text} (seed {seeds[0]})" for text, seeds in found.items()]


def wrongly(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The bad runs, but for those whose motion is not determined."""
    return [v for v in verdicts if v.outcome in BAD and v.family != UNDETERMINED]


def worst(verdicts: Sequence[Verdict], most: int) -> Table:
    """The bad runs whose motion is determined, of each family the worst first."""
    table = Table("seed", "family", "mechanism", "method", "tol", "outcome", "error", "energy", box=box.MARKDOWN)
    for family in ORDER:
        bad = [v for v in wrongly(verdicts) if v.family == family]
        for v in sorted(bad, key=lambda v: -np.nan_to_num(v.excess, nan=np.inf))[:most]:
            numbers = (f"{v.task.tol:.0e}", v.outcome.value, f"{v.error:.1e}", f"{v.energy:.1e}")
            table.add_row(str(v.seed), v.family, v.what, v.task.method, *numbers)
    return table
