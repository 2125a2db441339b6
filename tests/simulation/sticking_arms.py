"""Arms with dry friction in their joints, solved in absolute angles by SciPy: an event ends each stretch, and all 3ⁿ
combinations of sticking and slipping are tried there."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

import grashof as gr

G = 9.81


@dataclass
class Arm:
    """Bars that hang on each other, with the friction in each pin; the angles are those against the horizontal."""

    lengths: np.ndarray
    masses: np.ndarray
    friction: np.ndarray
    angles: np.ndarray
    rates: np.ndarray
    events: list[tuple[float, int]] = field(default_factory=list)

    def mechanism(self, **friction: object) -> gr.Mechanism:
        """The arm for Grashof; the friction has these further properties."""
        m = gr.Mechanism("arm", gravity=(0, -G))
        place = m.ground.at(0, 0)
        for k, (length, mass) in enumerate(zip(self.lengths.tolist(), self.masses.tolist(), strict=True)):
            bar = m.bar(f"bar{k}", length=length, mass=mass)
            m.revolute(place, bar.start, name=f"pin{k}")
            m.friction(f"pin{k}", coulomb=float(self.friction[k]), name=f"rub{k}", **({"slip_speed": 0} | friction))
            m.need(bar.angle, value=float(self.angles[k]), rate=float(self.rates[k]))
            place = bar.end
        return m

    def accelerations(self, angles: np.ndarray, rates: np.ndarray, modes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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

    def possible_modes(self, angles: np.ndarray, rates: np.ndarray, known: np.ndarray) -> list[np.ndarray]:
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

    def motion(self, t_end: float) -> tuple[np.ndarray, np.ndarray]:
        """The angles and rates at the end; its `events` are the times at which a pin begins to stick or to slip."""
        n, t = len(self.lengths), 0.0
        y = np.concatenate([self.angles, self.rates])
        slips = np.diff(self.rates, prepend=0.0)
        known = np.where(slips == 0.0, np.nan, np.sign(slips))
        while t < t_end:
            modes, *others = self.possible_modes(y[:n], y[n:], known)
            assert not others

            def rates(_: float, y: np.ndarray, modes: np.ndarray = modes) -> np.ndarray:
                return np.concatenate([y[n:], self.accelerations(y[:n], y[n:], modes)[0]])

            def margin(_: float, y: np.ndarray, k: int = 0, modes: np.ndarray = modes) -> float:
                if modes[k]:
                    return float(np.diff(y[n:], prepend=0.0)[k] * modes[k] + 1e-13)
                return float(self.friction[k] - abs(self.accelerations(y[:n], y[n:], modes)[1][k]) + 1e-11)

            watched = [lambda t, y, k=k, margin=margin: margin(t, y, k) for k in range(n)]
            for watch in watched:
                watch.terminal, watch.direction = True, -1  # type: ignore[attr-defined]
            run = solve_ivp(rates, (t, t_end), y, "DOP853", rtol=1e-12, atol=1e-12, events=watched)
            t, y = float(run.t[-1]), run.y[:, -1].copy()
            if run.status == 1:
                (k,) = (k for k, times in enumerate(run.t_events) if len(times))
                self.events.append((t, k))
                slips = np.diff(y[n:], prepend=0.0)
                resting = (modes == 0.0) | (np.arange(n) == k)
                slips[resting] = 0.0
                y[n:] = np.cumsum(slips)
                known = np.where(resting, np.nan, modes)
        return y[:n], y[n:]


def random_arm(seed: int, count: int, friction: tuple[float, float] = (0.2, 3.0)) -> Arm:
    rng = np.random.default_rng(seed)
    lengths, masses = rng.uniform(0.5, 1.0, count), rng.uniform(0.5, 2.0, count)
    angles = rng.uniform(-3.0, 1.0, count)
    return Arm(lengths, masses, rng.uniform(*friction, count), angles, np.zeros(count))
