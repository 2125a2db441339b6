"""Mechanisms that move only because axes are parallel or lengths are equal, described with small errors, as in drawings
and files.

Axes are tilted, or one link is longer, by ε = 10^U(−12, −3). Taken literally, such a mechanism has no degree of
freedom: it can be closed only where it is drawn. Two answers are correct: a refusal that says so, and by how much, or
the motion of the intended mechanism with an error of no more than three times ε times the sensitivity of that motion.

The second suite runs the same kinds of mechanisms with `fit` = 10 ε. The intended mechanism is then among the permitted
ones, so that a run should succeed with an error of no more than `fit` times the sensitivity.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from campaign.blocks import random_times
from campaign.case import KnownMotion
from campaign.linkage import Linkage
from campaign.linkage_case import Law, driven, free, thrown
from campaign.matter import link, lump
from campaign.plane import along, laid_into_space, random_frame, row
from campaign.structure import GROUND, Array, Hinge, Pose, Poses, Solid
from campaign.suite import Cases, Rng
from campaign.suites.near_misses import four_bar
from campaign.suites.work_of_motors import CLEAR

ERRORS = (-12.0, -3.0)
"""Powers of ten."""

SHARE = 3.0
"""The permitted error of a motion is this many times ε times the sensitivity."""

FIT = 10.0
"""The geometry may be adjusted by this many times ε, if at all."""

Spoilt = tuple[Linkage, Linkage, float]
"""The intended linkage, the described one, and ε."""


def _small(rng: Rng) -> float:
    return float(10.0 ** rng.uniform(*ERRORS))


def _tilted(rng: Rng, linkage: Linkage) -> Spoilt:
    """Every axis tilted by ε, each in its own direction."""
    small = _small(rng)

    def tilt(axis: Array | None) -> Array:
        assert axis is not None
        off = rng.normal(size=3)
        off -= axis * (axis @ off)
        result: Array = axis + small * off / np.linalg.norm(off)
        return result

    hinges = tuple(replace(hinge, axis=tilt(hinge.axis)) for hinge in linkage.hinges)
    return linkage, replace(linkage, hinges=hinges), small


def _longer(rng: Rng, linkage: Linkage) -> Spoilt:
    """One crank, or the coupler, longer or shorter by ε of its length."""
    small = _small(rng)
    chosen = str(rng.choice([body.name for body in linkage.bodies]))
    factor = 1.0 + float(rng.choice([-1.0, 1.0])) * small

    def spoilt(body: Solid) -> Solid:
        if body.name != chosen:
            return body
        places = factor * body.places if body.slender else body.places
        return replace(body, places=places, pins={name: factor * pin for name, pin in body.pins.items()})

    return linkage, replace(linkage, bodies=tuple(spoilt(body) for body in linkage.bodies)), small


def _parallelograms(rng: Rng) -> Linkage:
    """One to three windows in a plane of space."""
    windows = ["parallelogram"] * int(rng.integers(1, 4))
    level, general = rng.random(2) < 0.5
    return row(rng, windows, level=bool(level), general=bool(general), frame=random_frame(rng))


def table(rng: Rng, *, space: bool) -> Linkage:
    """A coupler on three to five parallel cranks, two of which would suffice; their pivots may be collinear."""
    count, general, length = int(rng.integers(3, 6)), bool(rng.random() < 0.5), float(rng.uniform(0.5, 2.0))
    dimension = 3 if space else 2
    heading = float(rng.uniform(-np.pi, np.pi))
    on_line = np.multiply.outer(np.cumsum(rng.uniform(0.6, 1.5, count)), [np.cos(heading), np.sin(heading)])
    level = bool(rng.random() < 0.5)
    pivots = (
        on_line if level else on_line + rng.uniform(0.3, 1.0, (count, 1)) * rng.choice([-1, 1], (count, 1)) * [0.0, 1.0]
    )
    pivots = pivots - pivots[0]
    pins = {f"pin{i}": np.append(pivot, np.zeros(dimension - 2)) for i, pivot in enumerate(pivots)}
    cranks = [link(rng, f"crank{i}", length, rng.uniform(0.2, 2.0), dimension, general) for i in range(count)]
    top = lump(rng, "coupler", pins, rng.uniform(0.5, 3.0), 1.0)

    def path(s: Array) -> Poses:
        arm = length * np.stack([np.cos(s), np.sin(s)], axis=-1)
        poses: dict[str, Pose] = {f"crank{i}": along(pivot, pivot + arm, length) for i, pivot in enumerate(pivots)}
        poses["coupler"] = (arm, np.broadcast_to(np.eye(2), (len(s), 2, 2)))
        return poses

    hinges = [Hinge(GROUND, f"crank{i}", pivot, "start") for i, pivot in enumerate(pivots)]
    hinges += [Hinge(f"crank{i}", "coupler", "end", f"pin{i}") for i in range(count)]
    linkage = Linkage(
        f"coupler on {count} cranks",
        (*cranks, top),
        tuple(hinges),
        np.array([0.0, -9.81]),
        length,
        path,
        2.0 * np.pi,
        (heading, heading + np.pi) if level else (),
    )
    return laid_into_space(rng, linkage, random_frame(rng)) if space else linkage


def _free(spoil: Callable[[Rng], Spoilt], fitted: bool = False) -> Callable[[Rng], KnownMotion]:
    def draw(rng: Rng) -> KnownMotion:
        meant, described, small = spoil(rng)
        start, rate, times = thrown(rng, meant)
        off = (FIT if fitted else SHARE) * small
        return _judged(free(meant, start, rate, times, described, off), small, fitted)

    return draw


def _driven(spoil: Callable[[Rng], Spoilt], fitted: bool = False) -> Callable[[Rng], KnownMotion]:
    def draw(rng: Rng) -> KnownMotion:
        meant, described, small = spoil(rng)
        law = Law(meant.clear_place(rng), float(rng.choice([-1, 1]) * rng.uniform(0.5, 5.0)))
        case = driven(meant, law, random_times(rng, float(rng.uniform(2.0, 8.0))), described)
        off = (FIT if fitted else SHARE) * small
        return _judged(replace(case, floor=10.0 * off), small, fitted)

    return draw


def _judged(case: KnownMotion, small: float, fitted: bool) -> KnownMotion:
    """Correct refusals state that joints are redundant and contradict each other, or that a loop fails to close by
    about the actual error; with `fit`, that nothing was found that fits, which is accepted although a fit exists."""

    def refused(words: str) -> bool:
        if fitted and "no mechanism that fits together was found" in words:
            return True
        missing = re.search(r"cannot close .*: (\S+) m are missing", words)
        return "redundant and contradict" in words or (missing is not None and float(missing[1]) < 10.0 * small * size)

    size = max(float(np.max(scale)) for name, scale in case.scales.items() if not name.endswith(".rate"))
    fit = FIT * small if fitted else None
    return replace(case, what=f"{case.what}, off by {small:.1e}", refused=refused, fit=fit)


def _draws(fitted: bool) -> dict[str, tuple[int, Callable[[Rng], KnownMotion]]]:
    def four_bars(rng: Rng) -> Spoilt:
        return _tilted(rng, four_bar(rng, space=True, margins=CLEAR))

    def cranks(rng: Rng) -> Spoilt:
        return _longer(rng, table(rng, space=False))

    return {
        "four-bars, axes": (2, _free(four_bars, fitted)),
        "four-bars, axes, driven": (1, _driven(four_bars, fitted)),
        "parallelograms, axes": (1, _free(lambda rng: _tilted(rng, _parallelograms(rng)), fitted)),
        "parallel cranks, lengths": (2, _free(cranks, fitted)),
        "parallel cranks, lengths, driven": (1, _driven(cranks, fitted)),
        "parallel cranks in space, lengths": (1, _free(lambda rng: _longer(rng, table(rng, space=True)), fitted)),
    }


SUITE = Cases("nearly-parallel-and-equal", _draws(fitted=False))
FITTED = Cases("nearly-parallel-and-equal-fitted", _draws(fitted=True), mechanisms=80)
