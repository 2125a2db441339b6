"""Contacts with friction: what happens when one of them is hit, comes to rest, begins to slip, to stick, or opens.

At every such event the whole set of contacts that touch is considered: an impact if some of them approach each other
(see `rough_impacts`), and then, among those that neither approach nor leave, what each does from then on:

    opens    N = 0, the acceleration of the gap is not negative
    slips    N ≥ 0, T = −μ N s/|s|; if the slip velocity s is zero, in the direction of its acceleration
    sticks   N ≥ 0, ṡ = 0, |T| ≤ μ N
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.impact import Response
from grashof.formulation.natural.resting import STICKS, rubbing
from grashof.integrate import Change
from grashof.scalar.functions import Scalar, absolute, where
from grashof.simulation.bounces import ROUND_OFF, SAME, TOUCHING, Bounce, Contacts
from grashof.simulation.rough_impacts import dependent, impact_sequence, newton_impacts, poisson_impact
from grashof.tape import Library, Tape, trace
from grashof.tape.arrays import address

UNLIKE = 1e-6
"""Accelerations differ if they do by this part of what the forces could give."""

MOST = 5
"""Largest number of contacts that may touch at once."""

GAIN = 1e-9
"""An impact gains energy if its work exceeds this fraction of the kinetic energy that its velocities stand for."""

SLOW = 1e-11
"""Velocities of contacts below this fraction of the mechanism's velocities are zero."""

AHEAD = 1e-5
"""A moment: this fraction of the time in which the mechanism's length is passed. A slip that begins from rest goes on
for at least as long, because its speed is round-off before that, and forces that are zero are compared with those a
moment later."""

NEARBY = 1e-2
"""What holds a contact here must also hold it after this fraction of that time: otherwise it is a coincidence."""

SLIPS = {"slips +": 1.0, "slips -": -1.0}


def rubbing_tape(dynamics: Dynamics) -> dict[str, Tape]:
    """`resting.rubbing` and all accelerations as a tape."""

    def both(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
        motion = dynamics.state(x)
        return [*rubbing(dynamics, motion), *dynamics.accelerations(motion)[0]]

    return {"rubbing": trace(both, 1 + dynamics.layout.size, 0)}


def rubbing_margins(dynamics: Dynamics, x: list[Scalar]) -> list[Scalar]:
    """For each contact with friction: the speed of its slip, positive while it goes on, and 1 if it does not slip;
    then, for each one, the friction that it could bear in addition, N, and 1 if it does not stick."""
    motion = dynamics.state(x)
    found, model, layout = rubbing(dynamics, motion), dynamics.model, dynamics.layout
    slipping, bearing = list[Scalar](), list[Scalar]()
    for k, rub in enumerate(model.rubs):
        tangential, rate, _ = found[2 * len(dynamics.limits) + 3 * k :][:3]
        pressed = found[2 * layout.resting.index(rub.event)]
        way, sticks = motion.slips[rub.event], motion.sticks[rub.event]
        slipping.append(where(way * way, way * rate, 1.0))
        bearing.append(where(sticks, rub.mu * pressed + found[-1] - absolute(tangential), 1.0))
    return slipping + bearing


@dataclass(frozen=True, eq=False)
class Touching:
    """A contact that touches: its bounce, its number among those with friction (−1 without), its free side, and its
    responses along the normal and, with friction, along the slide."""

    bounce: Bounce
    rub: int
    side: float
    normal: Response
    slide: Response | None


@dataclass(eq=False)
class Rubbing:
    """The contacts of a mechanism, some of which have friction.

    first   the number of the first trigger of those that end a slip; those that end a stick follow
    """

    contacts: Contacts
    library: Library
    first: int

    def __post_init__(self) -> None:
        self._rubbing = self.library.function("rubbing", None, *[ctypes.c_void_p] * 3)
        self.dynamics = self.contacts.dynamics.natural
        self._accelerations = np.zeros(0)
        self.layout, self.rubs = self.dynamics.layout, self.dynamics.model.rubs
        self._of = {rub.event: k for k, rub in enumerate(self.rubs)}

    def settle(
        self, time: float, state: np.ndarray, hit: int = -1, leaves: int = -1, stopped: int = -1, begins: int = -1
    ) -> Change:
        """What a run does where a contact is hit or pressed no more, has stopped slipping, or can stick no more.

        hit, leaves        its number among the bounces
        stopped, begins    its number among those with friction
        """
        touching, still = self._touching(time, state, hit)
        after, law, struck = self._strike(time, state, touching)
        wanted = {leaves: "opens"} if leaves >= 0 else {}
        if begins >= 0:  # the friction that held it was against the slip that follows
            held = self._look(time, state)[2 * self.contacts.count + 3 * begins]
            wanted[self.layout.resting.index(self.rubs[begins].event)] = "slips +" if held > 0.0 else "slips -"
        kinds, doubt = self._choose(time, after, touching, {stopped, begins} - {-1}, wanted)
        jams = doubt == "jam"
        names, sides, sure = list[str](), dict[int, float](), dict[int, float]()
        for one, kind in zip(touching, kinds, strict=True):
            names += self._enter(state, after, one, kind, one in struck)
            sides |= {one.bounce.trigger: one.side, one.bounce.release: 1.0}
            if kind == "opens":
                sure[one.bounce.trigger] = math.inf if jams else self._certain(time, after, one)
            if one.rub >= 0:
                sides[self.first + one.rub] = 1.0
                if kind in SLIPS:
                    sure[self.first + one.rub] = self._begins(time, after, one)
                sides[self.first + len(self.rubs) + one.rub] = 1.0
        sure |= dict.fromkeys(self._held(time, after, touching, kinds), math.inf)
        names += [f"{touching[0].bounce.event.name} jam"] if jams else []
        for bounce in still:  # joints hold it, or what rests
            sides[bounce.trigger], sure[bounce.trigger] = bounce.free_side(time, state), math.inf
        if doubt == "shares" and not names:  # so that what is undetermined is recorded
            names.append(f"{touching[0].bounce.event.name} rest")
        return Change(after, tuple(names), sides, sure, doubt or law)

    # -- inside

    def _touching(self, time: float, state: np.ndarray, hit: int) -> tuple[list[Touching], list[Bounce]]:
        """The contacts that touch, and those of them that cannot move."""
        gaps, resting = self.contacts.gaps(time, state), state[self.layout.of_resting]
        free = self._free(state)
        found, still = [], []
        for bounce in self.contacts.bounces:
            k = bounce.which
            if k != hit and not resting[k] and abs(gaps[k]) > TOUCHING * self.dynamics.length:
                continue
            one = self._answered(time, free, bounce, float(resting[k]) or bounce.free_side(time, free))
            if one.normal.movable:
                found.append(one)
            else:
                still.append(bounce)
        if len(found) > MOST:
            last = found[-1].bounce.event.name
            raise ModelError(
                f"{len(found)} rigid contacts with friction touch at once at t = {time:.6g} s, '{last}' among them; "
                f"{MOST} are possible. Give some of them a stiffness, or leave out those that others imply."
            )
        return found, still

    def _answered(self, time: float, free: np.ndarray, bounce: Bounce, side: float) -> Touching:
        """A contact with its responses, if nothing rests."""
        rub = self._of.get(bounce.event.name, -1)
        slide = self.contacts.response(time, free, self.contacts.count + rub, 1.0) if rub >= 0 else None
        return Touching(bounce, rub, side, self.contacts.response(time, free, bounce.which, side), slide)

    def _strike(
        self, time: float, found: np.ndarray, touching: list[Touching]
    ) -> tuple[np.ndarray, str, list[Touching]]:
        """The state after the impact if nothing rests, what decides on it, and the contacts that were hit."""
        state, resting = self._free(found), found[self.layout.of_resting]
        loose = [i for i, one in enumerate(touching) if not resting[one.bounce.which]]
        v = state[self.layout.of_v]
        g, x, w = _matrices(touching, len(v))
        before = g @ v
        least = SLOW * self._speeds(time, state, g[::2])
        coming = [i for i, one in enumerate(touching) if before[2 * i] < -least[i]]
        if not coming:
            return state, "", []
        restitution = [one.bounce.restitution for one in touching]
        impulses, law = self._impulses(w, before, touching, coming, loose, restitution)
        speeds = (before + w @ impulses)[::2]
        slow = self._slowest(time, state, touching)
        lazy = [i for i in range(len(touching)) if abs(speeds[i]) <= slow[i] and restitution[i]]
        if lazy:
            for i in lazy:
                restitution[i] = 0.0
            impulses, _ = self._impulses(w, before, touching, coming, loose, restitution)
        after = state.copy()
        after[self.layout.of_v] = v + x.T @ impulses
        self._add_works(time, state, after, touching, before, before + w @ impulses, impulses)
        pushed = float(impulses @ (2.0 * before + w @ impulses))
        if 0.5 * pushed > GAIN * float(np.abs(impulses) @ np.abs(before)):
            law = "gain"
        return after, law, [touching[i] for i in coming]

    def _impulses(
        self,
        w: np.ndarray,
        before: np.ndarray,
        touching: list[Touching],
        coming: list[int],
        loose: list[int],
        restitution: list[float],
    ) -> tuple[np.ndarray, str]:
        """The impulses, and what decides on them (see `Occurrence`).

        Contacts that did not rest, and touch only to round-off, are hit one after the other. How often and in which
        order is round-off, too, unless all orders end alike.
        """
        mu = [self.rubs[one.rub].mu if one.rub >= 0 else 0.0 for one in touching]
        rub = self.rubs[touching[0].rub] if touching[0].rub >= 0 else None
        if len(touching) == 1 and rub is not None and rub.impact == "poisson":
            found = poisson_impact(w, before, mu[0], restitution[0])
            if found is not None:
                return found, ""
        laws = [self.rubs[one.rub].impact if one.rub >= 0 else "newton" for one in touching]
        if len(loose) > 1 and any(restitution[i] for i in loose) and set(laws) == {"newton"}:
            forth, back = (impact_sequence(w, before, mu, restitution, order) for order in (loose, loose[::-1]))
            if forth is not None and back is not None:
                alike = np.max(np.abs(w @ (forth - back))) <= SAME * np.max(np.abs(before))
                held = any(np.any(forth[2 * i : 2 * i + 2]) for i in range(len(touching)) if i not in loose)
                return forth, "order" if not alike else "law" if held else ""
        solutions = newton_impacts(w, before, mu, restitution)
        if not solutions:
            raise ModelError(
                f"The impact at '{touching[coming[0]].bounce.event.name}' has no solution with friction; use a "
                "smaller coefficient of friction (mu), or a stiffness instead of a restitution."
            )
        coupled = any(abs(w[2 * i, 2 * j]) > 1e-9 * w[2 * i, 2 * i] for i in coming for j in coming if i != j)
        undetermined = len(solutions) > 1 or (len(touching) > 1 and "poisson" in laws)
        together = coupled and any(restitution)
        if together and set(laws) == {"moreau"} and not undetermined:
            return solutions[0], "moreau"
        undetermined |= together
        others = any(np.any(solutions[0][2 * i : 2 * i + 2]) for i in range(len(touching)) if i not in coming)
        return solutions[0], "order" if undetermined else "law" if others or coupled else ""

    def _slowest(self, time: float, state: np.ndarray, touching: list[Touching]) -> list[float]:
        """The speeds below which the contacts come to rest, if they would fall back without any of them."""
        found = self._look(time, state)
        back = [-one.side * float(found[2 * one.bounce.which + 1]) for one in touching]
        scale = 2.0 * self.dynamics.length
        return [one.bounce.slow * math.sqrt(scale * max(a, 0.0)) for one, a in zip(touching, back, strict=True)]

    def _add_works(
        self,
        time: float,
        state: np.ndarray,
        after: np.ndarray,
        touching: list[Touching],
        before: np.ndarray,
        velocities: np.ndarray,
        impulses: np.ndarray,
    ) -> None:
        """Adds the work of each contact, ½ Λ·(γ⁺ + γ⁻), and of the motors."""
        works, names = after[self.layout.of_works], self.layout.works
        done = 0.5 * impulses * (before + velocities)
        multipliers = np.zeros(self.contacts.rows)
        for i, one in enumerate(touching):
            works[names.index(one.bounce.event.name)] += done[2 * i] + done[2 * i + 1]
            multipliers += impulses[2 * i] * one.normal.multipliers
            if one.slide is not None:
                multipliers += impulses[2 * i + 1] * one.slide.multipliers
        for owner, k, slip in self.contacts.driving_slips(time, state):
            works[names.index(owner)] += multipliers[k] * slip

    def _choose(
        self, time: float, state: np.ndarray, touching: list[Touching], still: set[int], wanted: dict[int, str]
    ) -> tuple[list[str], str]:
        """What each contact does from here on, and a doubt: "jam" if nothing is possible, "shares" if several things
        are because the contacts may share their load in several ways, of which each bears another friction.

        still    the numbers of those that do not slip now
        wanted   by the number of a bounce, what it does instead of sticking or resting, if it can
        """
        v = state[self.layout.of_v]
        g, _, w = _matrices(touching, len(v))
        velocities, least = g @ v, SLOW * self._speeds(time, state, g)
        options: list[tuple[str, ...]] = []
        for i, one in enumerate(touching):
            normal, slide = velocities[2 * i : 2 * i + 2]
            if normal > least[2 * i]:
                options.append(("opens",))
            elif one.rub < 0:
                options.append(("held", "opens"))
            elif one.rub not in still and abs(slide) > least[2 * i + 1]:
                options.append(("slips +" if slide > 0.0 else "slips -", "opens"))
            else:
                options.append(("sticks", "held", *SLIPS, "opens"))
            first = wanted.get(one.bounce.which)
            if first:
                options[-1] = (first, *(kind for kind in options[-1] if kind not in (first, "sticks")))
        likely: tuple[str, ...] | None = None
        lasting: tuple[tuple[str, ...], np.ndarray] | None = None
        several = self._share_unlike(touching, w)
        for kinds in product(*options):
            rows = [2 * i for i, kind in enumerate(kinds) if kind != "opens"]
            rows += [2 * i + 1 for i, kind in enumerate(kinds) if kind == "sticks"]
            if dependent(w, rows):
                continue
            tried = state.copy()
            for one, kind in zip(touching, kinds, strict=True):
                self._enter(state, tried, one, kind, struck=False)
            if self._lasts(time, tried, touching, kinds, options, w):
                if not several:
                    return list(kinds), ""
                force = float(self._look(time, tried)[-1]) / STICKS
                accelerations = self._accelerations.copy()
                size = force * max(one.normal.yields for one in touching)
                if lasting is None:
                    lasting = kinds, accelerations
                elif np.max(np.abs(accelerations - lasting[1])) > UNLIKE * size:
                    return list(lasting[0]), "shares"
            if likely is None and self._is_consistent(time, tried, touching, kinds, options, w):
                likely = kinds
        if lasting is not None:
            return list(lasting[0]), ""
        return (["opens"] * len(touching), "jam") if likely is None else (list(likely), "")

    def _share_unlike(self, touching: list[Touching], w: np.ndarray) -> bool:
        """Whether contacts whose pushes on the mechanism depend on each other have different coefficients of
        friction."""
        mu = {self.rubs[one.rub].mu if one.rub >= 0 else 0.0 for one in touching}
        return len(mu) > 1 and dependent(w, range(0, 2 * len(touching), 2))

    def _lasts(
        self,
        time: float,
        tried: np.ndarray,
        touching: list[Touching],
        kinds: tuple[str, ...],
        options: list[tuple[str, ...]],
        w: np.ndarray,
    ) -> bool:
        """Whether contacts can go on like this, and for some time: a force or acceleration that is zero, to round-off,
        must not decrease."""
        now = self._margins(time, tried, touching, kinds, options, w)
        if now is None or np.any(now[:, 0] < -now[:, 1]):
            return False
        zero = now[:, 0] <= now[:, 1]
        if not zero.any():
            return True
        ahead = self._ahead(time, tried, touching)
        later = self._margins(*ahead, touching, kinds, options, w)
        if later is None:
            return False
        return bool(np.all((later[:, 0] - now[:, 0] >= -np.maximum(later[:, 1], now[:, 1]))[zero]))

    def _is_consistent(
        self,
        time: float,
        tried: np.ndarray,
        touching: list[Touching],
        kinds: tuple[str, ...],
        options: list[tuple[str, ...]],
        w: np.ndarray,
    ) -> bool:
        """Whether contacts can go on like this at this time."""
        now = self._margins(time, tried, touching, kinds, options, w)
        return now is not None and bool(np.all(now[:, 0] >= -now[:, 1]))

    def _margins(
        self,
        time: float,
        tried: np.ndarray,
        touching: list[Touching],
        kinds: tuple[str, ...],
        options: list[tuple[str, ...]],
        w: np.ndarray,
    ) -> np.ndarray | None:
        """What must not be negative, N or m/s², and what of it is round-off, for contacts that go on like this:
        (margins, 2)."""
        found = self._look(time, tried)
        if not np.isfinite(found).all():
            return None
        small = 10.0 * float(found[-1])
        first, margins = 2 * self.contacts.count, list[tuple[float, float]]()
        for i, (one, kind) in enumerate(zip(touching, kinds, strict=True)):
            pressed, leaving = found[2 * one.bounce.which : 2 * one.bounce.which + 2] * (1.0, one.side)
            normal, along = small * w[2 * i, 2 * i], small * w[2 * i + 1, 2 * i + 1]
            if kind == "opens":
                if len(options[i]) > 1:
                    margins.append((leaving, normal))
                continue
            margins.append((pressed, small))
            if one.rub < 0:
                continue
            tangential, _, change = found[first + 3 * one.rub : first + 3 * one.rub + 3]
            if kind == "sticks":
                margins.append((self.rubs[one.rub].mu * pressed - abs(tangential), small))
            elif kind == "held":
                margins.append((-abs(change), along))
            elif len(options[i]) > 2:
                margins.append((SLIPS[kind] * change, along))
        return np.array(margins, float).reshape(-1, 2)

    def _ahead(
        self, time: float, state: np.ndarray, touching: list[Touching], share: float = AHEAD
    ) -> tuple[float, np.ndarray]:
        """The time and the state a moment later."""
        moment, layout = share * self._pace(time, state, touching), self.layout
        self._look(time, state)
        a, after = self._accelerations, state.copy()
        after[layout.of_q] += moment * (state[layout.of_v] + 0.5 * moment * a)
        after[layout.of_v] += moment * a
        return time + moment, after

    def _pace(self, time: float, state: np.ndarray, touching: list[Touching]) -> float:
        """The time in which the mechanism's length is passed, at its velocities and with its forces, s."""
        force = float(self._look(time, state)[-1]) / STICKS
        fastest = np.max(np.abs(state[self.layout.of_v]), initial=0.0)
        fastest += math.sqrt(2.0 * self.dynamics.length * force * max(one.normal.yields for one in touching))
        return float(self.dynamics.length / fastest) if fastest > 0.0 else 1.0

    def _enter(self, old: np.ndarray, state: np.ndarray, one: Touching, kind: str, struck: bool) -> list[str]:
        """Writes what a contact does into a state: the names of what happened, compared with the old one."""
        layout, name = self.layout, one.bounce.event.name
        place = layout.of_resting.start + one.bounce.which
        rested, rests = bool(old[place]), kind != "opens"
        state[place] = one.side if rests else 0.0
        names = [f"{name} rest"] if rests and not rested else [f"{name} release"] if rested and not rests else []
        if struck and not (rests and not rested):
            names.append(name)
        if one.rub >= 0:
            slip, stick = layout.of_slipping.start + one.rub, layout.of_sticking.start + one.rub
            state[slip], state[stick] = SLIPS.get(kind, 0.0), float(kind == "sticks")
            if rested and rests and (old[slip], old[stick]) != (state[slip], state[stick]):
                names.append(f"{name} {'slip' if kind in SLIPS else 'stick'}")
        return names

    def _certain(self, time: float, state: np.ndarray, one: Touching) -> float:
        """How long a contact that opens certainly stays open, s: until its gap exceeds round-off by its speed, by its
        acceleration or, if both are zero, by what this is a moment later."""
        place = 2 * one.bounce.which + 1
        speed = float(np.sum(one.normal.gradient * state[self.layout.of_v]))
        away = one.side * float(self._look(time, state)[place])
        way, moment = ROUND_OFF * self.dynamics.length, AHEAD * self._pace(time, state, [one])
        small = 10.0 * float(self._look(time, state)[-1]) * one.normal.yields
        still = speed <= SLOW * self._speeds(time, state, one.normal.gradient[None])[0]
        if still and away <= small:
            later = one.side * float(self._look(*self._ahead(time, state, [one]))[place])
            growing = (later - away) / moment  # m/s³
            return max(moment, (6.0 * way / growing) ** (1.0 / 3.0)) if later - away > small else moment
        times = [math.sqrt(2.0 * way / abs(away))] if abs(away) > small else []
        times += [way / speed] if not still else []
        times += [-0.5 * speed / away] if away < 0.0 < speed else []
        return min(times, default=0.0)

    def _begins(self, time: float, state: np.ndarray, one: Touching) -> float:
        """How long a slip certainly lasts that begins from rest, s; zero for others."""
        assert one.slide is not None
        gradient = one.slide.gradient
        if abs(float(np.sum(gradient * state[self.layout.of_v]))) > SLOW * self._speeds(time, state, gradient[None])[0]:
            return 0.0
        return AHEAD * self._pace(time, state, [one])

    def _held(self, time: float, state: np.ndarray, touching: list[Touching], kinds: list[str]) -> list[int]:
        """The triggers that only round-off can pull, because what rests and sticks holds a contact, here and nearby.

        They are the end of a slip of a contact that is at rest although its friction is as large as it can be, such as
        the second of two corners of a block that stands, and the touch of one without a force, such as its third
        corner.
        """
        found = self._look(time, state)
        first, small = 2 * self.contacts.count, 10.0 * float(found[-1])
        g, _, w = _matrices(touching, self.layout.nv)
        idle = np.abs(g @ state[self.layout.of_v]) <= SLOW * self._speeds(time, state, g)
        held = []
        for i, (one, kind) in enumerate(zip(touching, kinds, strict=True)):
            k = 2 * i + (kind in SLIPS)
            change = found[first + 3 * one.rub + 2] if kind in SLIPS else found[2 * one.bounce.which + 1]
            if (kind in SLIPS or kind == "opens") and idle[k] and abs(change) <= small * w[k, k]:
                held.append(k)
        tied = [2 * i for i, kind in enumerate(kinds) if kind != "opens"]
        tied += [2 * i + 1 for i, kind in enumerate(kinds) if kind == "sticks"]
        held = [k for k in held if dependent(w, [*tied, k])]
        if held:
            later, moved = self._ahead(time, state, touching, NEARBY)
            near = [self._answered(later, self._free(moved), one.bounce, one.side) for one in touching]
            _, _, w = _matrices(near, self.layout.nv)
        held = [k for k in held if dependent(w, [*tied, k])]
        return [self.first + touching[k // 2].rub if k % 2 else touching[k // 2].bounce.trigger for k in held]

    def _falls(self, time: float, state: np.ndarray) -> float:
        """The largest acceleration of a contact if nothing rests, m/s²."""
        found = self._look(time, self._free(state))[1 : 2 * self.contacts.count : 2]
        return float(np.max(np.abs(found), initial=0.0))

    def _speeds(self, time: float, state: np.ndarray, gradients: np.ndarray) -> np.ndarray:
        """Speeds that rows with these gradients may have: those of the mechanism, or after falling through its
        length."""
        fastest = np.max(np.abs(state[self.layout.of_v]), initial=0.0)
        fastest += math.sqrt(2.0 * self.dynamics.length * self._falls(time, state))
        return np.asarray(np.sum(np.abs(gradients), axis=1) * fastest)

    def _free(self, state: np.ndarray) -> np.ndarray:
        """The state if nothing rests."""
        free = state.copy()
        for part in (self.layout.of_resting, self.layout.of_sticking, self.layout.of_slipping):
            free[part] = 0.0
        return free

    def _look(self, time: float, state: np.ndarray) -> np.ndarray:
        """`resting.rubbing` at a state; its accelerations are kept."""
        count = 2 * self.contacts.count + 3 * len(self.rubs) + 1
        found = np.empty(count + self.layout.nv)
        given = np.concatenate([[time], state])
        self._rubbing(address(given), address(self.contacts.coefficients), address(found))
        self._accelerations = found[count:]
        return found[:count]


def _matrices(touching: list[Touching], velocities: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """G, the responses, and W: rows along the normal and the slide of each contact."""
    nothing = np.zeros(velocities)
    g, x = [], []
    for one in touching:
        g += [one.normal.gradient, nothing if one.slide is None else one.slide.gradient]
        x += [one.normal.x, nothing if one.slide is None else one.slide.x]
    first, second = np.array(g).reshape(-1, velocities), np.array(x).reshape(-1, velocities)
    return first, second, first @ second.T
