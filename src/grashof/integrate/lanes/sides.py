"""Whether runs in lanes stay on their side of singular positions, as native code.

Single runs are checked in Python (`singular.critical_points`). Here the same conditions are functions of the rows'
gradients before (J₀) and after (J₁) a step (`singular.sides`), and they are decided by the pivots of elimination
without row exchanges:

- If all pivots of J₁ J₀ᵀ are positive, det(J₁ J₀ᵀ) > 0: no singular position was passed, provided that no row has
  turned far. Where this is not certain, the step is divided into parts. With r redundant rows this is det(J₁ J₀ᵀ + ε
  D), whose part of lowest order in ε is the sum of all minors without r rows.
- Where branches touch, det(J₁ J₀ᵀ) may keep its sign. But it becomes very small compared with its largest value so far,
  at the latest in a part of the step.
- J Jᵀ − d² D has as many positive pivots as the rows, scaled to unit length, have singular values above d (Sylvester's
  law of inertia): all but those of redundant rows must exceed it. If this holds where steps become small, they do so
  for another reason. If it holds where the mechanism turns back, as judged by v·a, it does not do so next to a singular
  position.

D is the diagonal of the matrix itself: the squares of the rows' lengths in J Jᵀ, the products of each row before and
after the step in J₁ J₀ᵀ. What cannot be decided in this way needs attention, though it may be harmless.
"""

from __future__ import annotations

from grashof.integrate.approach import BEGIN
from grashof.integrate.collocation import TINY
from grashof.integrate.kernel import Kernel
from grashof.integrate.lanes.control import LaneControl
from grashof.integrate.lanes.observing import place, trust
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value
from grashof.singular.passages import INSIDE
from grashof.singular.sides import ALIKE, SQUARE, STRAIGHT
from grashof.singular.start_branches import NEARBY, ROUGHLY

LOW, VANISHES = 1e-4, 1e-10
"""Where branches touch, determinants may keep their sign, but vanish. A step is examined inside if the square of its
determinant is smaller than the first fraction of the largest one so far; a part of it may have passed a singular
position if its square is smaller than the second."""


def check_start(step: Step) -> None:
    """Computes the gradients where runs begin."""
    if step.space.gradients:
        step.call("gradients", step.start, step.gradients[0])


def check(k: Kernel, c: Record, step: Step, work: Array, h: Value) -> None:
    """Sets `event` where an accepted step may have passed a singular position."""
    if not step.space.gradients:
        return
    step.call("gradients", step.end, step.gradients[1])
    judge(k, step, step.gradients[0], step.gradients[1])
    square = step.margins[SQUARE]
    c.clear = k.math("maxnum", c.clear, square)
    with k.when(~(step.margins[STRAIGHT] > 0.0) | ~(square > LOW * c.clear)):
        c.event = 2
        k.call("examine", c, work, h)
    _check_turn(k, c, step, h)


def _check_turn(k: Kernel, c: Record, step: Step, h: Value) -> None:
    """Sets `event` where |v| has a minimum inside the step that may be next to a singular position; see `trust` for
    single runs."""
    ends = (step.start, step.slopes[0]), (step.end, step.slopes[-1])
    ways, sizes = [(*step.parts(x), rates) for x, rates in ends], step.sizes

    def update(i: Value, so_far: list[Value]) -> list[Value]:
        terms = [(r.at(sizes.own)[i], rates.at(sizes.own)[i]) for _, r, rates in ways]
        products = [x for v, a in terms for x in (v * v, v * a, a * a)]
        return [total + x for total, x in zip(so_far, products, strict=True)]

    vv0, va0, aa0, vv1, va1, aa1 = k.fold(sizes.nv, [k.constant(0.0)] * 6, update)
    with k.when(~(va0 * h > 0.0) & ~(va1 * h < 0.0)):
        later = vv1 < vv0
        (q0, r0, rates0), (q1, r1, rates1) = ways
        v0, v1, a0, a1 = (vector.at(sizes.own) for vector in (r0, r1, rates0, rates1))
        ahead = k.math("fabs", k.choose(later, va1, va0)) / k.math("maxnum", k.choose(later, aa1, aa0), TINY)
        ahead = k.math("copysign", k.math("minnum", ahead, k.math("fabs", h)), k.choose(later, h.negative(), h))
        q, r = step.parts(step.trial)

        def estimate(i: Value, most: list[Value]) -> list[Value]:
            v, a = k.choose(later, v1[i], v0[i]), k.choose(later, a1[i], a0[i])
            moved = ahead * v + (0.5 * ahead * ahead) * a
            q[i] = k.choose(later, q1[i], q0[i]) + moved
            return [k.math("maxnum", most[0], k.math("fabs", moved))]

        (moved,) = k.fold(sizes.direct, [k.constant(0.0)], estimate)
        step.trial[0] = k.choose(later, step.end[0], step.start[0]) + ahead
        k.copy(r1, r, sizes.rates)
        for i in k.each(sizes.own):
            r[i] = k.choose(later, r1[i], r0[i]) + ahead * k.choose(later, rates1[i], rates0[i])
        step.call("gradients", step.trial, step.gradients[2])
        judge_distance(k, step, step.gradients[2], NEARBY + ROUGHLY * moved / c.length)
        with k.when(~(step.margins[0] > 0.0)):
            c.event = 1


def keep(k: Kernel, step: Step) -> None:
    """Makes the gradients at the end those at the start of the next step."""
    if step.space.gradients:
        k.copy(step.gradients[1], step.gradients[0], step.space.gradients)


def examine_ir(space: Workspace) -> str:
    """`examine(control, work, h)`: clears `event` where no part of a step passes a singular position."""
    k = space.kernel("examine", internal=True)
    c, work, h = k.record("control", LaneControl), k.array("work"), k.number("h")
    step = Step(k, space, work)
    before, after, there, here = step.gradients
    with k.when(c.event.equals(2)):
        trust(k, c, step, work, h)
        c.event = 0
        k.copy(before, there, space.gradients)
        part = k.local(k.constant(1.0))
        for _ in k.count(k.constant(INSIDE - 1, "i64")):
            place(k, c, step, work, h, step.start[0] + h * part.value / float(INSIDE))
            step.call("gradients", step.inside, here)
            _notice(k, c, step, there, here)
            k.copy(here, there, space.gradients)
            part.value += 1.0
        _notice(k, c, step, there, after)
    return k.text()


def look_ir(space: Workspace) -> str:
    """`look(control, work)`: clears `fallen` where no singular position is near."""
    k = space.kernel("look")
    c = k.record("control", LaneControl)
    step = Step(k, space, k.array("work"))
    if space.gradients:
        with k.when(c.fallen.equals(1)):
            judge_distance(k, step, step.gradients[0], k.constant(BEGIN[0]))
            with k.when(step.margins[0] > 0.0):
                c.fallen, c.usual = 0, c.size
    return k.text()


def judge(k: Kernel, step: Step, before: Array, after: Array) -> None:
    """Sets `margins` to the outputs of `sides`."""
    k.call(step.function("sides"), before, after, step.margins)


def judge_distance(k: Kernel, step: Step, gradients: Array, distance: Value) -> None:
    """Makes the first of `margins` positive if all singular values exceed a distance, but for those of redundant
    rows."""
    step.margins[1] = distance
    k.call(step.function("far"), gradients, step.margins.at(1), step.margins)


def _notice(k: Kernel, c: Record, step: Step, before: Array, after: Array) -> None:
    judge(k, step, before, after)
    with k.when(~(step.margins[ALIKE] > 0.0) | ~(step.margins[SQUARE] > VANISHES * c.clear)):
        c.event = 1
