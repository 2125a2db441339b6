"""Runs a mechanism in Grashof and in other engines, and compares the results.

Each engine runs its ladder of settings, from coarse to fine, until two successive settings agree: only then is its own
error known, and only then is a difference from Grashof meaningful. The quantities and norms of the comparison are
described in `comparison`. The verdicts are:

    agrees      the engine and Grashof have converged over the whole time, and differ by at most AGREES
    parts       at some time up to which both have converged, they differ by more than AGREES
    no opinion  the engine did not run; or its error is not known, because it has not converged, because all its
                settings gave one and the same run, or because its energy balance is off by more than AGREES of the
                energy of the motion

Grashof's own error is its difference from a run with a tenth of the tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.near import AGREES, CLOSE
from grashof.common.progress import Part, Progress, silent
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed
from grashof.engines.comparison import MotionNorms
from grashof.engines.consultation import Opinion, Walk, consult, consult_isolated, opinion_of
from grashof.engines.grashof import by_tolerance
from grashof.model.model import Model
from grashof.situation import situation

PREPARING = 180.0
"""Wall time, in s, that an engine's process may take to start, import, build and compare, in addition to its
integrations.
"""


@dataclass(frozen=True)
class OpinionVerdict:
    """The verdict on an engine, a sentence with the numbers that support it, and the time at which the results diverge
    (s), if they do.
    """

    word: Literal["reference", "agrees", "parts", "no opinion"]
    why: str
    parts_at: float | None = None


@dataclass(frozen=True)
class Opinions:
    """The opinions of all engines at the same times, Grashof's own first; the size is in m, the energy of the motion
    (by which energies are divided) in J. `left_out` lists what the file of the mechanism contains beyond the mechanism
    that was compared.
    """

    name: str
    times: np.ndarray
    size: float
    energy: float
    all: tuple[Opinion, ...]
    left_out: tuple[str, ...] = ()

    def parts(self, opinion: Opinion) -> float | None:
        """The time at which an engine's result diverges from Grashof's, s."""
        return self.verdict(opinion).parts_at

    def verdict(self, opinion: Opinion) -> OpinionVerdict:
        """The verdict on an engine; on Grashof itself, whether it can be the reference."""
        x, ours = opinion, self.all[0]
        for one in dict.fromkeys((x, ours)):
            if (doubt := self._doubt(one)) is not None:
                return OpinionVerdict("no opinion", doubt if one is x else f"Grashof cannot be the reference. {doubt}")
        assert x.difference is not None
        sure = min(x.sure, ours.sure)
        apart = x.difference.overall[:sure]
        parted = ~(apart <= AGREES)  # a comparison with NaN is false, so NaN counts as a difference
        if parted.any():
            k = int(np.argmax(parted))
            most = x.difference.describe_largest(k)
            why = f"At t = {self.times[k]:.4g} s, {most}; its own settings differ by {x.own:.1e}."
            return OpinionVerdict("parts", why, float(self.times[k]))
        if sure < len(self.times):
            why = self._not_converged(x if x.sure == sure else ours)
            if x is not ours and sure:
                why += f" Until then, the engine differs from Grashof by at most {np.max(apart):.1e}."
            return OpinionVerdict("no opinion", why)
        if x is ours:
            return OpinionVerdict("reference", f"Its own settings differ by at most {x.own:.1e}.")
        return OpinionVerdict(
            "agrees", f"At most, {x.difference.named_largest()}; its own settings differ by {x.own:.1e}."
        )

    def _doubt(self, x: Opinion) -> str | None:
        """Why the error of an engine is not known at any time."""
        if x.reason is not None:
            return f"It did not run: {x.reason}"
        if x.idle:
            return "All its settings gave the same run, to the last bit, so its error is not known."
        if x.coarser is None:
            return "Only one of its settings ran, so its error is not known."
        if x.balance is not None and not x.balance <= AGREES * self.energy:
            part = x.balance / self.energy
            return f"Its energy balance is off by {x.balance:.2g} J, {part:.1e} of the energy of the motion."
        return None

    def _not_converged(self, x: Opinion) -> str:
        """From what time on an engine has not converged."""
        assert x.coarser is not None
        who = "Grashof" if x is self.all[0] else "It"
        since = f"from t = {self.times[x.sure]:.4g} s on" if x.sure else "at any time"
        advice = " A smaller tolerance may help." if x is self.all[0] else ""
        return f"{who} has not converged {since}: between its two finest settings, {x.coarser.named_largest()}.{advice}"

    def __str__(self) -> str:
        """The verdicts on the engines that ran, in sentences."""
        others = [x for x in self.all[1:] if x.reason is None]
        if not others:
            return "No other engine ran this mechanism."
        verdicts = {x.engine: self.verdict(x) for x in others}
        agree = [engine for engine, verdict in verdicts.items() if verdict.word == "agrees"]
        said = [f"Within {AGREES:g} of Grashof over the whole time: {', '.join(agree)}."] if agree else []
        for engine, verdict in verdicts.items():
            if verdict.word == "parts":
                said.append(f"{engine} diverges from Grashof. {verdict.why}")
            elif verdict.word == "no opinion":
                said.append(f"{engine} has no opinion. {verdict.why}")
        if self.left_out:
            count = len(self.left_out)
            more = f" and {count - 1} more" if count > 1 else ""
            said.append(
                f"This compares the mechanism as it was read, not the whole file: {count} part{'s' * (count > 1)} of "
                f"it {'are' if count > 1 else 'is'} in none of the runs ({self.left_out[0].rstrip('.')}{more})."
            )
        return " ".join(said)

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "mechanism": self.name,
            "t_end": float(self.times[-1]),
            "size_m": self.size,
            "energy_J": self.energy,
            "parted": AGREES,
            "settled": CLOSE,
            "summary": str(self),
            "left_out": list(self.left_out),
            "opinions": [self._row(x) for x in self.all],
        }

    def _row(self, x: Opinion) -> dict[str, Any]:
        verdict = self.verdict(x)
        return {
            "engine": x.engine,
            "version": x.version,
            "verdict": verdict.word,
            "why": verdict.why,
            "reason": x.reason,
            "setting": x.setting,
            "cpu_s": x.cpu_s,
            "apart_max": x.largest,
            "apart": None if x.difference is None else x.difference.by_kind,
            "parts_at_s": verdict.parts_at,
            "own": x.own,
            "own_apart": None if x.coarser is None else x.coarser.by_kind,
            "converged_until_s": float(self.times[x.sure - 1]) if x.sure else None,
            "settled": x.settled,
            "balance_max_J": x.balance,
            "violation_max_m": x.violation,
        }


def second_opinion(
    model: Model,
    t_end: float,
    engines: Sequence[str] | None = None,
    *,
    tol: float = 1e-6,
    limit_s: float = 20.0,
    wall_s: float | None = None,
    isolated: bool = False,
    left_out: Sequence[str] = (),
    progress: Progress = silent,
) -> Opinions:
    """Runs a mechanism in Grashof and in other engines (all of them unless named).

    limit_s   CPU time that each engine may spend on its ladder; not every engine can be interrupted during a run
    wall_s    wall time after which an isolated engine is terminated; by default `PREPARING` plus twice the limit
    isolated  run each engine in a separate process, which may crash or hang; a script needs `if __name__ == "__main__"`
              for that
    left_out  what the file of the mechanism contains beyond the mechanism; the summary says so
    """
    # twice the limit, because the limit is in CPU seconds and the processor may be busy with other work
    allowed = PREPARING + 2.0 * limit_s if wall_s is None else wall_s
    asked = list(ENGINES) if engines is None else list(dict.fromkeys(engines))
    for name in asked:
        if name not in ENGINES:
            raise ModelError(f"There is no engine '{name}'; there are {', '.join(ENGINES)}.")
    names = [name for name in asked if name != "grashof"]
    if not names:
        raise ModelError(f"A second opinion needs another engine; there are {', '.join(ENGINES)}.")
    progress(Part(0.0, "running grashof"))
    here = situation(model)
    if not (math.isfinite(t_end) and t_end > here.time):
        raise ModelError(
            f"The end time is {t_end} s; it must be a number greater than the start time, {here.time:g} s."
        )
    times = np.linspace(here.time, t_end, 501)
    grashof = ENGINES["grashof"]
    prepared = grashof.prepare(here)
    try:
        result, finer = (prepared.run(by_tolerance(x), times) for x in (tol, 0.1 * tol))
    except EngineFailed as problem:
        raise ModelError(f"Mechanism '{model.name}': Grashof itself cannot simulate it. {problem}") from problem
    ours, comparison = result.motion, MotionNorms(here, result.motion)
    walk = Walk(by_tolerance(tol), result, comparison.between(ours, finer.motion))
    opinions = [opinion_of(comparison, grashof, walk, ours)]
    for k, name in enumerate(names, 1):
        progress(Part(k / (1 + len(names)), f"running {name}"))
        if isolated:
            opinions.append(consult_isolated(model, ENGINES[name], ours, limit_s, allowed))
        else:
            opinions.append(consult(comparison, ENGINES[name], ours, limit_s))
    return Opinions(model.name, times, comparison.size, comparison.energy, tuple(opinions), tuple(left_out))
