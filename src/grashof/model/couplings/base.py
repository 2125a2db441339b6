"""What all couplings share: a name, the measures they couple, and one equation between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.bound import Bound
from grashof.model.expressions import FUNCTIONS, Expression, of_time, parse
from grashof.model.fields import Fields
from grashof.model.laws import Law
from grashof.model.measures import Measure
from grashof.scalar.dual import Dual, slopes
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.couplings.sum import Sum


@dataclass(frozen=True)
class CoupledPlace:
    """The measures of a coupling at some position.

    parts    the parts of each measure
    near     for measures that count whole turns: a value less than half a turn away
    length   a typical length of the mechanism, m
    """

    measures: Sequence[Measure]
    parts: Sequence[Sequence[Scalar]]
    near: Sequence[Scalar | None]
    time: Scalar
    length: float

    @property
    def values(self) -> list[Scalar]:
        """The values of the measures."""
        given = zip(self.measures, self.parts, self.near, strict=True)
        return [measure.value(part, turn) for measure, part, turn in given]


class CouplingBase(Bound, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One equation between measures and time, F(m₁, …, t) = 0.

    Its effort λ acts on each measure mᵢ with λ ∂F/∂mᵢ. A coupling that does not depend on time does no work.
    """

    angles: ClassVar[tuple[str, ...]] = ()
    """Fields that name angles; "ground" stands for the angle of the ground, which is zero."""
    lengths: ClassVar[tuple[str, ...]] = ()
    """Fields that name measures in metres."""
    positive: ClassVar[tuple[str, ...]] = ()
    """Fields whose numbers must be positive."""
    not_zero: ClassVar[tuple[str, ...]] = ()
    """Fields whose numbers may have any sign, but must not be zero."""
    planar: ClassVar[bool] = False
    """Whether it exists in the plane only."""
    places: ClassVar[tuple[str, ...]] = ()
    """Fields that name points, which must belong to different bodies."""

    symbol: ClassVar[Literal["", "gears", "belt", "rack", "ropes", "cam"]] = ""
    """How it is drawn; empty if it is not."""
    for_velocities: ClassVar[bool] = False
    """Whether it ties rates of measures and no positions: Σ cᵢ ṁᵢ = 0 (see `rate_factors`)."""
    is_motor: ClassVar[bool] = False
    """Whether it prescribes a single measure as a function of time."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that it refers to by name, in the order of its fields."""
        return tuple(name for field in (*self.angles, *self.lengths) if (name := getattr(self, field)) != GROUND)

    @property
    def contact_point(self) -> str | None:
        """The point at which a roller or a face touches a curve, if it keeps one there."""
        return None

    @property
    def rolling_radius(self) -> float | None:
        """The radius of a wheel that rolls along a line, if it couples one with its travel."""
        return None

    @property
    def as_sum(self) -> Sum | None:
        """The coupling, if it is a sum of measures with constant factors."""
        return None

    def check(self, owner: str) -> None:
        """Refuses errors in its fields that the lists above do not cover; `owner` names the coupling in the message."""

    @property
    def timed(self) -> bool:
        """Whether F depends on time: the coupling then drives the mechanism, and its work enters the energy balance."""
        return False

    @property
    def follows(self) -> bool:
        """Whether the equation depends on whole turns of its angles or on integrals, which are states of the run."""
        return True

    @property
    def integrates(self) -> tuple[str, ...]:
        """The measures whose rate its law prescribes: each is a state of the run, which the equation receives as
        `near`."""
        return ()

    def _read(self, law: str, owner: str) -> Expression:
        """A law as an expression, with the values of its parameters."""
        return parse(law, owner).given(self.parameters)

    def _of_time(self, law: Law, owner: str, time: Scalar) -> Scalar:
        """The value of a law of time."""
        return of_time(self._read(law, owner), time, self.tables) if isinstance(law, str) else law

    def _check_tables(self, owner: str, law: Expression) -> None:
        """Refuses a law that calls something that is neither a function nor a table."""
        for name in law.tables:
            if name not in self.tables:
                hint = did_you_mean(name, [*FUNCTIONS, *self.tables])
                raise ModelError(f"{owner}: it calls '{name}', which is neither a function nor a table; {hint}")

    def laws(self, time: Scalar) -> list[Scalar]:
        """Its functions of time, which must be continuous, as must their rates."""
        return []

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        """The measures it couples, in the order of `equation`; `known` are the measures of the mechanism by name."""
        return tuple(known[name] for name in self.names)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        """F, in any unit."""
        raise NotImplementedError

    def rate_factors(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """The factors cᵢ of the rates of its measures, if it ties rates and no positions."""
        raise NotImplementedError

    @property
    def followed(self) -> tuple[str, ...]:
        """The measures on which these factors depend."""
        return ()

    def slopes(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """∂F/∂mᵢ."""
        return slopes(lambda duals: self.equation(duals, Dual(time, 0.0)), values)

    def shares(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """The loads on the measures per unit of the effort as it is reported with the reactions: torques in N m, forces
        in N."""
        return self.slopes(values, time)

    def size(self, measures: Sequence[Measure], length: float) -> float:
        """A typical |∂F/∂q|, where q are coordinates in metres; division by it converts F to metres."""
        return max((1.0 if measure.unit == "m" else 1.0 / length) for measure in measures)

    def miss(self, place: CoupledPlace) -> Scalar:
        """The residual of the equation, in metres."""
        return self.equation(place.values, place.time) * (1.0 / self.size(place.measures, place.length))

    def error(
        self, known: Mapping[str, Measure], fields: Fields, time: Scalar, turns: Mapping[str, Scalar] | None = None
    ) -> Scalar:
        """The residual at the positions given by `fields`; `turns` are the angles with their whole turns, by name."""
        measures = self.measures(known)
        near = [turns.get(measure.name) if turns else None for measure in measures]
        parts = [measure.parts(fields) for measure in measures]
        return self.miss(CoupledPlace(measures, parts, near, time, fields.length))

    @property
    def open(self) -> bool:
        """Whether the equation keeps the value that it has at the start, which is not given."""
        return False

    def kept(self, value: float) -> Self:
        """The coupling F − value = 0, for an open coupling whose initial value is now known."""
        raise NotImplementedError
