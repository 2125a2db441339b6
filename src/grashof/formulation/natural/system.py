"""A mechanism compiled to a quadratic system in as few coordinates as exact elimination allows.

M q̈ + Φ_qᵀ λ = Q(t, q, q̇)         M constant
Φ(t, q) = 0                        rows of joints quadratic in q; those of couplings any function of measures and t
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.wording import quote_first
from grashof.formulation.natural.coordinates import Frame, make_frames
from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.forms import Expression, Form, as_expression
from grashof.formulation.natural.presolve import Row, presolve
from grashof.formulation.natural.required_points import Requests, make_requests
from grashof.formulation.natural.slips import SlipRow, make_slip_rows
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import Fields, Scalars, Vector, body_of
from grashof.model.measures import MeasureBase
from grashof.model.model import Model

SHORTEST = 1e-60
"""m; a mechanism's length must lie between this and its inverse, so that fourth powers are far from overflow."""


@dataclass(frozen=True)
class FormFields:
    """Bodies as forms in the coordinates (see `model.fields.Fields`)."""

    model: Model
    length: float
    frames: dict[str, Frame]

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.model.dimension

    def point(self, reference: str) -> list[Form]:
        """A point, linear in the coordinates."""
        return self.frames[body_of(reference)].point(self.model.points[reference])

    def place(self, body: str, local: Vector) -> list[Form]:
        """A place in the axes of a body, linear in the coordinates."""
        return self.frames[body].point(local)

    def arrow(self, body: str, direction: Vector) -> list[Form]:
        """A direction scaled to length ℓ, linear in the coordinates."""
        return self.frames[body].arrow(direction, self.length)


@dataclass(frozen=True)
class System(FormFields):
    """The compiled mechanism.

    labels, groups  of the n remaining coordinates: what each is, and which belong to the same point or direction
    frames          every body as forms in these coordinates
    mass            lower triangle of M, {(i, j): kg}
    gravity         potential energy of gravity, a form in J
    rows            the remaining rows of joints
    couplings       the rows of couplings, motors last
    slips           the rows that hold for velocities only
    satisfied       owners of rows that presolve found to hold identically
    modelled        number of coordinates before presolve
    """

    labels: tuple[str, ...]
    groups: tuple[int, ...]
    mass: dict[tuple[int, int], float]
    gravity: Form
    rows: tuple[Row, ...]
    couplings: tuple[CouplingRow, ...]
    slips: tuple[SlipRow, ...]
    satisfied: tuple[str, ...]
    modelled: int

    def point(self, reference: str) -> list[Form]:
        """A point, linear in the coordinates."""
        if reference not in self._points:
            self._points[reference] = super().point(reference)
        return self._points[reference]

    def arrow(self, body: str, direction: Vector) -> list[Form]:
        """A direction scaled to length ℓ, linear in the coordinates."""
        if (body, direction) not in self._arrows:
            self._arrows[body, direction] = super().arrow(body, direction)
        return self._arrows[body, direction]

    # cached, because forces and measures request them repeatedly

    @cached_property
    def _points(self) -> dict[str, list[Form]]:
        return {}

    @cached_property
    def _arrows(self) -> dict[tuple[str, Vector], list[Form]]:
        return {}

    @cached_property
    def parts_of_measures(self) -> dict[MeasureBase, list[Expression]]:
        """The arguments of measures, as far as they are known (see `measure_parts`)."""
        return {}

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.labels)

    @property
    def m(self) -> int:
        """Number of constraint rows for positions."""
        return len(self.rows) + len(self.couplings)

    @property
    def owners(self) -> list[str]:
        """What each constraint row belongs to: a body, a joint or a coupling, by name."""
        return [*(row.owner for row in self.rows), *(row.owner for row in self.couplings)]

    @property
    def driving(self) -> tuple[CouplingRow, ...]:
        """The couplings that depend on time."""
        return tuple(row for row in self.couplings if row.timed)

    @property
    def undriven(self) -> System:
        """The mechanism without couplings that depend on time."""
        return replace(self, couplings=tuple(row for row in self.couplings if not row.timed)) if self.driving else self

    @cached_property
    def tracked(self) -> tuple[str, ...]:
        """Angles on whose whole turns some force, coupling or event depends: each is an extra state."""
        return tracked_angles(self.model)

    @cached_property
    def winding(self) -> bool:
        """Whether some row depends on the whole turns of angles."""
        return any(k is not None for row in self.couplings for k in row.turns) or any(
            row.source.turns for row in self.slips
        )


def tracked_angles(model: Model) -> tuple[str, ...]:
    """Angles on whose whole turns some force, coupling or event depends, and any measure whose speed a motor
    prescribes.

    In space also the angles on which a force acts: where the direction of such an angle swings past its axis, steps
    must be short.
    """
    wanted = [name for part in (*model.all_forces, *model.all_events) for name in part.tracked()]
    if model.dimension == 3:
        wanted += [name for force in model.all_forces for name in (*force.targets(), *force.reads())]
    for coupling in model.couplings:
        wanted += [measure.name for measure in coupling.measures(model.quantities)]
    measures = model.all_measures
    given = [name for motor in model.motors for name in motor.integrates]
    return tuple(dict.fromkeys([*(name for name in wanted if name in measures and measures[name].winds), *given]))


def compile_system(model: Model, length: float | None = None) -> System:
    """Chooses coordinates, writes every joint as rows, and eliminates the linear ones.

    length   ℓ; determined from the model unless given
    """
    requests = make_requests(model)
    length = _length_scale(model, requests) if length is None else length
    if not SHORTEST < length < 1.0 / SHORTEST:
        raise ModelError(
            f"Mechanism '{model.name}': its bodies measure {length:g} m, which cannot be computed with; check "
            "the units."
        )
    coordinates, frames = make_frames(model, requests, length)
    fields = FormFields(model, length, frames)

    rows = [row for name, frame in frames.items() if name != GROUND for row in frame.rigidity(f"body '{name}'")]
    for joint in model.joints:
        kept = joint.bearing(model.dimension) if joint.name in model.bearings else 0
        rows += [Row(as_expression(x), joint.name, kept=k < kept) for k, x in enumerate(joint.equations(fields))]
    return _eliminate(fields, coordinates.labels, coordinates.groups, rows, len(coordinates.labels))[0]


def restrict(system: System, relations: list[Row]) -> tuple[System, list[int], list[Form]]:
    """The system with linear relations substituted, the indices of the remaining coordinates, and all coordinates in
    terms of these."""
    rows = [*system.rows, *relations]
    return _eliminate(system, system.labels, system.groups, rows, system.modelled)


def with_couplings_of(system: System, model: Model) -> System:
    """The system for a description in which only numbers of couplings and motors differ."""
    fields = FormFields(model, system.length, system.frames)
    return replace(
        system,
        model=model,
        couplings=_coupling_rows(fields),
        slips=make_slip_rows(model, fields, tracked_angles(model)),
    )


def _eliminate(
    fields: FormFields, labels: Sequence[str], groups: Sequence[int], rows: list[Row], modelled: int
) -> tuple[System, list[int], list[Form]]:
    """Presolves rows, and expresses everything in the remaining coordinates."""
    model, length = fields.model, fields.length
    solved = presolve(rows, length)
    survivors = [i for i in range(len(labels)) if i not in solved.eliminated]
    renumber = {old: Form({new: 1.0}) for new, old in enumerate(survivors)}
    eliminated = {i: form.substitute(renumber) for i, form in solved.eliminated.items()}
    to_new = renumber | eliminated
    frames = {name: frame.substitute(to_new) for name, frame in fields.frames.items()}
    final = FormFields(model, length, frames)
    mass, gravity = _inertia(model, final)
    system = System(
        model=model,
        length=length,
        labels=tuple(labels[i] for i in survivors),
        groups=tuple(groups[i] for i in survivors),
        frames=frames,
        mass=mass,
        gravity=gravity,
        rows=tuple(replace(row, expression=row.expression.substitute(renumber), gives=-1) for row in solved.rows),
        couplings=_coupling_rows(final),
        slips=make_slip_rows(model, final, tracked_angles(model)),
        satisfied=solved.satisfied,
        modelled=modelled,
    )
    return system, survivors, [to_new[i] for i in range(len(labels))]


def _coupling_rows(fields: FormFields) -> tuple[CouplingRow, ...]:
    model = fields.model
    number = {name: k for k, name in enumerate(tracked_angles(model))}
    rows = []
    for coupling in model.all_couplings:
        measures = coupling.measures(model.quantities)
        parts = tuple(tuple(as_expression(x) for x in measure.parts(fields)) for measure in measures)
        turns = tuple(number.get(measure.name) if coupling.follows else None for measure in measures)
        rows.append(CouplingRow(coupling, measures, parts, turns, fields.length))
    return tuple(rows)


def length_scale(model: Model) -> float:
    """ℓ: the mechanism's length, m."""
    return _length_scale(model, make_requests(model))


def _length_scale(model: Model, requests: Requests) -> float:
    """ℓ: the mean extent of the bodies, judged by their jointed points, or otherwise by all their points and their
    mass."""
    extents = []
    for body in model.bodies:
        center = body.mass_center(model.dimension)
        for places in (list(requests.points[body.name].values()), [*requests.others[body.name].values(), center]):
            spread = max((math.dist(p, q) for p in places for q in places), default=0.0)
            if spread > 0.0:
                extents.append(spread)
                break
        else:
            extents += [2.0 * joint.rim for joint in model.joints if joint.rim and joint.bodies[1] == body.name]
    return float(np.mean(extents)) if extents else 1.0


def _inertia(model: Model, fields: FormFields) -> tuple[dict[tuple[int, int], float], Form]:
    """M from T = ½ Σ w |ẋ|² over centres of mass and principal directions, and the potential −Σ m g·x."""
    mass: dict[tuple[int, int], float] = {}
    potential: Expression = Form()

    def add(weight: float, forms: list[Form]) -> None:
        for form in forms:
            for i, a in form.terms.items():
                for j, b in form.terms.items():
                    if j <= i:
                        mass[i, j] = mass.get((i, j), 0.0) + weight * a * b

    for body in model.bodies:
        for weight, forms in matter(body, fields):
            add(weight, forms)
        for g, x in zip(model.gravity, center(body, fields), strict=False):
            potential = potential + x.scaled(-body.mass * g)
    turning = [body.name for body in model.bodies if not any(mass.values()) and _turns_without_inertia(body, fields)]
    if turning:
        raise ModelError(
            f"Mechanism '{model.name}': {quote_first(turning)} can only turn about the centre of mass, and has "
            f"no moment of inertia, so there is no motion to compute. Give it one, such as "
            f"m.body('{turning[0]}', mass=1.0, inertia=0.01), or place its centre of mass elsewhere (center=)."
        )
    if not mass and model.bodies:
        held = [body.name for body in model.bodies if matter(body, fields)]
        verb = "is" if len(held) == 1 else "are"
        reason = f"{quote_first(held)} {verb} held by the joints, and nothing else" if held else "nothing that moves"
        raise ModelError(
            f"Mechanism '{model.name}': {reason} has mass, so there is no motion to compute. "
            "Give the bodies masses, such as m.bar('crank', length=0.1, mass=1.0), or ask what needs none: "
            "gr.kinematics(m, t_end) for a motion prescribed by motors, gr.linkage(m), gr.mobility(m)."
        )
    assert isinstance(potential, Form)
    largest = max(mass.values())
    if not (0.0 < largest < math.inf):
        raise ModelError(
            f"Mechanism '{model.name}': its masses are too small or too large to compute with; check their units."
        )
    return {key: x for key, x in mass.items() if abs(x) > 1e-15 * largest}, potential


class Places(Fields, Protocol):
    """Bodies as fields of points and directions, of which every place is known."""

    def place(self, body: str, local: Vector) -> Scalars:
        """The position of a place in the axes of a body, in metres."""


def center(body: Body, fields: Places) -> Scalars:
    """A body's centre of mass, m."""
    return fields.place(body.name, body.mass_center(fields.dimension))


def _turns_without_inertia(body: Body, fields: FormFields) -> bool:
    """Whether a body with mass can turn, but has no moment of inertia at all."""
    if body.mass == 0.0 or body.planar_inertia or any(second for second, _ in body.second_moments()):
        return False
    frame = fields.frames[body.name]
    return frame.particle or any(form.terms for direction in frame.directions for form in direction)


def matter(body: Body, fields: Places) -> list[tuple[float, Scalars]]:
    """A body as weights w, kg, at vectors x, m: T = ½ Σ w |ẋ|², and its angular momentum is Σ w x × ẋ.

    The first is its mass at the centre of mass; the others are its second moments along directions scaled to length ℓ.
    """
    per_direction = 1.0 / (fields.length * fields.length)
    moments = [(body.planar_inertia, (1.0, 0.0))] if fields.dimension == 2 else body.second_moments()
    if body.mass == 0.0 and not any(second for second, _ in moments):
        return []
    directions = [(second * per_direction, fields.arrow(body.name, tuple(axis))) for second, axis in moments]
    return [(body.mass, center(body, fields)), *directions]
