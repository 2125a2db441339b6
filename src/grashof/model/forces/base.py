"""What every force has: a name, its loads, and how its energy is accounted for."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model import laws
from grashof.model.bound import Bound
from grashof.model.events import Event
from grashof.model.expressions import parse
from grashof.model.fields import Scalars
from grashof.model.joints import Joint
from grashof.model.laws import Law
from grashof.model.measures import Measure, MeasureBase
from grashof.model.state import RATE, State, source
from grashof.scalar.functions import Scalar

Load = tuple[str | MeasureBase, Scalars]
"""(target, effort): a force vector in N at a point `body.point`, or a torque [N m] / pull [N] along a measure, by its name or itself."""


class ForceBase(Bound, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True, kw_only=True):
    """A force; `loads` says where it acts and how strongly. Its coefficients are laws.

    active   whether it acts at the start: events may switch it on and off
    """

    name: str
    active: bool = True

    def targets(self) -> list[str]:
        """The points and measures it acts on."""
        raise NotImplementedError

    def laws(self) -> tuple[Law, ...]:
        """Its coefficients."""
        return ()

    def reads(self) -> list[str]:
        """The points and measures that its coefficients depend on."""
        return list(dict.fromkeys(source(name) for name in self._quantities()))

    def tracked(self) -> list[str]:
        """The angles whose whole turns the force itself depends on; other names among them do no harm."""
        return [name for name in self._quantities() if not name.endswith(RATE)]

    def bodies(self) -> list[str]:
        """The bodies whose own axes it uses."""
        return []

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        """Measures of its own, which it acts on beside its targets: quantities of every motion. Their names begin with its own.

        joints   of the mechanism, by name
        """
        return ()

    def uses(self, joints: Mapping[str, Joint]) -> tuple[MeasureBase, ...]:
        """The measures that it acts on beside its targets, those that are no quantities included."""
        return self.measures(joints)

    def events(self) -> list[Event]:
        """Events that it brings with it."""
        return []

    def bearings(self) -> list[str]:
        """The joints whose transmitted forces it depends on, linearly."""
        return []

    def loads(self, state: State) -> list[Load]:
        """Where it acts and how strongly, now."""
        raise NotImplementedError

    def integrals(self) -> dict[str, str]:
        """Quantities `NAME.integral` that are states of the run and begin with zero, and the measure whose error each adds up."""
        return {}

    def integrands(self, state: State) -> list[Scalar]:
        """Their rates."""
        return []

    def potential(self, state: State) -> Scalar:
        """Energy it stores, in J."""
        return 0.0

    def work(self, state: State) -> Scalar | None:
        """Work done beyond what is stored, up to a constant, in J; None if it has to be integrated along the motion."""
        return 0.0

    # -- laws

    @property
    def varies(self) -> bool:
        """Whether a coefficient changes with time or with the motion."""
        return any(self.constant(law) is None for law in self.laws())

    @property
    def is_opaque(self) -> bool:
        """Whether nothing is known of it but its values: not even where it begins to act, as with a table that is looked up by the motion."""
        return any(parse(law, self._owner).looks_up for law in self.laws() if isinstance(law, str))

    def constant(self, law: Law) -> Scalar | None:
        """The number that a coefficient always is; None if it may change."""
        return laws.constant(law, self._owner, self.parameters)

    def number(self, law: Law) -> Scalar:
        """The number that a coefficient always is, of a force that does not vary."""
        found = self.constant(law)
        assert found is not None, law
        return found

    def now(self, law: Law, state: State) -> Scalar:
        """A coefficient, now."""
        return laws.value(law, self._owner, state, self.parameters)

    def _quantities(self) -> list[str]:
        """The quantities that its coefficients depend on, as they are written there."""
        return laws.quantities(self.laws(), self._owner, self.parameters)

    @property
    def _owner(self) -> str:
        return f"force '{self.name}'"
