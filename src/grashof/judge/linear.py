"""Judges eigenvalues, our own and those of any tool, against two derivations of any precision.

The rule is the largest |s − s_ref|/|s_ref| of any eigenvalue. The reference is derived when it is needed, which takes a
second at most: its error bar adds the difference of the two derivations, and what changes if each datum is rounded to a
double.
"""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

from grashof.common.errors import ModelError, finite
from grashof.common.near import RESEMBLES
from grashof.precise.derivation import HALF_UNIT, change_number
from grashof.problems import LINEAR, LinearCase, make_linear
from grashof.problems.linear import Derivation, SmallMotion
from grashof.questions.equilibrium import equilibrium
from grashof.questions.linearised import Modes
from grashof.questions.modes import modes

Array = np.ndarray

DIGITS = 40
"""Of the derivations."""
CHANGE = "1e-15"
"""Relative change of a datum by which its effect is found."""
NOTHING = 1e-5
"""Eigenvalues below this fraction of the smallest of the reference count as zero: tools that count where a vehicle is
as a freedom, or joints as stiff springs, list such ones, too."""
NEARER = 10.0
"""Eigenvalues are taken for those of another problem if they are this many times nearer to them, and resemble them."""
MOST = 1000
"""Largest number of eigenvalues in a file."""


@dataclass(frozen=True)
class EigenReference:
    """Certified eigenvalues and quantities at rest.

    values, bars  eigenvalues and their error bars, 1/s
    rest          quantities at rest by name: value and error bar
    provenance    sentences on where they come from
    """

    values: Array
    bars: Array
    rest: Mapping[str, tuple[float, float]]
    provenance: tuple[str, ...]

    @property
    def digits(self) -> float:
        """Certain digits of the least certain eigenvalue."""
        return float(-np.log10(np.max(self.bars / np.abs(self.values))))


@dataclass(frozen=True)
class EigenVerdict:
    """The judgement on eigenvalues.

    error     the largest |s − s_ref|/|s_ref|; None if some are missing
    partners  the value given for each of the reference's; nan where there is none
    others    values given that belong to none and are not zero
    hints     what they could be instead, each checked by comparison
    """

    case: LinearCase
    reference: EigenReference
    error: float | None
    partners: Array
    others: Array
    hints: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether all eigenvalues are there, no others, and their error is within the bound."""
        return self.error is not None and self.error <= self.case.bound and not len(self.others)

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        case, known = self.case, self.reference
        return {
            "problem": case.problem,
            "variant": case.variant,
            "parameters": dict(case.parameters),
            "rule": {
                "passes": self.passed,
                "error": None if self.error is None else finite(self.error),
                "bound": case.bound,
                "definition": RULE,
            },
            "reference": {"values": _pairs(known.values), "bars": known.bars.tolist(), "digits": known.digits},
            "values": [None if math.isnan(s.real) else [s.real, s.imag] for s in self.partners],
            "others": _pairs(self.others),
            "hints": list(self.hints),
            "provenance": list(known.provenance),
        }


RULE = "largest |s − s_ref|/|s_ref| of the eigenvalues"


@dataclass(frozen=True)
class LinearOutcome:
    """Our own linearised motion, judged.

    found   the modes
    rest    quantities at rest by name
    cpu_s   process CPU time of finding the rest and linearising, s
    """

    verdict: EigenVerdict
    found: Modes
    rest: Mapping[str, float]
    cpu_s: float

    @property
    def passed(self) -> bool:
        return self.verdict.passed

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        known = self.verdict.reference.rest
        rest = {name: {"value": x, "reference": known[name][0], "bar": known[name][1]} for name, x in self.rest.items()}
        return self.verdict.as_dict() | {"rest": rest, "cpu_s": self.cpu_s, "notes": list(self.verdict.case.notes)}


def judge_linear(case: LinearCase) -> LinearOutcome:
    """Linearises the mechanism of a case, as `gr.equilibrium` and `gr.modes` do, and judges the eigenvalues."""
    begin = time.process_time()
    rest: dict[str, float] = {}
    if case.at == "equilibrium":
        still = equilibrium(case.model)
        found, rest = still.modes, {name: still[name] for name in case.rest}
    else:
        found = modes(case.model, at=case.at)
    cpu = time.process_time() - begin
    values = [s for mode in found if not mode.zero for s in _pair(mode.eigenvalue)]
    return LinearOutcome(judge_eigenvalues(case, np.array(values)), found, rest, cpu)


def _pair(s: complex) -> tuple[complex, ...]:
    return (s, s.conjugate()) if s.imag else (s,)


def judge_eigenvalues(case: LinearCase, values: Array) -> EigenVerdict:
    """Judges eigenvalues, 1/s, in any order; of conjugate pairs, one each suffices."""
    reference = certify(case)
    given = _with_conjugates(np.asarray(values, complex), reference.values)
    partners, others = _match(given, reference.values)
    missing = bool(np.isnan(partners).any())
    error = None if missing else _error(partners, reference.values)
    hints = () if error is not None and error <= case.bound else tuple(_hints(case, given, error))
    return EigenVerdict(case, reference, error, partners, others, hints)


def _with_conjugates(values: Array, known: Array) -> Array:
    """The values, with their conjugates if none of these is there."""
    pairs = values[np.abs(values.imag) > 0.0]
    one_sided = len(pairs) and len({s > 0.0 for s in pairs.imag}) == 1
    return np.concatenate([values, pairs.conj()]) if one_sided else values


def _match(given: Array, known: Array) -> tuple[Array, Array]:
    """For each known value the nearest that is left, nearest pairs first; and those left over that are not zero."""
    partners, left = np.full(len(known), complex(math.nan)), list(range(len(given)))
    apart = np.abs(given[:, None] - known) / np.abs(known)
    for _ in range(min(len(known), len(given))):
        k, j = np.unravel_index(int(np.argmin(apart)), apart.shape)
        partners[j] = given[k]
        left.remove(int(k))
        apart[k], apart[:, j] = np.inf, np.inf
    rest = given[left]
    return partners, rest[np.abs(rest) > NOTHING * np.min(np.abs(known))]


def _error(values: Array, known: Array) -> float:
    return float(np.max(np.abs(values - known) / np.abs(known)))


def _hints(case: LinearCase, given: Array, error: float | None) -> Iterator[str]:
    """What the values resemble more than the case itself."""
    own = certify(case).values
    readings = [
        (f"variant '{variant}'", certify(make_linear(case.problem, variant, case.parameters)).values)
        for variant in LINEAR[case.problem].variants
        if variant != case.variant
    ]
    with mpmath.workdps(DIGITS):
        changed = [(words, _complex(case.first({**case.data, **x}))) for words, x in case.mistakes.items()]
    others = [
        *((f"The result looks like {words}", values) for words, values in (*readings, *changed)),
        ("The values are in Hz; give them in 1/s, as eigenvalues (the imaginary part in rad/s)", own / (2.0 * math.pi)),
        ("The real parts have the opposite sign", -own.conj()),
        ("The values are the squares of the eigenvalues", own**2),
        ("The real parts are missing", 1j * own.imag),
    ]
    best, found = math.inf if error is None else error / NEARER, list[tuple[float, str]]()
    for words, values in others:
        partners, extra = _match(given, values[np.abs(values) > 0.0])
        if np.isnan(partners).any() or len(extra):
            continue
        off = _error(partners, values[np.abs(values) > 0.0])
        if off <= min(RESEMBLES, best):
            found.append((off, f"{words}: they agree to {off:.1e}."))
    nearest = min((off for off, _ in found), default=0.0)
    yield from (sentence for off, sentence in found if off <= NEARER * nearest)


# -- the reference


def certify(case: LinearCase) -> EigenReference:
    """Both derivations, and the error bars that follow from them."""
    return _certify(case.first, case.second, tuple(case.data.items()), case.methods)


@lru_cache(maxsize=64)
def _certify(
    derive: Derivation, again: Derivation, data: tuple[tuple[str, str], ...], methods: tuple[str, str]
) -> EigenReference:
    with mpmath.workdps(DIGITS):
        first, second = derive(dict(data)), again(dict(data))
        values, others = _sorted(first.eigenvalues), list(second.eigenvalues)
        if len(values) != len(others):
            raise ModelError(f"One derivation has {len(values)} eigenvalues, the other one {len(others)}.")
        apart = [_nearest(s, others) for s in values]
        effects, at_rest = _effects(derive, dict(data), values, first.rest)
        rounded = np.array([complex(s) for s in values])
        rounding = [float(abs(s - mpmath.mpc(x))) for s, x in zip(values, rounded, strict=True)]
        bars = np.array([r + float(x) + e for r, x, e in zip(rounding, apart, effects, strict=True)])
        rest = {}
        for name, x in first.rest.items():
            bar = abs(x - mpmath.mpf(float(x))) + abs(x - second.rest[name]) + at_rest[name]
            rest[name] = (float(x), float(bar))
        differ = max(float(x / abs(s)) for x, s in zip(apart, values, strict=True))
    return EigenReference(
        rounded,
        bars,
        rest,
        (
            *methods,
            f"Largest difference of the two, relative to an eigenvalue: {differ:.0e}.",
            "An error bar adds the rounding of the value to a double, this difference, and the changes when each datum "
            "is rounded to a double.",
        ),
    )


def _effects(
    derive: Derivation, data: Mapping[str, str], values: Sequence[Any], rest: Mapping[str, Any]
) -> tuple[list[float], dict[str, Any]]:
    """Σ |change| of each eigenvalue, and of each quantity at rest, when data are rounded to doubles."""
    found, at_rest = [0.0] * len(values), {name: mpmath.mpf(0) for name in rest}
    scale = HALF_UNIT / mpmath.mpf(CHANGE)
    for name, text in data.items():
        if not Decimal(text):
            continue
        other = derive({**data, name: change_number(text, Decimal(CHANGE))})
        for k, s in enumerate(values):
            found[k] += float(scale * _nearest(s, list(other.eigenvalues)))
        for key, x in rest.items():
            at_rest[key] += scale * abs(other.rest[key] - x)
    return found, at_rest


def _nearest(s: Any, values: Sequence[Any]) -> Any:
    return min(abs(s - x) for x in values)


def _sorted(values: Sequence[Any]) -> list[Any]:
    exact = (mpmath.chop(mpmath.mpc(s), abs(s) * mpmath.mpf(10) ** (-DIGITS // 2)) for s in values)
    return sorted(map(mpmath.mpc, exact), key=lambda s: (float(abs(s)), float(s.imag)))


def _complex(motion: SmallMotion) -> Array:
    return np.array([complex(s) for s in motion.eigenvalues])


def _pairs(values: Array) -> list[list[float]]:
    return [[float(s.real), float(s.imag)] for s in values]


# -- files


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
SEPARATORS = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class EigenFile:
    """Eigenvalues as text: in each line a real and an imaginary part, or a real number alone, or one such as
    -0.2+2.1i. Lines that begin with # and a first line of headings are left out."""

    path: str

    @cached_property
    def values(self) -> Array:
        text = Path(self.path).read_text(encoding="utf-8", errors="replace")
        found: list[complex] = []
        for number, line in enumerate(text.splitlines(), 1):
            words = [word for word in SEPARATORS.split(line.partition("#")[0].strip()) if word]
            if not words:
                continue
            value = _parse(words)
            if value is None and not found and not any(NUMBER.fullmatch(word) for word in words):
                continue  # headings
            if value is None or not np.isfinite(value):
                raise ModelError(
                    f"{self.path}, line {number}: '{line.strip()[:60]}' is not an eigenvalue; write its real and its "
                    "imaginary part in 1/s, such as -0.25 2.13, or -0.25+2.13i."
                )
            found.append(value)
            if len(found) > MOST:
                raise ModelError(f"{self.path} has more than {MOST:,} eigenvalues; keep those of the problem.")
        if not found:
            raise ModelError(f"{self.path} has no eigenvalues; write one in each line, as -0.25 2.13 or -0.25+2.13i.")
        return np.array(found)


def read_eigenvalues(path: str | os.PathLike[str]) -> Array:
    """The eigenvalues in a file, 1/s (see `EigenFile`)."""
    return EigenFile(os.fspath(path)).values


def _parse(words: list[str]) -> complex | None:
    """One eigenvalue; None if it is none."""
    joined = "".join(words).lower().replace("d", "e")
    if "i" in joined or "j" in joined:
        try:
            return complex(joined.replace("*", "").replace("i", "j"))
        except ValueError:
            return None
    if not 1 <= len(words) <= 2 or not all(NUMBER.fullmatch(word) for word in words):
        return None
    parts = [float(word.lower().replace("d", "e")) for word in words]
    return complex(*parts)
