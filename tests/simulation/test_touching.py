"""Branches of motion that touch, and cusps: two Watt linkages whose midpoints are joined by a bar (Connelly and
Servatius, 1994).

With the heights s and s + a of the midpoints, the positions of linkages of the same hand satisfy a = 0 or a = f(s), and
f and its first three derivatives vanish at s = 0: no velocity tells the branches apart there. With linkages of opposite
hands the positions form a curve with a cusp.
"""

import numpy as np
import pytest

import grashof as gr

ARM, HALF, APART = 1.0, 0.5, 1.5


def watt(s: float, x: float, hand: float) -> list[np.ndarray]:
    """Pivots and ends of the arms of a Watt linkage whose midpoint has the height s, by Newton's method."""
    pivots = np.array([[x - hand * ARM, HALF], [x + hand * ARM, -HALF]])
    turned = hand * np.array([s, -s])

    def ends(turned: np.ndarray) -> np.ndarray:
        arms = hand * ARM * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        return pivots + np.array([[1.0], [-1.0]]) * arms

    def errors(turned: np.ndarray) -> np.ndarray:
        p, q = ends(turned)
        return np.array([(p - q) @ (p - q) - 4.0 * HALF**2, 0.5 * (p[1] + q[1]) - s])

    for _ in range(6):
        slopes = np.stack([errors(turned + 1e-7 * way) - errors(turned - 1e-7 * way) for way in np.eye(2)], axis=1)
        turned = turned - np.linalg.solve(slopes / 2e-7, errors(turned))
    return [*pivots, *ends(turned)]


def middle(linkage: list[np.ndarray]) -> np.ndarray:
    return 0.5 * (linkage[2] + linkage[3])


def mismatch(s: float, a: float, hand: float) -> float:
    way = middle(watt(s + a, APART, hand)) - middle(watt(s, 0.0, 1.0))
    return float(way @ way) - APART**2


def other_root(s: float, hand: float, low: float, high: float) -> float:
    """a ≠ 0 with no mismatch; for linkages of the same hand, a = 0 is divided out."""

    def left(a: float) -> float:
        return mismatch(s, a, hand) / (a if hand > 0.0 else 1.0)

    assert left(low) * left(high) < 0.0
    for _ in range(40):
        half = 0.5 * (low + high)
        low, high = (half, high) if left(low) * left(half) > 0.0 else (low, half)
    return half


def joined(
    hand: float,
    s: float,
    a: float,
    rate: float | None,
    gravity: float = 0.0,
    *,
    cart: bool = False,
    pendulum: bool = False,
) -> gr.Mechanism:
    """The linkages, on the ground or on a cart, with a rate of the first arm; None if a motor is to move it. A
    pendulum may hang on them."""
    m = gr.Mechanism("two Watt linkages", gravity=(0, -gravity))
    base = m.ground
    if cart:
        base = m.body("cart", mass=5, inertia=1, position=(0, 0), angle=0)
        m.prismatic(m.ground.at(0, 0), base.at(0, 0, name="G"), axis=(1, 0))
        m.need("cart.G.x", rate=0.4)
    linkages = [watt(s, 0.0, 1.0), watt(s + a, APART, hand)]
    middles = []
    for k, (pivot_a, pivot_b, p, q) in enumerate(linkages):
        a_, b_ = (
            m.bar(f"a{k}", start=tuple(pivot_a), end=tuple(p), mass=1),
            m.bar(f"b{k}", start=tuple(pivot_b), end=tuple(q), mass=1),
        )
        c = m.bar(f"c{k}", start=tuple(q), end=tuple(p), mass=1)
        m.revolute(base.at(*pivot_a), a_.start)
        m.revolute(base.at(*pivot_b), b_.start)
        m.revolute(a_.end, c.end)
        m.revolute(b_.end, c.start)
        middles.append(c.at(float(np.linalg.norm(p - q)) / 2, 0, name="M"))
    link = m.bar("link", start=tuple(middle(linkages[0])), end=tuple(middle(linkages[1])), mass=1)
    m.revolute(link.start, middles[0])
    m.revolute(link.end, middles[1])
    if pendulum:
        top = middle(linkages[0])
        hung = m.bar("pendulum", start=tuple(top), end=tuple(top + np.array([0.3, -0.6])), mass=0.5)
        m.revolute(link.start, hung.start)
        m.need("pendulum.angle", rate=0.7)
    if rate is not None:
        m.need("a0.angle", rate=rate)
    return m


START = other_root(0.35, 1.0, -0.2, -1e-3)


@pytest.fixture(scope="module")
def touching() -> gr.Mechanism:
    return joined(1.0, 0.35, START, -1.1)


@pytest.mark.parametrize(("tol", "method"), [(1e-2, "auto"), (1e-6, "auto"), (1e-3, "rk4")])
def test_a_mechanism_stays_on_its_branch_where_another_touches_it(
    touching: gr.Mechanism, tol: float, method: str
) -> None:
    run = gr.simulate(touching, 0.75, tol=tol, method=method, times=200)
    assert run.status.ok, str(run.status)
    s, a = run["c0.M.y"], run["c1.M.y"] - run["c0.M.y"]
    assert s[-1] < -0.2
    assert a[-1] == pytest.approx(other_root(s[-1], 1.0, -0.15, -1e-3), abs=max(tol, 1e-5))
    assert np.ptp(run["energy"]) < tol * run["energy"][0]


def test_it_does_so_with_another_body_that_is_free_to_move() -> None:
    run = gr.simulate(joined(1.0, 0.35, START, -1.1, gravity=0.3, pendulum=True), 0.6, tol=1e-2, times=9)
    assert run.status.ok, str(run.status)
    s, a = run["c0.M.y"], run["c1.M.y"] - run["c0.M.y"]
    assert s[-1] < -0.2
    assert a[-1] == pytest.approx(other_root(s[-1], 1.0, -0.15, -1e-3), abs=1e-5)
    assert np.ptp(run["energy"]) < 1e-3 * np.max(run["kinetic"])


def test_it_does_so_if_a_motor_moves_it() -> None:
    """The work of the motor is what the energies and the pendulum gain."""
    m = joined(1.0, 0.35, START, None, gravity=0.3, pendulum=True)
    arm = np.subtract(*watt(0.35, 0.0, 1.0)[2::-2])
    m.motor("a0.angle", angle=f"{float(np.arctan2(arm[1], arm[0]))!r} - 0.9*t")
    run = gr.simulate(m, 0.6, tol=1e-4, times=9)
    assert run.status.ok, str(run.status)
    s, a = run["c0.M.y"], run["c1.M.y"] - run["c0.M.y"]
    assert s[-1] < -0.15
    assert a[-1] == pytest.approx(other_root(s[-1], 1.0, -0.15, -1e-3), abs=1e-5)
    assert run["work.motor a0.angle"] == pytest.approx(run["energy"] - run["energy"][0], abs=1e-4)


def test_a_linkage_on_a_cart_is_undecided_where_branches_touch() -> None:
    """Its positions form a surface there, not a curve."""
    run = gr.simulate(joined(1.0, 0.35, START, -1.1, cart=True), 0.6, tol=1e-2, times=9)
    assert run.status.code.name == "UNDECIDED"
    assert 0.2 < run.status.time < 0.45
    before = gr.simulate(joined(1.0, 0.35, START, -1.1, cart=True), 0.2, tol=1e-2, times=9)
    assert before.status.ok, str(before.status)


def test_a_row_of_a_sweep_stays_on_its_branch_too() -> None:
    m = joined(1.0, 0.35, START, -1.1, gravity=0.3, pendulum=True)
    table = gr.sweep(m, {"gravity.y": [-0.3, -0.2]}, 0.6, outputs=["c0.M.y at end", "c1.M.y at end"], tol=1e-2)
    for s, other in zip(table["c0.M.y at end"], table["c1.M.y at end"], strict=True):
        assert other - s == pytest.approx(other_root(s, 1.0, -0.15, -1e-3), abs=1e-5)


def test_a_mechanism_that_reaches_a_cusp_stops_there() -> None:
    a = other_root(0.35, -1.0, -0.2, -0.01)
    run = gr.simulate(joined(-1.0, 0.35, a, -1.1), 1.0, times=400)
    assert run.status.ended.name == "CONSTRAINTS_UNMET"
    assert "cusp" in str(run.status)
    assert 0.0 < run["c0.M.y"][-1] < 0.03
    # without forces the kinetic energy is constant up to there
    assert np.ptp(run["energy"]) < 1e-6 * run["energy"][0]


@pytest.mark.parametrize("s", [0.08, -0.12])
def test_velocities_at_a_start_near_touching_branches_satisfy_the_joints(s: float) -> None:
    """On the branch a = 0 both linkages move alike. An error of J v counts 10,000-fold in the velocities there."""
    run = gr.simulate(joined(1.0, s, 0.0, -2.0), 1e-3, times=2)
    assert abs(run["a1.angle.rate"][0] - run["a0.angle.rate"][0]) < 1e-9
