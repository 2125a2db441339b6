"""Why runs stop, and what another setting would have done.

Every run that stopped is made again with settings that a person could try, and judged like the first: how many of each
kind end, and are right, shows what advice helps, and what the program could choose by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rich import box
from rich.table import Table

from campaign.case import KnownMotion, judge_case
from campaign.engine import RunSettings
from campaign.judge import BAD, Fate, Verdict
from campaign.suite import Cases
from grashof.common.status import Code

FITS = (1e-11, 1e-9, 1e-7, 1e-5, 1e-3)
"""How far the geometry may be adjusted: the smallest of these with which a mechanism is accepted is tried."""

Trial = tuple[RunSettings, KnownMotion]

SETTINGS: Mapping[str, Callable[[Trial], Sequence[Trial]]] = {
    "auto": lambda x: [(replace(x[0], method="auto", step=None), x[1])] if x[0].method != "auto" else [],
    "4 × steps": lambda x: [(replace(x[0], max_steps=4 * x[0].max_steps), x[1])],
    "tol / 10": lambda x: [(replace(x[0], tol=0.1 * x[0].tol), x[1])],
    "tol × 10": lambda x: [(replace(x[0], tol=10.0 * x[0].tol), x[1])],
    "tol × 1000": lambda x: [(replace(x[0], tol=1000.0 * x[0].tol), x[1])],
    "fit": lambda x: [(x[0], replace(x[1], fit=fit)) for fit in FITS],
}
"""Other settings, by name, each as the trials that are made until one succeeds."""


@dataclass(frozen=True)
class Stop:
    """A run that stopped.

    right   the settings with which it ends and is right
    wrong   those with which it ends with status success and is wrong
    """

    verdict: Verdict
    right: tuple[str, ...]
    wrong: tuple[str, ...]


def try_others(suite: Cases, verdict: Verdict) -> Stop:
    """Makes a run that stopped again, with all other settings."""
    case = suite.drawn(verdict.seed // suite.runs)
    found = {name: _try(suite, verdict, make((verdict.task, case))) for name, make in SETTINGS.items()}
    return Stop(
        verdict,
        tuple(name for name, fate in found.items() if fate is Fate.RIGHT),
        tuple(name for name, fate in found.items() if fate in BAD and fate is not Fate.CRASHED),
    )


def _try(suite: Cases, verdict: Verdict, trials: Sequence[Trial]) -> Fate:
    fate = Fate.STOPPED
    for task, case in trials:
        fate = judge_case(verdict.seed, verdict.family, case, task, suite.factor).outcome
        if fate not in (Fate.STOPPED, Fate.CRASHED):
            break
    return fate


def kind_of(message: str) -> str:
    """What stopped a run, without its numbers."""
    for code in Code:
        if code.value.partition(". ")[0] in message:
            return code.name
    plain = re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "…", message.partition("': ")[2] or message.partition(": ")[2])
    return f"refused: {re.split('[,.(:] ?', plain)[0].strip()[:40]}"


def by_kind(stops: Sequence[Stop]) -> Table:
    """How many runs of each kind other settings would have saved, and how long they took until they stopped."""
    table = Table(box=box.MARKDOWN)
    for heading in ("kind", "runs", *SETTINGS, "none", "wrong", "median s", "longest s"):
        table.add_column(heading, justify="left" if heading == "kind" else "right", no_wrap=True)
    kinds = sorted({kind_of(stop.verdict.message) for stop in stops})
    for kind in [*kinds, "all"]:
        chosen = [stop for stop in stops if kind in (kind_of(stop.verdict.message), "all")]
        saved = [str(sum(name in stop.right for stop in chosen)) for name in SETTINGS]
        lost, wrong = sum(not stop.right for stop in chosen), sum(bool(stop.wrong) for stop in chosen)
        spent = [stop.verdict.seconds for stop in chosen] or [0.0]
        times = (f"{np.median(spent):.1f}", f"{np.max(spent):.1f}")
        table.add_row(kind, str(len(chosen)), *saved, str(lost), str(wrong), *times)
    return table
