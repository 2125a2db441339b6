"""Shows what came out: families by tolerance, and what went wrong with the seeds to repeat it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from rich import box
from rich.table import Table

from campaign.draw import FAMILIES, TOLERANCES, UNDETERMINED, turning_family
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
    "worst error/tol",
    "median evaluations",
)


def by_family(verdicts: Sequence[Verdict]) -> Table:
    """One row for each family and tolerance, and one for each family."""
    table = Table(box=box.MARKDOWN)
    for name in ("family", "tol"):
        table.add_column(name, no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for family in ORDER:
        of_family = [v for v in verdicts if v.family == family]
        if not of_family:
            continue
        for tol in TOLERANCES:
            if chosen := [v for v in of_family if v.tol == tol]:
                table.add_row(family, f"{tol:.0e}", *_cells(chosen))
        table.add_row(family, "all", *_cells(of_family), style="bold")
    table.add_row("all", "all", *_cells(verdicts), style="bold")
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
    """The bad runs whose motion is determined, of each family the worst in tolerances first."""
    table = Table("seed", "family", "mechanism", "tol", "outcome", "error", "energy", box=box.MARKDOWN)
    for family in ORDER:
        bad = [v for v in wrongly(verdicts) if v.family == family]
        for v in sorted(bad, key=lambda v: -np.nan_to_num(v.excess, nan=np.inf))[:most]:
            numbers = (f"{v.tol:.0e}", v.outcome.value, f"{v.error:.1e}", f"{v.energy:.1e}")
            table.add_row(str(v.seed), v.family, v.what, *numbers)
    return table
