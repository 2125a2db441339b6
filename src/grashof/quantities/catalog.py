"""The quantities of a motion by name: one list for runs, sweeps, derivatives, live pages and other engines.

A quantity has a name, a unit and a value, which is a function of a `Snapshot` over any scalars: arrays for a run,
traced numbers for machine code, poses of bodies for other engines.

t                                                   time
rod.end.x, crank.angle; these with .rate            coordinates of points, and measures; their time derivatives
servo.integral                                      integrals of forces
servo.effort                                        what forces hold between samples
kinetic, potential, energy                          of the mechanism
work.NAME, balance                                  the work of a force, motor or bounce since the start; energy gained
                                                    minus work done
violation.position, .velocity, .acceleration        norms of the joint equations of the rigid bodies

and, computed on request,

rod.end.x.acceleration, crank.angle.acceleration    second time derivatives of coordinates and measures
rod.center.x, rod.center.x.rate                     the centre of mass of a body with mass that has no point of that
                                                    name
rotor.angular_velocity.x                            of a body in space, in the axes of the ground; of a bar whose
                                                    rotation about its own axis nothing determines, the part across the
                                                    bar
center.x, center.x.rate, momentum.x                 the same for all bodies together
angular_momentum (plane), angular_momentum.x        of all bodies about the origin of the ground
push.NAME                                           the force or torque of a rigid stop or bounce along its measure
                                                    while that rests there
friction.NAME                                       the dry friction of a joint that sticks exactly, along NAME.slip
drive.torque, gear.force                            the effort of a motor or coupling along its first measure
pin.fx, pin.mz                                      the reaction of a joint: force and moment on its second body, at
                                                    that body's point, in the axes of the ground
work.NAME.rate                                      power
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.model import Model
from grashof.model.state import RATE
from grashof.quantities.snapshot import Snapshot
from grashof.quantities.wrenches import COMPONENTS
from grashof.scalar.functions import Scalar

ACCELERATION, TURNING, PUSH, FRICTION, WORK = ".acceleration", ".angular_velocity", "push.", "friction.", "work."

VIOLATIONS = {"violation.position": "m", "violation.velocity": "m/s", "violation.acceleration": "m/s²"}
"""Norms of the joint equations and of their time derivatives, with their units."""

LEVELS = (("", "value"), (RATE, "first"), (ACCELERATION, "second"))
"""The endings of names, and the parts of a jet that they stand for."""


@dataclass(frozen=True)
class Quantity:
    """A quantity of a motion.

    value        from a snapshot of the mechanism
    known        whether a snapshot can tell it
    on_request   whether it is left out of tables unless it is asked for
    since_start  whether it counts from the start: its value is known up to a constant, which makes it zero there
    of_joint     the joint of which it is a component of the reaction
    """

    name: str
    unit: str
    value: Callable[[Snapshot], Scalar]
    known: Callable[[Snapshot], bool] = lambda _: True
    on_request: bool = False
    since_start: bool = False
    of_joint: str = ""


class Catalog(dict[str, Quantity]):
    """Quantities of a mechanism by name; a name that is not among them is refused."""

    def __init__(self, model: Model, quantities: Iterable[Quantity]) -> None:
        super().__init__()
        self.model = model
        for quantity in quantities:
            self.setdefault(quantity.name, quantity)

    def __missing__(self, name: str) -> Quantity:
        model = self.model
        body = name.removesuffix(RATE).removesuffix(".angle")
        hint = did_you_mean(name, self, at_most=3)
        if model.dimension == 3 and name != body and body in {x.name for x in model.bodies}:
            turn = f"m.angle('turn', {body}, axis=(0, 0, 1))"
            hint = f"in space an angle is named before the run, {turn}, and is then run['turn']."
        raise ModelError(f"There is no quantity '{name}' in mechanism '{model.name}'; {hint}")

    def known(self, now: Snapshot) -> Catalog:
        """Those that a snapshot can tell."""
        return Catalog(self.model, (quantity for quantity in self.values() if quantity.known(now)))


def catalog_of(model: Model) -> Catalog:
    """All quantities of a mechanism. Whether a force does work, or the effort of a coupling is unique, only a
    snapshot can tell."""
    return Catalog(model, (*_motion(model), *_energies(model), *_violations(), *_on_request(model)))


def _is_complete(now: Snapshot) -> bool:
    return now.complete


# -- what a table of a run shows


def _motion(model: Model) -> Iterator[Quantity]:
    yield Quantity("t", "s", lambda now: now.state.time)
    for ending, level in LEVELS[:2]:
        for name, measure in model.quantities.items():
            unit = measure.unit + ("/s" if ending else "")
            yield Quantity(f"{name}{ending}", unit, partial(_measured, name, level))
    for name, measure in model.integrals.items():
        yield Quantity(name, f"{measure.unit} s", partial(_measured, name, "value"), known=_is_complete)
    for name, unit in model.held.items():
        yield Quantity(name, unit, partial(_measured, name, "value"), known=_is_complete)


def _measured(name: str, level: str, now: Snapshot) -> Scalar:
    found: Scalar = getattr(now.measure(name), level)
    return found


def _energies(model: Model) -> Iterator[Quantity]:
    yield Quantity("kinetic", "J", lambda now: now.kinetic)
    yield Quantity("potential", "J", lambda now: now.potential)
    yield Quantity("energy", "J", lambda now: now.kinetic + now.potential)
    for name in (*_workers(model), *model.bouncing):
        yield Quantity(f"{WORK}{name}", "J", partial(_work, name), known=partial(_works, name), since_start=True)
    yield Quantity("balance", "J", _unexplained, known=lambda now: now.accounted, since_start=True)


def _workers(model: Model) -> list[str]:
    """What may do work: forces, and couplings and motors that depend on time."""
    return [*(force.name for force in model.all_forces), *(x.name for x in model.own_couplings if x.timed)]


def _works(name: str, now: Snapshot) -> bool:
    return name in now.works


def _work(name: str, now: Snapshot) -> Scalar:
    return now.works[name]


def work_done(now: Snapshot) -> Scalar:
    """The work of all forces, motors and bounces, up to a constant, J."""
    return sum(now.works.values(), 0.0)


def _unexplained(now: Snapshot) -> Scalar:
    """Energy minus work, up to a constant, J."""
    return now.kinetic + now.potential - work_done(now)


def _violations() -> Iterator[Quantity]:
    for k, (name, unit) in enumerate(VIOLATIONS.items()):
        yield Quantity(name, unit, partial(_violation, k), known=partial(_is_violation_known, k))


def _is_violation_known(level: int, now: Snapshot) -> bool:
    return now.complete or level < 2


def _violation(level: int, now: Snapshot) -> Scalar:
    return now.violations[level]


# -- what is computed on request


def _on_request(model: Model) -> Iterator[Quantity]:
    asked = partial(Quantity, on_request=True)
    axes = "xyz"[: model.dimension]
    for name, measure in model.quantities.items():
        value = partial(_accelerating, name)
        yield asked(f"{name}{ACCELERATION}", f"{measure.unit}/s²", value, known=_is_complete)
    for owner in ("", *_with_center(model)):
        for k, axis in enumerate(axes):
            name = f"{owner}.center.{axis}" if owner else f"center.{axis}"
            for (ending, level), unit in zip(LEVELS, ("m", "m/s", "m/s²"), strict=True):
                known = partial(_is_level_known, level)
                yield asked(f"{name}{ending}", unit, partial(_centered, owner, k, level), known=known)
    for k, axis in enumerate(axes):
        yield asked(f"momentum.{axis}", "kg m/s", partial(_momentum, k))
    for body in model.bodies if model.dimension == 3 else ():
        name = f"{body.name}{TURNING}"
        for k, axis in enumerate(axes if name not in model.points else ""):
            yield asked(f"{name}.{axis}", "rad/s", partial(_spin, body.name, k))
    for event in model.all_events:
        if event.bounces is not None:
            unit = "N m" if model.quantities[event.quantity].unit == "rad" else "N"
            yield asked(f"{PUSH}{event.name}", unit, partial(_push, event.name), known=_is_complete)
    for grip in model.grips:
        unit = "N m" if model.quantities[grip.measure].unit == "rad" else "N"
        yield asked(f"{FRICTION}{grip.name}", unit, partial(_friction, grip.name), known=_is_complete)
    around = {"angular_momentum": (0, 1)} if model.dimension == 2 else _ANGULAR
    for name, plane in around.items():
        yield asked(name, "kg m²/s", partial(_angular_momentum, plane))
    for coupling in model.own_couplings:
        turns = coupling.measures(model.quantities)[0].unit == "rad"
        kind, unit = ("torque", "N m") if turns else ("force", "N")
        name, known = coupling.name, partial(_is_determined, coupling.name)
        yield asked(f"{name}.{kind}", unit, partial(_effort, name), known=known)
    for joint in model.joints:
        for component in COMPONENTS[model.dimension]:
            name, unit = f"{joint.name}.{component}", "N" if component.startswith("f") else "N m"
            yield asked(name, unit, partial(_reaction, name), known=_is_complete, of_joint=joint.name)
    for name in _workers(model):
        yield asked(f"{WORK}{name}{RATE}", "W", partial(_power, name), known=partial(_is_power_known, name))


_ANGULAR = {"angular_momentum.x": (1, 2), "angular_momentum.y": (2, 0), "angular_momentum.z": (0, 1)}


def _with_center(model: Model) -> list[str]:
    return [body.name for body in model.bodies if body.mass > 0.0 and f"{body.name}.center" not in model.points]


def _is_level_known(level: str, now: Snapshot) -> bool:
    return now.complete or level != "second"


def _is_determined(coupling: str, now: Snapshot) -> bool:
    return now.complete and coupling in now.determined


def _is_power_known(worker: str, now: Snapshot) -> bool:
    return now.complete and worker in now.works


def _accelerating(name: str, now: Snapshot) -> Scalar:
    return now.accelerating(name).second


def _centered(owner: str, k: int, level: str, now: Snapshot) -> Scalar:
    """The centre of mass of a body, or of all bodies."""
    bodies = [body for body in now.model.bodies if body.mass > 0.0 and owner in ("", body.name)]
    whole = sum(body.mass for body in bodies)
    return sum(body.mass / whole * getattr(now.matter(body)[0][1][k], level) for body in bodies)


def _momentum(k: int, now: Snapshot) -> Scalar:
    return sum(body.mass * now.matter(body)[0][1][k].first for body in now.model.bodies if body.mass > 0.0)


def _angular_momentum(plane: tuple[int, int], now: Snapshot) -> Scalar:
    """One component of Σ w x × ẋ."""
    total: Scalar = 0.0
    for body in now.model.bodies:
        for weight, place in now.matter(body):
            x, y = place[plane[0]], place[plane[1]]
            total = total + weight * (x.value * y.first - y.value * x.first)
    return total


def _spin(body: str, k: int, now: Snapshot) -> Scalar:
    return now.spin(body)[k]


def _push(name: str, now: Snapshot) -> Scalar:
    return now.pushes[name]


def _friction(name: str, now: Snapshot) -> Scalar:
    return now.frictions[name]


def _effort(name: str, now: Snapshot) -> Scalar:
    return now.efforts[name]


def _reaction(name: str, now: Snapshot) -> Scalar:
    return now.reactions[name]


def _power(name: str, now: Snapshot) -> Scalar:
    return now.powers[name]
