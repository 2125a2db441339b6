"""Arms with dry friction in their joints, solved in absolute angles by SciPy: an event ends each stretch, and all 3ⁿ
combinations of sticking and slipping are tried there."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.integrate import solve_ivp

import grashof as gr
from campaign.energy_integral import NotJudged
from campaign.structure import Array

G = 9.81

MOST_EVENTS = 100


@dataclass
class Arm:
    """Bars that hang on each other, with the friction in each pin; the angles are those against the horizontal."""

    lengths: Array
    masses: Array
    friction: Array
    angles: Array
    rates: Array
    events: list[tuple[float, int]] = field(default_factory=list)

    def mechanism(self, slip_speed: float = 0.0) -> gr.Mechanism:
        """The arm for Grashof."""
        m = gr.Mechanism("arm", gravity=(0, -G))
        place = m.ground.at(0, 0)
        for k, (length, mass) in enumerate(zip(self.lengths.tolist(), self.masses.tolist(), strict=True)):
            bar = m.bar(f"bar{k}", length=length, mass=mass)
            m.revolute(place, bar.start, name=f"pin{k}")
            m.friction(f"pin{k}", coulomb=float(self.friction[k]), name=f"rub{k}", slip_speed=slip_speed)
            m.need(bar.angle, value=float(self.angles[k]), rate=float(self.rates[k]))
            place = bar.end
        return m

    def beside(self, offset: float) -> Arm:
        """The arm with another start."""
        return replace(self, angles=self.angles + offset, events=[])

    def accelerations(self, angles: Array, rates: Array, modes: Array) -> tuple[Array, Array]:
        """Those of the angles, and the torques in the pins, which stick (0) or slip (1, −1)."""
        n = len(angles)
        mass, load, turns = np.zeros((n, n)), np.zeros(n), np.eye(n) - np.diag(np.ones(n - 1), -1)
        apart = angles[:, None] - angles[None, :]
        for k in range(n):
            arms = np.where(np.arange(n) < k, self.lengths, 0.0)
            arms[k] = 0.5 * self.lengths[k]
            mass += self.masses[k] * np.outer(arms, arms) * np.cos(apart)
            load += self.masses[k] * arms * (np.sin(apart) * arms @ rates**2 + G * np.cos(angles))
            mass[k, k] += self.masses[k] * self.lengths[k] ** 2 / 12.0
        stuck = np.flatnonzero(modes == 0)
        torques = -self.friction * modes
        rows = turns[stuck]
        full = np.block([[mass, -rows.T], [rows, np.zeros((len(stuck), len(stuck)))]])
        found = np.linalg.solve(full, np.concatenate([turns.T @ torques - load, np.zeros(len(stuck))]))
        torques[stuck] = found[n:]
        return found[:n], torques

    def possible_modes(self, angles: Array, rates: Array, known: Array) -> list[Array]:
        """All combinations in which joints at rest, whose mode is not known (NaN), can go on."""
        found = []
        for tried in itertools.product((0.0, 1.0, -1.0), repeat=int(np.isnan(known).sum())):
            modes = known.copy()
            modes[np.isnan(known)] = tried
            a, torques = self.accelerations(angles, rates, modes)
            slipping = np.diff(a, prepend=0.0) * modes
            fits = np.where(modes == 0.0, self.friction - np.abs(torques), np.where(np.isnan(known), slipping, 1.0))
            if np.all(fits > -1e-12):
                found.append(modes)
        return found

    def motion(self, times: Array) -> tuple[Array, Array]:
        """The angles and rates at some times, (n, times); its `events` are those at which a pin begins to stick or to
        slip."""
        n, t, t_end = len(self.lengths), 0.0, float(times[-1])
        seen = np.empty((2 * n, len(times)))
        y = np.concatenate([self.angles, self.rates])
        slips = np.diff(self.rates, prepend=0.0)
        known = np.where(slips == 0.0, np.nan, np.sign(slips))
        while t < t_end:
            modes, *others = self.possible_modes(y[:n], y[n:], known) or [known]
            if others or np.isnan(modes).any() or len(self.events) > MOST_EVENTS:
                raise NotJudged("what sticks is decided by round-off, or there are too many events")

            def rates(_: float, y: Array, modes: Array = modes) -> Array:
                return np.concatenate([y[n:], self.accelerations(y[:n], y[n:], modes)[0]])

            def margin(_: float, y: Array, k: int = 0, modes: Array = modes) -> float:
                if modes[k]:
                    return float(np.diff(y[n:], prepend=0.0)[k] * modes[k] + 1e-13)
                return float(self.friction[k] - abs(self.accelerations(y[:n], y[n:], modes)[1][k]) + 1e-11)

            watched = [lambda t, y, k=k, margin=margin: margin(t, y, k) for k in range(n)]
            for watch in watched:
                watch.terminal, watch.direction = True, -1  # type: ignore[attr-defined]
            run = solve_ivp(rates, (t, t_end), y, "DOP853", rtol=1e-12, atol=1e-12, events=watched, dense_output=True)
            part = (times >= t) & (times <= run.t[-1])
            if part.any():
                seen[:, part] = run.sol(times[part])
            t, y = float(run.t[-1]), run.y[:, -1].copy()
            if run.status == 1:
                (k,) = (k for k, times in enumerate(run.t_events) if len(times))
                self.events.append((t, k))
                slips = np.diff(y[n:], prepend=0.0)
                resting = (modes == 0.0) | (np.arange(n) == k)
                slips[resting] = 0.0
                y[n:] = np.cumsum(slips)
                known = np.where(resting, np.nan, modes)
        return seen[:n], seen[n:]


def random_arm(rng: np.random.Generator, count: int, friction: tuple[float, float] = (0.2, 3.0)) -> Arm:
    """An arm at rest."""
    lengths, masses = rng.uniform(0.5, 1.0, count), rng.uniform(0.5, 2.0, count)
    angles = rng.uniform(-3.0, 1.0, count)
    return Arm(lengths, masses, rng.uniform(*friction, count), angles, np.zeros(count))
