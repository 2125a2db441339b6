"""Five-bar linkage with two springs, in a vertical plane: two degrees of freedom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.precise.bars import Bars, End, Spring, small_motion
from grashof.problems.linear import LinearCase, SmallMotion

PLACES = {"A": ("0", "0"), "B": ("1", "0"), "C": ("-1", "-1"), "D": ("0.5", "-2"), "E": ("2", "-1")}
BARS = (("A", "C"), ("C", "D"), ("D", "E"), ("E", "B"))
SPRINGS = (("B", "C"), ("B", "D"))
DATA = {"g": "9.81", "m_AC": "1", "m_CD": "1.5", "m_DE": "1.5", "m_EB": "1", "stiffness": "100", "force": "24.525"} | {
    f"{axis}_{name}": text for name, place in PLACES.items() for axis, text in zip("xy", place, strict=True)
}
"""Masses of the bars [kg], springs [N/m], the force on D upwards [N], and all places [m], where the springs have no
force."""
READINGS = {"supported": {}, "no-gravity": {"g": "0", "force": "0"}, "gravity": {"force": "0"}}


def mechanism(data: Mapping[str, str]) -> Model:
    value = {name: float(text) for name, text in data.items()}
    at = {name: (value[f"x_{name}"], value[f"y_{name}"]) for name in PLACES}
    m = Mechanism("five-bar linkage with two springs", gravity=(0.0, -value["g"]))
    bars = {a + b: m.bar(a + b, start=at[a], end=at[b], mass=value[f"m_{a}{b}"]) for a, b in BARS}
    left, right = m.ground.at(*at["A"]), m.ground.at(*at["B"])
    points = {"A": left, "B": right, "C": bars["AC"].end, "D": bars["CD"].end, "E": bars["DE"].end}
    m.revolute(left, bars["AC"].start)
    m.revolute(bars["AC"].end, bars["CD"].start)
    m.revolute(bars["CD"].end, bars["DE"].start)
    m.revolute(bars["DE"].end, bars["EB"].start)
    m.revolute(bars["EB"].end, right)
    for a, b in SPRINGS:
        length = ((at[a][0] - at[b][0]) ** 2 + (at[a][1] - at[b][1]) ** 2) ** 0.5
        m.spring(points[a], points[b], stiffness=value["stiffness"], length=length, name=f"spring {a}{b}")
    if value["force"]:
        m.force(points["D"], (0.0, value["force"]), name="support")
    return m.model


def places(data: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data, and the points as complex numbers x + i y."""
    x = {name: mpmath.mpf(text) for name, text in data.items()}
    return x, {name: mpmath.mpc(x[f"x_{name}"], x[f"y_{name}"]) for name in PLACES}


def by_cranks(data: Mapping[str, str]) -> SmallMotion:
    """In the angles of AC and EB: D is where circles about C and E meet. Differences, in three times the digits."""
    digits = mpmath.mp.dps
    with mpmath.workdps(3 * digits):
        x, at = places(data)
        small = mpmath.mpf(10) ** -digits
        length = {a + b: abs(at[b] - at[a]) for a, b in (*BARS, *SPRINGS)}

        def points(turned: Any) -> dict[str, Any]:
            c = at["A"] + (at["C"] - at["A"]) * mpmath.expj(turned[0])
            e = at["B"] + (at["E"] - at["B"]) * mpmath.expj(turned[1])
            apart = abs(e - c)
            along = (apart**2 + length["CD"] ** 2 - length["DE"] ** 2) / (2 * apart)
            d = c + (e - c) / apart * mpmath.mpc(along, -mpmath.sqrt(length["CD"] ** 2 - along**2))
            return {"A": at["A"], "B": at["B"], "C": c, "D": d, "E": e}

        def potential(turned: Any) -> Any:
            p = points(turned)
            total = -x["force"] * p["D"].imag
            total += sum(x[f"m_{a}{b}"] * x["g"] * (p[a] + p[b]).imag / 2 for a, b in BARS)
            return total + sum(x["stiffness"] * (abs(p[a] - p[b]) - length[a + b]) ** 2 / 2 for a, b in SPRINGS)

        def moved(turned: Any, i: int, by: Any) -> list[Any]:
            return [y + (by if k == i else 0) for k, y in enumerate(turned)]

        def slope(turned: Any) -> list[Any]:
            return [
                (potential(moved(turned, i, small)) - potential(moved(turned, i, -small))) / (2 * small) for i in (0, 1)
            ]

        def bent(turned: Any) -> Any:
            columns = [(slope(moved(turned, i, small)), slope(moved(turned, i, -small))) for i in (0, 1)]
            return mpmath.matrix([[(a[k] - b[k]) / (2 * small) for a, b in columns] for k in (0, 1)])

        turned = [mpmath.mpf(0), mpmath.mpf(0)]
        for _ in range(12):
            step = mpmath.lu_solve(bent(turned), mpmath.matrix([-y for y in slope(turned)]))
            turned = [y + z for y, z in zip(turned, step, strict=True)]
            if mpmath.norm(step, mpmath.inf) < small:
                break
        mass = mpmath.zeros(2)
        slopes = []
        for i in (0, 1):
            ahead, behind = points(moved(turned, i, small)), points(moved(turned, i, -small))
            slopes.append({name: (ahead[name] - behind[name]) / (2 * small) for name in PLACES})
        for i in (0, 1):
            for k in (0, 1):
                for a, b in BARS:  # ∫ |ṗ|² over a bar whose ends move with u and v: (u² + u·v + v²)/3
                    pairs = [(slopes[i][p], slopes[k][q]) for p, q in ((a, a), (a, b), (b, a), (b, b))]
                    inner = [(u * mpmath.conj(v)).real for u, v in pairs]
                    mass[i, k] += x[f"m_{a}{b}"] * (2 * inner[0] + inner[1] + inner[2] + 2 * inner[3]) / 6
        squares = mpmath.eig(-mpmath.inverse(mass) * bent(turned), left=False, right=False)
        found = [sign * mpmath.sqrt(s) for s in squares for sign in (1, -1)]
        d = points(turned)["D"]
    return SmallMotion(found, {"CD.end.x": d.real, "CD.end.y": d.imag})


def by_bars(data: Mapping[str, str]) -> SmallMotion:
    """With every bar by itself."""
    x, at = places(data)
    half = [abs(at[b] - at[a]) / 2 for a, b in BARS]
    guess = []
    for a, b in BARS:
        middle = (at[a] + at[b]) / 2
        guess += [middle.real, middle.imag, mpmath.arg(at[b] - at[a])]
    left, right = (End(None, place=(x[f"x_{name}"], x[f"y_{name}"])) for name in "AB")
    ends = {"B": right, "C": End(0, half[0]), "D": End(1, half[1])}
    pins = [(left, End(0, -half[0])), *((End(i, half[i]), End(i + 1, -half[i + 1])) for i in range(3))]
    springs = [Spring(ends[a], ends[b], x["stiffness"], abs(at[a] - at[b])) for a, b in SPRINGS]
    masses = [(x[f"m_{a}{b}"], 2 * h) for (a, b), h in zip(BARS, half, strict=True)]
    forces = [(ends["D"], (0, x["force"]))]
    found, q = small_motion(Bars(masses, guess, [*pins, (End(3, half[3]), right)], springs, x["g"], forces))
    c, s = mpmath.cos_sin(q[5])
    return SmallMotion(found, {"CD.end.x": q[3] + half[1] * c, "CD.end.y": q[4] + half[1] * s})


def case(variant: str, values: Mapping[str, float]) -> LinearCase:
    data = DATA | READINGS[variant]
    return LinearCase(
        problem="five-bar-linearisation",
        variant=variant,
        parameters=values,
        model=mechanism(data),
        at="equilibrium",
        bound=1e-9,
        data=data,
        first=by_cranks,
        second=by_bars,
        methods=(
            "First: the angles of both cranks; differences of energies in three times the digits.",
            "Second: every bar by itself, with multipliers for the pins, and the null space of their equations.",
        ),
        rest={"CD.end.x": "m", "CD.end.y": "m"},
        mistakes={"g = 9.8 m/s²": {"g": "9.8"}, "all bars of 1 kg": {"m_CD": "1", "m_DE": "1"}},
        notes=("The text of the source was not available; the variants are the three readings that circulate.",),
    )
