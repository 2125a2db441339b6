"""Continuation of a mechanism whose motors leave it no freedom, from one position to the next.

    Φ(t, q) = 0,        J v = −Φ_t,        J a = γ        determine q, v and a at every time.

From each position the next one is predicted, q + h v + ½ h² a, and corrected by Newton's method. The size of the
correction controls the step: it stays so small, compared with the step and with the mechanism, that the branch is not
lost. If a singular value of J has changed its sign in a step, the step has crossed a singular position: then smaller
steps are tried, which find the motion that turns back before it. Only if there is none was the position met; then the
smooth continuation is taken, and the status says that the motion is undecided. If steps become too small for another
reason, the motors cannot pass.
"""

from __future__ import annotations

import numpy as np

from grashof.common.progress import Part, Progress
from grashof.common.status import Code, Status
from grashof.common.wording import quote_first
from grashof.integrate import Counters, Steps
from grashof.model.model import Model
from grashof.program import Program
from grashof.questions.equations import QuestionEquations, turned_over
from grashof.questions.movements import moved_bodies, named_bodies
from grashof.scalar.jet import Jet
from grashof.simulation.task import Task

Array = np.ndarray

NEAR = 1e-3
"""Largest distance of a position from its prediction, in lengths of the mechanism, …"""

PART = 0.05
"""… and as a fraction of the step. Velocities may differ from their prediction by ten times as much."""

CLOSED = 1e-11
"""Joints and motors hold if no equation has a larger error, in lengths of the mechanism."""

FEWEST = 100
"""Smallest number of steps of a motion."""

SMALLEST = 1e-12
"""Smallest step, as a fraction of the whole time."""

SINGULAR = 1e-2
"""If the smallest singular value of J (with rows of unit length) is below this, the motors hardly determine some
direction."""

WORKED, DIVIDED = 1e-11, 16
"""Largest difference of two quadratures of the work in a step, as a fraction of all work done; else the step is
divided, into at most this many."""

ROUND_OFF = 1e-13
"""Rounding error of works, relative to the largest work that the forces could do at these speeds."""

_GAUSS = np.polynomial.legendre.leggauss(5)
NODES, WEIGHTS = 0.5 + 0.5 * _GAUSS[0], 0.5 * _GAUSS[1]
"""Nodes and weights of Gauss's quadrature on 0 … 1, for works."""


_FINE = np.polynomial.legendre.leggauss(12)
FINE_NODES, FINE_WEIGHTS = 0.5 + 0.5 * _FINE[0], 0.5 * _FINE[1]
"""The same for the travel in a step of motors whose speed is given."""


class MotionContinuation:
    """The motion of a program that has no freedom, at its steps and between them."""

    def __init__(self, program: Program, task: Task) -> None:
        self.program, self.task = program, task
        self.integrator, self.length = program.integrator, program.system.length
        self.layout = layout = program.dynamics.layout
        self.works = len(layout.works)
        places = dict(zip(layout.angles, range(layout.of_angles.start, layout.of_angles.stop), strict=True))
        self.integrated = {places[name]: motor for motor in program.model.motors for name in motor.integrates}
        self.rejected = self.evaluations = 0
        self.equations = QuestionEquations(program.dynamics)
        # steps made before it, and the step across a singular position that was not made
        self.across: tuple[int, float, Array, Array] | None = None
        self.met: list[float] = []  # when singular positions were met, s
        begin = program.assembly.time
        y, rates, _ = self._place(begin, program.y0)
        self.t, self.y, self.rates = [begin], [y], [rates]

    def run(self, progress: Progress) -> Steps:
        """All steps to the end, or to the position that the motors cannot pass."""
        begin, end = self.t[0], self.task.t_end
        ended, where = Code.SUCCESS, ""
        step = (end - begin) / (10.0 * FEWEST)
        breaks = [stop for stop in self.task.pace.stops if begin < stop[0] and stop[1] < end]
        for goal, after in [*breaks, (end, end)]:
            step = self._walk(goal, step, progress)
            if self.t[-1] < goal or (after > goal and not self._take(after - goal)):
                ended, where = Code.CONSTRAINTS_UNMET, self._in_the_way()
                break
        self._do_work()
        if self.met and ended is Code.SUCCESS:
            status = Status(ended, self.met[0], end, self._met_in_words(), Code.UNDECIDED)
        else:
            status = Status(ended, self.t[-1], end, where)
        counters = Counters(len(self.t) - 1, 0, 0, self.rejected, self.evaluations, self.evaluations)
        return Steps(np.array(self.t), np.array(self.y), status, counters, 0.0)

    def sample(self, times: Array) -> tuple[Array, Array]:
        """States and rates at any times of the run."""
        steps = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, max(len(self.t) - 2, 0))
        states, rates = np.empty((len(times), len(self.y[0]))), np.empty((len(times), len(self.rates[0])))
        for i, (t, k) in enumerate(zip(times.tolist(), steps.tolist(), strict=True)):
            known = k if t == self.t[k] else k + 1 if k + 1 < len(self.t) and t == self.t[k + 1] else None
            if known is not None:
                states[i], rates[i] = self.y[known], self.rates[known]
                continue
            states[i], rates[i] = self._between(k, t)
            if self.works:
                states[i, -self.works :] = self.y[k][-self.works :] + self._work(k, self.t[k], t)
        return states, rates

    # -- one step

    def _walk(self, goal: float, step: float, progress: Progress) -> float:
        """Steps up to a time; the step that may follow."""
        begin, end = self.program.assembly.time, self.task.t_end
        longest = min(self.task.pace.longest, (end - begin) / FEWEST)
        while self.t[-1] < goal:
            left = goal - self.t[-1]
            step = min(step, longest)
            # the last step must not be tiny
            h = left if step >= left else 0.5 * left if step > 0.7 * left else step
            grown = self._take(h)
            if grown:
                if h == left:
                    self.t[-1] = goal
                step = grown * h
                progress(Part((self.t[-1] - begin) / (end - begin), "following the motors"))
            else:
                self.rejected += 1
                step = 0.4 * h
                if step < SMALLEST * (end - begin):
                    if self.across is None:
                        break
                    step = self._cross()
        return step

    def _cross(self) -> float:
        """Takes the step across a singular position after all; the step that may follow."""
        assert self.across is not None
        count, t, y, rates = self.across
        self.met.append(self.t[-1])
        del self.t[count:], self.y[count:], self.rates[count:]
        step = t - self.t[-1]
        self._append(t, y, rates)
        return step

    def _append(self, t: float, y: Array, rates: Array) -> None:
        self.t.append(t)
        self.y.append(y)
        self.rates.append(rates)
        if self.across is not None and t >= self.across[1]:
            self.across = None

    def _take(self, h: float) -> float:
        """Makes a step if it stays on the branch; returns the factor by which the next one may be longer, or 0 if it
        was not made."""
        of_q, of_v, of_e, of_a = self.layout.of_q, self.layout.of_v, self.layout.of_e, self.layout.of_a
        t, y, rates = self.t[-1], self.y[-1], self.rates[-1]
        q, v, a = y[of_q], y[of_v], rates[of_a]
        guess = np.concatenate([q + h * (v + 0.5 * h * a), v + h * a, y[of_e] + h * rates[of_a.stop :]])
        self._travel(guess, y, t, t + h)
        new, new_rates, gap = self._place(t + h, guess)
        way, off = float(np.max(np.abs(new[of_q] - q))), float(np.max(np.abs(new[of_q] - guess[of_q])))
        turned = h * float(np.max(np.abs(new[of_v] - guess[of_v])))
        allowed = min(NEAR, PART * way / self.length + 1e-9) * self.length
        if not (gap <= CLOSED * self.length and off <= allowed and turned <= 10.0 * allowed):
            return 0.0
        if self._turns_over(t, y, t + h, new):
            self.across = self.across or (len(self.t), t + h, new, new_rates)
            return 0.0
        self._append(t + h, new, new_rates)
        return float(min(2.0, 0.9 * (allowed / max(off, 0.1 * turned, 1e-300)) ** (1.0 / 3.0)))

    def _travel(self, guess: Array, y: Array, begin: float, end: float) -> None:
        """Inserts the positions of motors whose speed is given, integrated from the state y: steps end at kinks, so
        one quadrature is accurate enough."""
        for place, motor in self.integrated.items():
            rates = motor.value(Jet(begin + (end - begin) * FINE_NODES, 1.0, 0.0)).first
            guess[place] = y[place] + (end - begin) * float(np.sum(FINE_WEIGHTS * rates))

    def _turns_over(self, t: float, y: Array, later: float, new: Array) -> bool:
        """Whether a singular value of J has changed its sign in the step."""
        if not self.program.dynamics.rows.closed:
            return False
        places = ((t, y), (later, new))
        return turned_over(*(self.equations.unit_rows(at, *self._place_of(x)) for at, x in places))

    def _place_of(self, y: Array) -> tuple[Array, Array]:
        """Coordinates and tracked angles of a state."""
        return y[self.layout.of_q], y[self.layout.of_angles]

    def _place(self, t: float, guess: Array) -> tuple[Array, Array, float]:
        """The state at a time near a guessed one, its rates, and the largest error of joints and motors, m."""
        y, gap = self._project(t, guess, guess)
        for _ in range(6):
            self.evaluations += 1
            if not gap > 1e-3 * CLOSED * self.length:
                break
            better, left = self._project(t, y, guess)
            if not left < gap:
                break
            y, gap = better, left
        rates = self.integrator.derivative(t, y)
        finite = bool(np.all(np.isfinite(y)) and np.all(np.isfinite(rates)))
        return y, rates, gap if finite else np.inf

    def _project(self, t: float, y: Array, guess: Array) -> tuple[Array, float]:
        """A state projected onto the constraints, with motors of given speed kept in place, and its largest error,
        m."""
        found, gap = self.integrator.project(t, y)
        for place in self.integrated:
            found[place] = guess[place]
        return found, gap

    # -- between steps

    def _between(self, k: int, t: float) -> tuple[Array, Array]:
        """State and rates by the quintic polynomial through both ends with their velocities and accelerations, then
        corrected."""
        layout, h = self.layout, self.t[k + 1] - self.t[k]
        s = (t - self.t[k]) / h
        first, last = ((self.y[i][layout.of_q], self.y[i][layout.of_v], self.rates[i][layout.of_a]) for i in (k, k + 1))
        guess = self.y[k] + s * (self.y[k + 1] - self.y[k])
        guess[layout.of_q] = _hermite(s, h, first, last)
        self._travel(guess, self.y[k], self.t[k], t)
        y, rates, _ = self._place(t, guess)
        return y, rates

    def _work(self, k: int, begin: float, end: float) -> Array:
        """The works between two times of a step, J."""
        h = end - begin
        powers = [self._between(k, begin + h * node)[1][-self.works :] for node in NODES]
        return np.asarray(h * (WEIGHTS @ np.array(powers)))

    def _do_work(self) -> None:
        """Sums the works, step by step. Steps in which powers change too fast for the quadrature are divided."""
        if not self.works:
            return
        powers = np.abs([rates[-self.works :] for rates in self.rates])
        scale, size = float(np.max(np.diff(self.t) @ (powers[:-1] + powers[1:]), initial=0.0)), self._size()
        allowed = WORKED * scale + ROUND_OFF * size if size else np.inf
        k, shortest = 0, dict(zip(self.t[1:], (np.diff(self.t) / DIVIDED).tolist(), strict=True))
        while k < len(self.t) - 1:
            begin, end = self.t[k], self.t[k + 1]
            middle = 0.5 * (begin + end)
            done = self._work(k, begin, middle) + self._work(k, middle, end)
            off = float(np.max(np.abs(done - self._work(k, begin, end))))
            if off > allowed and end - begin > shortest[end]:
                shortest[middle] = shortest[end]
                y, rates = self._between(k, middle)
                self.t.insert(k + 1, middle)
                self.y.insert(k + 1, y)
                self.rates.insert(k + 1, rates)
                continue
            self.y[k + 1][-self.works :] = self.y[k][-self.works :] + done
            k += 1

    def _size(self) -> float:
        """An estimate of the work that all forces could do together if they acted along the motion, J."""
        layout, dynamics = self.layout, self.program.dynamics
        loads = dynamics.forces(dynamics.state([self.t[0], *self.y[0].tolist()]))
        accelerations = np.array([rates[layout.of_a] for rates in self.rates])
        inertia = accelerations @ self.equations.mass(self.y[0][layout.of_q])
        force = max(max(map(abs, loads)), float(np.max(np.abs(inertia))))
        return float(force * np.max(np.abs([y[layout.of_v] for y in self.y])) * (self.t[-1] - self.t[0]))

    # -- explanations

    def _in_the_way(self) -> str:
        _, s, vt = np.linalg.svd(self.equations.unit_rows(self.t[-1], *self._place_of(self.y[-1])))
        names = motors_in_words(self.program.model)
        if len(s) < self.layout.nv or s[self.layout.nv - 1] < SINGULAR:
            free = named_bodies(moved_bodies(self.program.system, vt[-1]))
            return (
                f"This is a dead centre, which the {names} cannot pass: with the motors held, the mechanism can "
                f"still move there ({free})."
            )
        return f"The {names} may require a jump there, or a position that the joints cannot reach."

    def _met_in_words(self) -> str:
        times = ", ".join(f"{t:.6g}" for t in self.met[:5]) + (" and so on" if len(self.met) > 5 else "")
        return f"Singular positions were met at t = {times} s; beyond each, the smooth continuation was taken."


def motors_in_words(model: Model) -> str:
    """The motors of a mechanism by their names."""
    names = [motor.name for motor in model.motors]
    return f"motor{'s' * (len(names) > 1)} {quote_first(names)}" if names else "no motors"


def _hermite(s: float, h: float, first: tuple[Array, Array, Array], last: tuple[Array, Array, Array]) -> Array:
    """The polynomial of degree 5 with these values, slopes and curvatures at s = 0 and 1."""
    (q0, v0, a0), (q1, v1, a1) = first, last
    v0, v1, a0, a1 = h * v0, h * v1, h * h * a0, h * h * a1
    d = q1 - q0 - v0 - 0.5 * a0
    e = v1 - v0 - a0
    f = a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
    return np.asarray(q0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5)))))
