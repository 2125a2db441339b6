"""A bar that hangs from a pin and is pushed: the smallest problem, with all that a problem can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from typing import Any

import mpmath
import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.precise.derivation import DIGITS, Derivations, change_number, effects, exact
from grashof.precise.derivation import Columns as Exact
from grashof.precise.extrapolation import Done
from grashof.precise.pins import SENTENCE, ZERO, Pins, PreciseBody, PreciseMoment
from grashof.problems import Alternative, Case, Column, Columns, Figure, Problem
from grashof.problems.columns import TIME, VIOLATIONS, energy

GRAVITY, RATE = "9.81", "2"


def angle(
    times: Sequence[Any], gravity: str = GRAVITY, rate: str = RATE, digits: int = DIGITS
) -> list[tuple[Any, Any]]:
    """(θ, θ̇) from hanging: sin(θ/2) = κ sn(ωt, κ²) with ω² = 3g/2 (1 m) and κ = θ̇₀/2ω."""
    with mpmath.workdps(digits + 12):
        omega = mpmath.sqrt(mpmath.mpf(gravity) * 3 / 2)
        kappa = mpmath.mpf(rate) / (2 * omega)
        found = []
        for time in times:
            u = omega * mpmath.mpf(time)
            sn, cn = (mpmath.ellipfun(name, u, m=kappa**2) for name in ("sn", "cn"))
            found.append((2 * mpmath.asin(kappa * sn), 2 * omega * kappa * cn))
        return found


def derivations(case: Case) -> Derivations:
    """The angle by an elliptic function; the place of the tip with the bar's force."""

    def first(times: Sequence[str], gravity: str = GRAVITY, rate: str = RATE) -> Exact:
        with mpmath.workdps(DIGITS + 12):
            found = [(mpmath.sin(theta), mpmath.cos(theta) * speed) for theta, speed in angle(times, gravity, rate)]
            return {"x": [exact(x) for x, _ in found], "xdot": [exact(speed) for _, speed in found]}

    def second(times: Sequence[str], done: Done) -> Exact:
        with localcontext(prec=DIGITS + 12):
            bar = PreciseBody(1, 0, Decimal(1), (Decimal("0.5"), ZERO), Decimal(1) / 12)
            pins = Pins(1, [(ZERO, ZERO)], [bar], [(1, 0)], lambda place: [ZERO, -Decimal(GRAVITY) / 2])
            motion = pins.motion(PreciseMoment([ZERO, Decimal(-1)], [Decimal(RATE), ZERO], ZERO), times, DIGITS, done)
            return {"x": [now.place[0] for now in motion], "xdot": [now.velocity[0] for now in motion]}

    def effect(times: Sequence[str], columns: Exact) -> dict[str, np.ndarray]:
        change = Decimal("1e-16")
        later = first([change_number(time, change) for time in times])
        others = [
            later,
            first(times, gravity=change_number(GRAVITY, change)),
            first(times, rate=change_number(RATE, change)),
        ]
        return effects(columns, others, change)

    words = "First: the angle by an elliptic function."
    return Derivations(first, second, effect, (words, SENTENCE.format(DIGITS)), "g, the initial rate, the time")


def columns(times: np.ndarray, gravity: str = GRAVITY) -> dict[str, np.ndarray]:
    """The independent solution in doubles."""
    theta, speed = np.array(angle(list(times), gravity, digits=20), float).T
    return {"x": np.sin(theta), "xdot": speed * np.cos(theta)}


def alternatives(case: Case) -> Iterator[Alternative]:
    """The moon's gravity."""

    def at(times: np.ndarray) -> Columns:
        return columns(times, "1.62")

    yield Alternative("a pendulum on the moon", case.t_end, at)


def make(variant: str, values: Mapping[str, float]) -> Case:
    m = Mechanism("pendulum", gravity=(0.0, -float(GRAVITY)))
    bar = m.bar("bar", start=(0.0, 0.0), end=(0.0, -1.0), mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), bar.start)
    m.need(bar.angle, rate=float(RATE))
    table = (
        TIME,
        Column("x", "m", lambda run: run["bar.end.x"], also=("tip",)),
        Column("xdot", "m/s", lambda run: run["bar.end.x.rate"]),
        energy(lambda run: run["energy"]),
        *VIOLATIONS[:1],
    )
    return Case(
        problem="pendulum",
        variant=variant,
        parameters=values,
        model=m.model,
        t_end=2.0,
        step=0.02,
        bound=1e-3,
        error_text="max |E − E₀|",
        columns=table,
        final=table[1:3],
        reference=columns,
        figures=(Figure("Swing", ("x", "xdot")),),
    )


PROBLEMS = (
    Problem(
        name="pendulum",
        title="A bar on a pin",
        variants=("standard",),
        make=make,
        package=__name__,
        derivations=derivations,
        alternatives=alternatives,
    ),
)
