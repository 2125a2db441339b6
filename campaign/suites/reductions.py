"""Extremes and means that sweeps find, compared with closed forms and with solutions by SciPy, evaluated on fine grids.

Motors turn through up to 60 turns and oscillators swing up to 150 times in a run, so that evenly spaced samples would
miss most extremes; a soft floor is met for about a thousandth of a run; speeds jump at impacts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

import numpy as np
from scipy.integrate import solve_ivp

import grashof as gr
from campaign.structure import Array
from campaign.suite import Rng
from campaign.swept import ROWS, Course, SweptCases, SweptMechanism, Value, reduce_course
from grashof.model.mechanism import Mechanism

KINDS = ("max", "min", "peak", "mean")
G = 9.81


def _case(
    rng: Rng,
    what: str,
    model: Mechanism,
    vary: Mapping[str, Array],
    end: float,
    names: Sequence[str],
    course: object,
    scales: object,
) -> SweptMechanism:
    """A sweep of four reductions, each of a quantity drawn at random; `course(name, numbers)` is that quantity,
    `scales(name, numbers)` its unit."""
    outputs = list(dict.fromkeys(f"{rng.choice(KINDS)} {rng.choice(names)}" for _ in range(4)))

    def judge(numbers: Mapping[str, float], tol: float) -> Mapping[str, Value]:
        found: dict[str, Value] = {}
        for output in outputs:
            kind, name = output.split(" ", 1)
            value = reduce_course(course(name, numbers), kind)  # type: ignore[operator]
            found[output] = value, value, scales(name, numbers)  # type: ignore[operator]
        return found

    engine = str(rng.choice(["compiled", "compiled", "one by one"]))
    return SweptMechanism(what, model, vary, end, outputs, judge, engine)


def _component(solution: Callable[[Array], Array], place: int, t: Array) -> Array:
    return np.asarray(solution(t)[place])


def slider_cranks(rng: Rng) -> SweptMechanism:
    """x = r cos φ + √(ℓ² − r² sin² φ), φ = φ₀ + ωt."""
    r, length, speed, phase = rng.uniform(0.1, 0.3), rng.uniform(0.5, 1.0), rng.uniform(1.0, 20.0), rng.uniform(-3, 3)
    end = float(rng.uniform(0.05, 60.0) * 2.0 * np.pi / speed)
    m = gr.Mechanism("slider crank", gravity=(0.0, -G))
    crank, rod = m.bar("crank", length=r, mass=1.0), m.bar("rod", length=length, mass=0.5)
    m.revolute(m.ground.at(0.0, 0.0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0.0, 0.0), (1.0, 0.0)), rod.end)
    m.motor(crank, speed=speed)
    m.need(crank.angle, value=phase)
    vary = {"crank.length": rng.uniform(0.8, 1.2, ROWS) * r, "rod.length": rng.uniform(0.8, 1.2, ROWS) * length}

    def course(name: str, numbers: Mapping[str, float]) -> Course:
        r, length = numbers["crank.length"], numbers["rod.length"]

        def x(t: Array) -> Array:
            phi = phase + speed * t
            sine, cosine = np.sin(phi), np.cos(phi)
            root = np.sqrt(length**2 - (r * sine) ** 2)
            exact: dict[str, Array] = {
                "rod.end.x": r * cosine + root,
                "rod.end.x.rate": -speed * r * sine * (1.0 + r * cosine / root),
                "crank.end.y": r * sine,
                "crank.angle": phi,
            }
            return exact[name]

        return [(0.0, end, x)]

    def scales(name: str, numbers: Mapping[str, float]) -> float:
        return {"rod.end.x.rate": speed * numbers["crank.length"], "crank.angle": 1.0}.get(name, numbers["rod.length"])

    names = ["rod.end.x", "rod.end.x.rate", "crank.end.y", "crank.angle"]
    return _case(rng, f"{speed * end / 6.28:.2g} turns", m, vary, end, names, course, scales)


def oscillators(rng: Rng) -> SweptMechanism:
    """A mass on a spring: x = ℓ + a cos ωt + b sin ωt."""
    stiffness, x0, v0 = 10.0 ** rng.uniform(0.0, 4.0), rng.uniform(-0.4, 0.4), rng.normal()
    end = float(rng.uniform(0.05, 150.0) * 2.0 * np.pi / np.sqrt(stiffness))
    m = gr.Mechanism("oscillator")
    body = m.body("ball", mass=1.0, inertia=0.1, points={"p": (0, 0)}, position=(1.0 + x0, 0.0))
    m.prismatic(m.ground.at(0, 0), body.p, axis=(1, 0))
    m.spring(m.ground.at(0, 0), body.p, stiffness=stiffness, length=1.0, name="spring")
    m.need("ball.p.x", value=1.0 + x0, rate=v0)
    vary = {"ball.mass": rng.uniform(0.5, 2.0, ROWS), "spring.stiffness": rng.uniform(0.8, 1.2, ROWS) * stiffness}

    def course(name: str, numbers: Mapping[str, float]) -> Course:
        omega = np.sqrt(numbers["spring.stiffness"] / numbers["ball.mass"])

        def x(t: Array) -> Array:
            shift = x0 * np.cos(omega * t) + v0 / omega * np.sin(omega * t)
            rate = v0 * np.cos(omega * t) - x0 * omega * np.sin(omega * t)
            exact: dict[str, Array] = {
                "ball.p.x": 1.0 + shift,
                "ball.p.x.rate": rate,
                "kinetic": 0.5 * numbers["ball.mass"] * rate**2,
                "potential": 0.5 * numbers["spring.stiffness"] * shift**2,
            }
            return exact[name]

        return [(0.0, end, x)]

    def scales(name: str, numbers: Mapping[str, float]) -> float:
        omega = np.sqrt(numbers["spring.stiffness"] / numbers["ball.mass"])
        speed = float(np.hypot(x0 * omega, v0))
        return {"ball.p.x": 1.0, "ball.p.x.rate": speed}.get(name, 0.5 * numbers["ball.mass"] * speed**2)

    names = ["ball.p.x", "ball.p.x.rate", "kinetic", "potential"]
    return _case(rng, f"{end * np.sqrt(stiffness) / 6.28:.2g} swings", m, vary, end, names, course, scales)


def pendulums(rng: Rng) -> SweptMechanism:
    """θ̈ = −(3g/2ℓ) cos θ − (3c/mℓ²) θ̇, by SciPy's DOP853 at 1e-12."""
    angle, rate, friction = (
        rng.uniform(-1.5, 1.0),
        4.0 * rng.normal(),
        float(rng.choice([0.0, 10.0 ** rng.uniform(-2, 0)])),
    )
    end = float(rng.uniform(0.3, 15.0))
    m = gr.Mechanism("pendulum", gravity=(0.0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.torque(rod, f"-{friction!r}*rod.angle.rate", name="drag")
    m.need(rod.angle, value=angle, rate=rate)
    vary = {"rod.length": rng.uniform(0.6, 1.5, ROWS), "rod.mass": rng.uniform(0.5, 2.0, ROWS)}

    @lru_cache(maxsize=1)
    def solution(length: float, mass: float) -> Callable[[Array], Array]:
        def slope(_: float, y: Array) -> list[float]:
            drag = 3.0 * friction / (mass * length**2) * y[1]
            return [y[1], -1.5 * G / length * np.cos(y[0]) - drag]

        start = [angle, rate]
        return solve_ivp(slope, (0.0, end), start, "DOP853", rtol=1e-12, atol=1e-13, dense_output=True).sol  # type: ignore[no-any-return]

    def course(name: str, numbers: Mapping[str, float]) -> Course:
        length, mass = numbers["rod.length"], numbers["rod.mass"]

        def x(t: Array) -> Array:
            theta, omega = solution(length, mass)(t)
            exact: dict[str, Array] = {
                "rod.angle": theta,
                "rod.angle.rate": omega,
                "rod.end.y": length * np.sin(theta),
                "rod.end.x.rate": -length * omega * np.sin(theta),
                "kinetic": mass * length**2 * omega**2 / 6.0,
            }
            return exact[name]

        return [(0.0, end, x)]

    def scales(name: str, numbers: Mapping[str, float]) -> float:
        length, mass = numbers["rod.length"], numbers["rod.mass"]
        fastest = float(np.sqrt(rate**2 + 6.0 * G / length))
        known = {"rod.angle": 1.0, "rod.angle.rate": fastest, "rod.end.y": length, "rod.end.x.rate": length * fastest}
        return known.get(name, mass * length**2 * fastest**2 / 6.0)

    names = ["rod.angle", "rod.angle.rate", "rod.end.y", "rod.end.x.rate", "kinetic"]
    return _case(rng, f"{end:.2g} s{', damped' if friction else ''}", m, vary, end, names, course, scales)


def bouncing_balls(rng: Rng) -> SweptMechanism:
    """Parabolas between impacts, at which the speed is multiplied by −e."""
    back, end = float(rng.uniform(0.8, 0.97)), float(rng.uniform(0.1, 1.7))  # before it comes to rest
    m = gr.Mechanism("ball", gravity=(0.0, -G))
    ball = m.body("ball", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0, 1.0))
    m.prismatic(m.ground.at(0, 0), ball.o, axis=(0, 1))
    m.need("ball.o.y", value=1.0, rate=float(rng.normal()))
    m.stop("ball.o.y", lower=0.0, restitution=back, name="floor")
    vary = {"start.ball.o.y": rng.uniform(0.5, 2.0, ROWS), "start.ball.o.y.rate": rng.normal(size=ROWS)}

    def course(name: str, numbers: Mapping[str, float]) -> Course:
        t, y, v = 0.0, numbers["start.ball.o.y"], numbers["start.ball.o.y.rate"]
        pieces = []
        while t < end:
            until = min(end, t + (v + np.sqrt(v * v + 2.0 * G * y)) / G)

            def x(time: Array, t: float = t, y: float = y, v: float = v) -> Array:
                s = time - t
                return np.asarray(y + v * s - 0.5 * G * s * s if name == "ball.o.y" else v - G * s)

            pieces.append((t, until, x))
            t, y, v = until, 0.0, -back * (v - G * (until - t))
        return pieces

    def scales(name: str, numbers: Mapping[str, float]) -> float:
        speed = float(np.sqrt(numbers["start.ball.o.y.rate"] ** 2 + 2.0 * G * numbers["start.ball.o.y"]))
        return 1.0 if name == "ball.o.y" else speed

    case = _case(rng, f"restitution {back:.2f}", m, vary, end, ["ball.o.y", "ball.o.y.rate"], course, scales)
    return SweptMechanism(case.what, case.model, case.vary, end, case.outputs, case.judge, "one by one")


def soft_floors(rng: Rng) -> SweptMechanism:
    """A fall onto k d^1.5, by SciPy's DOP853 at 1e-12, restarted where the contact begins and ends."""
    stiffness, end = 10.0 ** rng.uniform(4.5, 7.0), float(rng.uniform(0.6, 2.0))
    m = gr.Mechanism("drop", gravity=(0.0, -G))
    b = m.body("b", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0, 1.0))
    m.prismatic(m.ground.at(0, 0), b.o, axis=(0, 1))
    m.need("b.o.y", value=1.0, rate=0.0)
    m.stop("b.o.y", lower=0.0, stiffness=stiffness, exponent=1.5, name="floor")
    vary = {"start.b.o.y": rng.uniform(0.3, 1.5, ROWS), "b.mass": rng.uniform(0.5, 2.0, ROWS)}

    @lru_cache(maxsize=1)
    def solution(mass: float, height: float) -> list[tuple[float, float, Callable[[Array], Array]]]:
        pieces, t, y, inside = [], 0.0, [height, 0.0], False

        def touches(_: float, y: Array) -> float:
            return float(y[0])

        touches.terminal = True  # type: ignore[attr-defined]
        while t < end:
            touches.direction = 1.0 if inside else -1.0  # type: ignore[attr-defined]
            push = stiffness / mass if inside else 0.0
            found = solve_ivp(
                lambda _, y, push=push: [y[1], push * max(-y[0], 0.0) ** 1.5 - G],
                (t, end),
                y,
                "DOP853",
                rtol=1e-12,
                atol=1e-13,
                events=touches,
                dense_output=True,
            )
            pieces.append((t, float(found.t[-1]), found.sol))
            t, y, inside = float(found.t[-1]), [0.0, float(found.y[1, -1])], not inside
        return pieces

    def course(name: str, numbers: Mapping[str, float]) -> Course:
        place = 0 if name == "b.o.y" else 1
        pieces = solution(numbers["b.mass"], numbers["start.b.o.y"])
        return [(begin, end, partial(_component, sol, place)) for begin, end, sol in pieces]

    def scales(name: str, numbers: Mapping[str, float]) -> float:
        return 1.0 if name == "b.o.y" else float(np.sqrt(2.0 * G * numbers["start.b.o.y"]))

    case = _case(rng, f"stiffness {stiffness:.1e}", m, vary, end, ["b.o.y", "b.o.y.rate"], course, scales)
    return SweptMechanism(case.what, case.model, case.vary, end, case.outputs, case.judge, "one by one")


SUITE = SweptCases(
    "reductions-of-sweeps",
    {
        "slider cranks": slider_cranks,
        "oscillators": oscillators,
        "pendulums": pendulums,
        "bouncing balls": bouncing_balls,
        "soft floors": soft_floors,
    },
)
