"""Planar mechanisms with rigid contacts and Coulomb friction, in maximal coordinates.

Between events each contact is open, or closed and slips to the right (+) or left (−), sticks, or has no friction:

    M q̈ = Q + Jᵀλ + Σ (gᵢ + Tᵢ/Nᵢ sᵢ) Nᵢ,    J q̈ = γ,    gᵢ q̈ = −g̈ᵢ,    sᵢ q̈ = −s̈ᵢ where it sticks,

with the gradients g of the gap and s of the slip. Events are found by SciPy; after each of them all combinations of
what the contacts that touch may do are tried. Motions for which none or several remain are not judged. Nothing is
shared with the engine but the laws (docs/contact.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import linprog

from campaign.energy_integral import NotJudged
from campaign.impacts import WAYS, newton, poisson
from campaign.maximal import ATOL, GRAZING, RTOL, SETTLED, Load, Plane
from campaign.outlines import Outline
from campaign.structure import Array

CLOSE = 1e-11
"""Contacts touch whose gap is below this, m."""

ZERO = 1e-8
"""Velocities, forces and accelerations below this fraction of the largest ones are zero."""

SLOW = 1e-5
"""A contact that is hit more slowly than this, m/s, comes to rest."""

MOMENT = 1e-5
"""A moment later, s, it shows which of several possibilities lasts."""

LASTS = 1e-11
"""What is positive then must exceed this fraction of the largest forces and accelerations, which is round-off."""

SKIPPED = 1e-9
"""After an event the motion is continued by this fraction of the whole, so that the same event is not found again."""

MOST_EVENTS = 400


@dataclass(frozen=True)
class Found:
    """Accelerations q̈, contact forces N and T, and the velocities and accelerations of gaps and slips.

    matrix, forces   W f = … for the forces of joints and contacts
    normal, along    the places of N and T of the contacts that stick in these forces
    mu               their coefficients of friction
    """

    a: Array
    pushes: Array
    frictions: Array
    leaving: Array
    slipping: Array
    speeds: Array
    slips: Array
    matrix: Array
    forces: Array
    normal: list[int]
    along: list[int]
    mu: Array

    @cached_property
    def spare(self) -> float:
        """The friction that the contacts that stick could bear in addition, N.

        Several of them may share friction in more than one way, as two corners of a block do: it is that of the weakest
        one in the best of these ways.
        """
        return _share(self.matrix, self.forces, self.normal, self.along, self.mu)


@dataclass
class RoughPlane(Plane):
    """A planar mechanism with contacts.

    samplers   what is done at multiples of a period, from zero on: (period, function of the count, q and q̇)
    happened   the events of the last motion: their kinds, contacts, and what the contacts did afterwards
    """

    contacts: list[Outline] = field(default_factory=list)
    samplers: list[tuple[float, Callable[[int, Array, Array], None]]] = field(default_factory=list)
    happened: list[tuple[str, int, str]] = field(default_factory=list)

    def solve(self, t: float, q: Array, v: Array, e: Array, loads: Sequence[Load], kinds: str) -> Found:
        """The accelerations if the contacts do what `kinds` says: o open, + and − slip, s stick, 0 no friction."""
        mass, n = np.array(self.masses), len(q)
        force = np.zeros(n)
        force[1::3] -= self.gravity * mass[1::3]
        for load in loads:
            load(t, q, v, e, force)
        _, jacobian, gamma, _ = self.system(t, q, v)
        gaps, slips = self._gradients(q)
        bends = np.array([contact.curvatures(q, v) for contact in self.contacts]).reshape(-1, 2)
        closed = [i for i, kind in enumerate(kinds) if kind != "o"]
        stuck = [i for i in closed if kinds[i] == "s"]
        pulled = [gaps[i] - WAYS.get(kinds[i], 0.0) * self.contacts[i].mu * slips[i] for i in closed]
        columns = np.array([*jacobian, *pulled, *(slips[i] for i in stuck)]).reshape(-1, n).T
        rows = np.array([*jacobian, *(gaps[i] for i in closed), *(slips[i] for i in stuck)]).reshape(-1, n)
        right = np.array([*gamma, *(-bends[i, 0] for i in closed), *(-bends[i, 1] for i in stuck)])
        matrix = rows / mass @ columns
        wanted = right - rows @ (force / mass)
        unknown = np.linalg.lstsq(matrix, wanted, rcond=1e-10)[0]
        missed = np.abs(matrix @ unknown - wanted)
        if np.max(missed, initial=0.0) > 1e-9 * np.max(np.abs(wanted), initial=1.0):
            raise np.linalg.LinAlgError("the contacts contradict each other")
        a, first, last = (force + columns @ unknown) / mass, len(gamma), len(gamma) + len(closed)
        pushes, frictions = np.zeros(len(kinds)), np.zeros(len(kinds))
        pushes[closed] = unknown[first:last]
        for i in closed:
            frictions[i] = -WAYS.get(kinds[i], 0.0) * self.contacts[i].mu * pushes[i]
        frictions[stuck] = unknown[last:]
        speeds = gaps @ a + bends[:, 0], slips @ a + bends[:, 1], gaps @ v, slips @ v
        normal, mu = [first + closed.index(i) for i in stuck], np.array([self.contacts[i].mu for i in stuck])
        return Found(a, pushes, frictions, *speeds, matrix, unknown, normal, [*range(last, len(unknown))], mu)

    def motion(self, q: Array, v: Array, times: Array) -> tuple[Array, Array, int]:
        """q and q̇ at the times, (times, n) each, and the number of events."""
        self.happened, end = [], float(times[-1])
        state, n, now = np.concatenate([q, v, np.zeros(len(self.integrands))]), len(q), 0.0
        found = np.empty((len(times), 2 * n))
        ticks = [0] * len(self.samplers)
        for k, (_, sample) in enumerate(self.samplers):
            sample(0, q, v)
            ticks[k] = 1
        kinds = self._choose(now, state, self._touching(state, ""))
        fastest = float(np.max(np.abs(v)))
        for _ in range(MOST_EVENTS):
            due = [(tick * period, k) for k, (tick, (period, _)) in enumerate(zip(ticks, self.samplers, strict=True))]
            until, sampler = min([*due, (end, -1)])
            margins, meanings = self._margins(kinds)
            solved = solve_ivp(
                lambda t, y, kinds=kinds: self._slopes(t, y, kinds), (now, until), state, "DOP853", rtol=10 * RTOL,
                atol=10 * ATOL, dense_output=True, events=margins or None, max_step=end / 60.0,
            )  # fmt: skip
            if not solved.success:
                raise NotJudged(solved.message)
            inside = (times >= now) & (times <= solved.t[-1])
            if np.any(inside):
                found[inside] = solved.sol(times[inside])[: 2 * n].T
            fastest = max(fastest, float(np.max(np.abs(solved.y[n : 2 * n]))))
            now, state = float(solved.t[-1]), solved.y[:, -1].copy()
            if solved.status != 1 and sampler < 0:
                self._check_drift(now, state, kinds)
                return found[:, :n], found[:, n:], len(self.happened)
            if solved.status != 1:
                self.samplers[sampler][1](ticks[sampler], state[:n], state[n : 2 * n])
                ticks[sampler] += 1
                kinds = self._choose(now, state, self._touching(state, kinds))
                continue
            what, which = meanings[next(k for k, hits in enumerate(solved.t_events) if len(hits))]
            before, touching = kinds, self._touching(state, kinds)
            if what == "hit":
                touching = sorted({*touching, which})
                state[n : 2 * n] = self._struck(now, state, touching, which, fastest)
            kinds = self._choose(now, state, touching)
            if kinds == before and what != "hit":
                raise NotJudged("a contact nearly changes what it does")
            self.happened.append((what, which, kinds))
            ahead = SKIPPED * end
            found[(times >= now) & (times <= now + ahead)] = state[: 2 * n]
            slopes = self._slopes(now, state, kinds)
            state[:n] += 0.5 * ahead**2 * slopes[n : 2 * n]
            now, state = now + ahead, state + ahead * slopes
            if now >= end:
                raise NotJudged("an event at the end")
        raise NotJudged("too many events")

    # -- inside

    def _gradients(self, q: Array) -> tuple[Array, Array]:
        both = [contact.gradients(q) for contact in self.contacts]
        return np.array([gap for gap, _ in both]), np.array([slip for _, slip in both])

    def _slopes(self, t: float, y: Array, kinds: str) -> Array:
        q, v, e = self._parts(y)
        rates = [integrand(t, q, v) for integrand in self.integrands]
        return np.concatenate([v, self.solve(t, q, v, e, self.loads, kinds).a, rates])

    def _parts(self, y: Array) -> tuple[Array, Array, Array]:
        n = len(self.masses)
        return y[:n], y[n : 2 * n], y[2 * n :]

    def _touching(self, state: Array, kinds: str) -> list[int]:
        q, *_ = self._parts(state)
        gaps = [float(np.real(contact.gap(q))) for contact in self.contacts]
        if min(gaps, default=0.0) < -SETTLED:
            raise NotJudged("outlines overlap")
        return [i for i, gap in enumerate(gaps) if gap < CLOSE or (kinds and kinds[i] != "o")]

    def _margins(self, kinds: str) -> tuple[list[Callable[[float, Array], float]], list[tuple[str, int]]]:
        """Functions that fall through zero at the next event, and what it means."""
        margins, meanings = list[Callable[[float, Array], float]](), list[tuple[str, int]]()

        def add(what: str, i: int, value: Callable[[Found, int], float] | None) -> None:
            def margin(t: float, y: Array) -> float:
                q, v, e = self._parts(y)
                if value is None:
                    return float(np.real(self.contacts[i].gap(q)))
                return value(self.solve(t, q, v, e, self.loads, kinds), i)

            margin.terminal, margin.direction = True, -1.0  # type: ignore[attr-defined]
            margins.append(margin)
            meanings.append((what, i))

        for i, kind in enumerate(kinds):
            if kind == "o":
                add("hit", i, None)
                continue
            add("opens", i, lambda found, i: float(found.pushes[i]))
            if kind in WAYS:
                add("slip ends", i, lambda found, i: WAYS[kinds[i]] * float(found.slips[i]))
            elif kind == "s":
                add("slips", i, lambda found, i: found.spare)
        return margins, meanings

    def _choose(self, t: float, state: Array, touching: Sequence[int]) -> str:
        """What the contacts do from here on."""
        q, v, e = self._parts(state)
        free = self.solve(t, q, v, e, self.loads, "o" * len(self.contacts))
        least = ZERO * max(float(np.max(np.abs(v))), 1e-2)
        options = ["o"] * len(self.contacts)
        for i in touching:
            if free.speeds[i] < -least:
                raise NotJudged("a contact is hit while another one changes")
            if free.speeds[i] <= least:
                ways = "s+-" if abs(free.slips[i]) <= least else "+" if free.slips[i] > 0.0 else "-"
                options[i] = (ways if self.contacts[i].mu else "0") + "o"
        able = [kinds for kinds in map("".join, product(*options)) if self._least(t, q, v, e, kinds, options) > -ZERO]
        if len(able) > 1:
            able = [kinds for kinds in able if self._lasts(t, state, kinds, options)]
        if len(able) != 1:
            raise NotJudged(f"{len(able)} possibilities")
        return able[0]

    def _lasts(self, t: float, state: Array, kinds: str, options: Sequence[str]) -> bool:
        """Whether the contacts can go on like this for a moment."""
        q, v, e = self._parts(state)
        a = self.solve(t, q, v, e, self.loads, kinds).a
        later = q + MOMENT * v + 0.5 * MOMENT**2 * a, v + MOMENT * a
        return self._least(t + MOMENT, *later, e, kinds, options) > LASTS

    def _least(self, t: float, q: Array, v: Array, e: Array, kinds: str, options: Sequence[str]) -> float:
        """The least of what must not be negative, in units of the largest forces and accelerations."""
        try:
            found = self.solve(t, q, v, e, self.loads, kinds)
        except np.linalg.LinAlgError:
            return -np.inf
        force, fast = float(np.max(np.abs(found.pushes), initial=1e-3)), float(np.max(np.abs(found.a), initial=1e-3))
        margins = [np.inf]
        for i, kind in enumerate(kinds):
            if options[i] == "o":
                continue
            margins.append(found.leaving[i] / fast if kind == "o" else found.pushes[i] / force)
            if kind == "s":
                margins.append(found.spare / force)
            elif kind in WAYS and "s" in options[i]:
                margins.append(WAYS[kind] * found.slipping[i] / fast)
        return float(min(margins))

    def _struck(self, t: float, state: Array, touching: list[int], hit: int, fastest: float) -> Array:
        """q̇ after an impact by Newton's or Poisson's law and Coulomb's."""
        q, v, _ = self._parts(state)
        gaps, slips = self._gradients(q)
        struck, mass = self.contacts[hit], np.array(self.masses)
        speed = -float(gaps[hit] @ v)
        if struck.restitution and speed < SLOW:
            struck = replace(struck, restitution=0.0)
        elif speed < 0.3 * GRAZING * fastest and not struck.restitution:
            raise NotJudged("a grazing impact")
        if len(touching) > 1 and (struck.restitution or struck.poisson):
            raise NotJudged("bodies that touch are hit")
        both = np.array([row for i in touching for row in (gaps[i], slips[i])])
        ways = both.T / mass[:, None]
        _, jacobian, _, _ = self.system(t, q, v)
        if len(jacobian):
            ways -= (jacobian / mass).T @ np.linalg.solve(jacobian / mass @ jacobian.T, jacobian @ ways)
        w, before = both @ ways, both @ v
        if struck.poisson:
            return np.asarray(v + ways @ poisson(w, before, struck.mu, struck.restitution))
        mu, back = [self.contacts[i].mu for i in touching], struck.restitution * speed
        wanted = np.array([back if i == hit else 0.0 for i in touching])
        return np.asarray(v + ways @ newton(w, before, mu, wanted))

    def _check_drift(self, t: float, state: Array, kinds: str) -> None:
        q, v, _ = self._parts(state)
        phi, *_ = self.system(t, q, v)
        closed = [abs(contact.gap(q)) for contact, kind in zip(self.contacts, kinds, strict=True) if kind != "o"]
        self._touching(state, kinds)
        if max([*np.abs(phi), *closed], default=0.0) > SETTLED:
            raise NotJudged("the joints of the judge have drifted")


def _share(matrix: Array, forces: Array, normal: Sequence[int], along: Sequence[int], mu: Array) -> float:
    """The largest μ N − |T| that all contacts that stick can have at once, if forces may be shared in several ways."""
    if len(mu) == 1:
        return float(mu[0] * forces[normal[0]] - abs(forces[along[0]]))
    *_, ways = np.linalg.svd(matrix)
    ways = ways[np.linalg.matrix_rank(matrix, tol=1e-10 * np.linalg.norm(matrix)) :].T
    if not ways.shape[1]:
        return float(np.min(mu * forces[normal] - np.abs(forces[along])))
    bounds = []
    for sign in (1.0, -1.0):  # s ≤ μ N ± T
        margin = mu * forces[normal] + sign * forces[along]
        slopes = mu[:, None] * ways[normal] + sign * ways[along]
        bounds.append(np.hstack([np.ones((len(mu), 1)), -slopes, margin[:, None]]))
    table = np.vstack(bounds)
    cost = np.eye(table.shape[1] - 1)[0]
    found = linprog(-cost, A_ub=table[:, :-1], b_ub=table[:, -1], bounds=[(None, None)] * len(cost))
    if not found.success:
        raise NotJudged("friction can be shared without bound")
    return float(found.x[0])
