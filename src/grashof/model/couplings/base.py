"""What every coupling has: a name, the measures it ties, and one equation between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from grashof.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.bound import Bound
from grashof.model.expressions import FUNCTIONS, Expression, of_time, parse
from grashof.model.fields import Fields
from grashof.model.laws import Law
from grashof.model.measures import Measure
from grashof.scalar.dual import Dual, slopes
from grashof.scalar.functions import Scalar


class CouplingBase(Bound, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One equation between measures and time, F(m₁, …, t) = 0.

    Its effort λ acts on every measure with λ ∂F/∂mᵢ. A coupling that does not depend on time does no work.
    """

    angles: ClassVar[tuple[str, ...]] = ()
    """Fields that name angles; "ground" stands for that of the ground, which is zero."""
    lengths: ClassVar[tuple[str, ...]] = ()
    """Fields that name measures in metres."""
    positive: ClassVar[tuple[str, ...]] = ()
    """Fields whose numbers must be positive."""
    not_zero: ClassVar[tuple[str, ...]] = ()
    """Fields whose numbers may have any sign, but must not be zero."""
    planar: ClassVar[bool] = False
    """Whether it is for the plane only."""
    places: ClassVar[tuple[str, ...]] = ()
    """Fields that name points, of bodies that differ."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that it refers to by name, in the order of its fields."""
        return tuple(name for field in (*self.angles, *self.lengths) if (name := getattr(self, field)) != GROUND)

    def check(self, owner: str) -> None:
        """Refuses, in the name of `owner`, what is wrong with its own fields beyond what the lists above say."""

    @property
    def timed(self) -> bool:
        """Whether F depends on time: then the coupling drives the mechanism, and its work is accounted for."""
        return False

    @property
    def follows(self) -> bool:
        """Whether the equation depends on the whole turns of its angles, or on what is integrated: these are states of the run."""
        return True

    @property
    def integrates(self) -> tuple[str, ...]:
        """The measures that its law gives the rate of: each is a state of the run, which the equation is given as `near`."""
        return ()

    def _read(self, law: str, owner: str) -> Expression:
        """A law, with the parameters in it known."""
        return parse(law, owner).given(self.parameters)

    def _of_time(self, law: Law, owner: str, time: Scalar) -> Scalar:
        """The value of a law of time."""
        return of_time(self._read(law, owner), time, self.tables) if isinstance(law, str) else law

    def _check_tables(self, owner: str, law: Expression) -> None:
        """Refuses what a law calls that is neither a function nor a table."""
        for name in law.tables:
            if name not in self.tables:
                hint = did_you_mean(name, [*FUNCTIONS, *self.tables])
                raise ModelError(f"{owner}: it calls '{name}', which is neither a function nor a table; {hint}")

    def laws(self, time: Scalar) -> list[Scalar]:
        """The functions of time in it: they and their rates must not jump."""
        return []

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        """The measures it ties, in the order of `equation`; `known` are those of the mechanism by their names."""
        return tuple(known[name] for name in self.names)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        """F, in any unit."""
        raise NotImplementedError

    def slopes(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """∂F/∂mᵢ."""
        return slopes(lambda duals: self.equation(duals, Dual(time, 0.0)), values)

    def shares(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """What a unit of its effort, as reactions tell it, puts on each measure: torques in N m, forces in N."""
        return self.slopes(values, time)

    def size(self, measures: Sequence[Measure], length: float) -> float:
        """A typical |∂F/∂q|, q being coordinates in metres: it makes a row in metres out of F."""
        return max((1.0 if measure.unit == "m" else 1.0 / length) for measure in measures)

    def miss(
        self,
        measures: Sequence[Measure],
        parts: Sequence[Sequence[Scalar]],
        near: Sequence[Scalar | None],
        time: Scalar,
        length: float,
    ) -> Scalar:
        """By how much the equation misses, in metres.

        parts   of each measure
        near    for measures that wind: a value that is less than half a turn away
        """
        values = [measure.value(part, turn) for measure, part, turn in zip(measures, parts, near, strict=True)]
        return self.equation(values, time) * (1.0 / self.size(measures, length))

    def error(
        self, known: Mapping[str, Measure], fields: Fields, time: Scalar, turns: Mapping[str, Scalar] | None = None
    ) -> Scalar:
        """The same where the bodies are as `fields` say; `turns` are angles with their whole turns, by name."""
        measures = self.measures(known)
        near = [turns.get(measure.name) if turns else None for measure in measures]
        return self.miss(measures, [measure.parts(fields) for measure in measures], near, time, fields.length)

    @property
    def open(self) -> bool:
        """Whether the equation keeps whatever value it has at the start."""
        return False

    def kept(self, value: float) -> Self:
        """An open coupling, closed: F − value = 0."""
        raise NotImplementedError
