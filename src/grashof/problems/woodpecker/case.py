"""Woodpecker toy: a sleeve with clearance on a pole, and on a spring the bird, whose beak hits the pole."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.handles import Handle
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {
    "pole": "0.0025",
    "hole": "0.0031",
    "half": "0.0058",
    "hinge": "0.010",
    "centre": "0.015",
    "beak_x": "0.0201",
    "beak_y": "0.02",
    "sleeve": "0.0003",
    "sleeve_inertia": "5e-9",
    "bird": "0.0045",
    "bird_inertia": "7e-7",
    "spring": "0.0056",
    "g": "9.81",
    "mu": "0.3",
    "e_beak": "0.5",
    "e_sleeve": "0",
    "phi_s": "-0.2788",
    "v": "-0.3411",
    "omega_s": "-7.4583",
}
"""Radii of pole and hole, half the sleeve's height, distances sleeve–hinge–bird, place of the beak, m; kg, kg m²,
N m/rad; and the start: angle [rad] and rate of the bird, speed of the sleeve [m/s]."""


def mechanism() -> Model:
    """The small-angle model: centres move on vertical lines; a coupling is the hinge, and what touches the pole is a
    massless point whose place is linear in the angles."""
    x = {name: float(text) for name, text in DATA.items()}
    m = Mechanism("woodpecker toy", gravity=(0.0, -x["g"]))
    pole = m.ground.line((x["pole"], 0.0), (x["pole"], -1.0))
    far = x["hinge"] + x["centre"]
    start = {"sleeve": -(x["hole"] - x["pole"]) / x["half"], "bird": x["phi_s"]}
    height = x["hinge"] * start["sleeve"] + x["centre"] * start["bird"]
    sleeve = m.body("sleeve", mass=x["sleeve"], inertia=x["sleeve_inertia"], points={"o": (0.0, 0.0)})
    bird = m.body("bird", mass=x["bird"], inertia=x["bird_inertia"], points={"o": (0.0, 0.0)}, position=(far, height))
    m.slider(m.ground.line((0.0, 0.0), (0.0, 1.0)), sleeve.o, name="sleeve guide")
    m.slider(m.ground.line((far, 0.0), (far, 1.0)), bird.o, name="bird guide")
    m.coupling({"bird.o.y": 1.0, "sleeve.o.y": -1.0, sleeve.angle: -x["hinge"], bird.angle: -x["centre"]}, name="hinge")
    m.torsion_spring(m.angle("bend", bird, reference=sleeve), stiffness=x["spring"], name="spring")
    m.need("sleeve.o.y", value=0.0, rate=x["v"])
    m.need(sleeve.angle, value=start["sleeve"], rate=0.0)
    m.need(bird.angle, value=start["bird"], rate=x["omega_s"])

    def touch(
        name: str, of: Handle, across: tuple[float, float], along: Mapping[Handle, float], restitution: float
    ) -> None:
        """A point at (a + b φ, y + Σ c φ), with the angle φ of a body, that touches the pole."""
        place = (across[0] + across[1] * start[of.name], sum(c * start[body.name] for body, c in along.items()))
        tip = m.body(name, mass=0.0, inertia=0.0, points={"o": (0.0, 0.0)}, position=place)
        m.coupling({f"{name}.o.x": 1.0, of.angle: -across[1]}, name=f"{name} across")
        m.coupling(
            {f"{name}.o.y": 1.0, "sleeve.o.y": -1.0, **{b.angle: -c for b, c in along.items()}}, name=f"{name} along"
        )
        m.coupling({tip.angle: 1.0}, name=f"{name} straight")
        m.need(f"{name}.o.x", value=place[0])
        m.need(f"{name}.o.y", value=place[1])
        m.need(tip.angle, value=0.0)
        m.contact(pole, tip.o, restitution=restitution, mu=x["mu"], name=f"{name} contact")

    beak = {sleeve: x["hinge"], bird: x["centre"] - x["beak_x"]}
    touch("beak", bird, (far - x["beak_x"], -x["beak_y"]), beak, x["e_beak"])
    touch("lower", sleeve, (x["hole"], x["half"]), {sleeve: x["hole"]}, x["e_sleeve"])
    touch("upper", sleeve, (x["hole"], -x["half"]), {sleeve: x["hole"]}, x["e_sleeve"])
    return m.model


COLUMNS = (
    TIME,
    Column("y", "m", lambda run: run["sleeve.o.y"], also=("ysleeve", "sleevey", "height")),
    Column("phi_m", "rad", lambda run: run["sleeve.angle"], also=("φm", "phisleeve", "sleeve", "sleeveangle")),
    Column("phi_s", "rad", lambda run: run["bird.angle"], also=("φs", "phibird", "bird", "birdangle")),
    energy(lambda run: run["balance"]),  # against the start, less the work of friction and impacts
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.woodpecker.derivations import derive

    return Case(
        problem="woodpecker-toy",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=0.15,
        step=0.0005,
        bound=1e-8,
        error_text="max |E − E₀ − W|, W = work of friction and of impacts",
        columns=COLUMNS,
        final=COLUMNS[1:4],
        reference=certified_solution(__package__ or "", "woodpecker-toy-standard.csv", derive),
        figures=(
            Figure("Height of the sleeve", ("y",)),
            Figure("Angles of sleeve and bird", ("phi_m", "phi_s")),
            Figure("Total energy, E − E₀ − W", ("energy",)),
        ),
    )
