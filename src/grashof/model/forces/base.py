"""What all forces share: a name, the loads they apply, and how their energy is accounted for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self

from grashof.common.errors import ModelError, did_you_mean
from grashof.model import laws
from grashof.model.bound import Bound
from grashof.model.events import Event
from grashof.model.expressions import parse
from grashof.model.fields import Scalars, Vector
from grashof.model.laws import Law
from grashof.model.measures import Measure, MeasureBase
from grashof.model.state import RATE, State, source
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.forces.stop import Stop
    from grashof.model.joints import Joint
    from grashof.model.model import Model

Load = tuple[str | MeasureBase, Scalars]
"""(target, effort): a force vector in N at a point `body.point`, or a torque [N m] or force [N] along a measure, which
is given by its name or itself."""


class ForceElement(NamedTuple):
    """A force at a definite place as an element that drawings and other programs know.

    kind         a spring or a bushing between two points, a coil about an angle, a drive along a measure, or a load, an
                 arrow at a point
    facts        its coefficients with their units, by name
    length       of the relaxed spring, m
    direction    of a load, in world axes, or in those of its body if it `follows` the body; zero if it is not constant
    """

    kind: Literal["spring", "bushing", "coil", "drive", "load"]
    facts: tuple[tuple[str, str], ...]
    points: tuple[str, ...] = ()
    measure: str = ""
    elastic: bool = False
    damped: bool = False
    length: float = 0.0
    direction: Vector = ()
    follows: bool = False


class Rub(NamedTuple):
    """Friction at something that bounces, while it is hit and while it rests.

    event     the event at which it bounces
    slide     the measure along which it slips, m
    mu        coefficient of friction
    impact    the law of its impacts: "newton", "moreau" or "poisson" (see `Contact`)
    """

    event: str
    slide: str
    mu: float
    impact: str


class Grip(NamedTuple):
    """Dry friction in a joint that can stick: its rate is then zero, and it bears what this takes.

    name      of the force
    joint     its name
    measure   the displacement in the joint, m or rad
    """

    name: str
    joint: str
    measure: str


class ForceOutline(NamedTuple):
    """A line or a circle at which a force acts, fixed in the body of a point, as it is drawn.

    axis     of a line through the point; empty for a circle about it
    length   of a line from there on, m; 0 for a line without ends
    radius   of the circle, or half the thickness of the line, m
    hollow   whether the circle is touched from inside
    other    the point that moves along the line
    """

    point: str
    axis: Vector
    length: Scalar
    radius: Scalar
    hollow: bool
    other: str


class ForceSurface(NamedTuple):
    """A plane, a ball or a disc at which a force acts, fixed in the body of a point (space).

    axis     normal of a plane through the point if there is no radius, otherwise that of a disc about it; empty for a
             ball
    radius   m
    hollow   whether the ball is touched from inside
    other    the point that moves along the surface
    """

    point: str
    axis: Vector
    radius: Scalar
    hollow: bool
    other: str


class ForceBase(Bound, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True, kw_only=True):
    """A force. `loads` gives its points of action and its values; its coefficients are laws.

    active   whether it acts at the start; events can switch it on and off
    """

    directions: ClassVar[tuple[str, ...]] = ()
    """Fields that are directions: vectors of any length in a file, unit vectors here."""

    name: str
    active: bool = True

    def targets(self) -> list[str]:
        """The points and measures it acts on."""
        raise NotImplementedError

    def element(self) -> ForceElement | None:
        """The element that drawings and other programs know it as; None if there is none."""
        return None

    def rubs(self) -> tuple[Rub, ...]:
        """The friction of what bounces at its events."""
        return ()

    def grips(self) -> tuple[Grip, ...]:
        """The joints that stick exactly by its dry friction."""
        return ()

    def grip_limits(self, state: State) -> tuple[Scalar, Scalar]:
        """The dry friction of a joint that slips, and the largest one of a joint that sticks, N or N m."""
        raise NotImplementedError

    def outlines(self) -> tuple[ForceOutline, ...]:
        """The outlines of bodies that it defines, as they are drawn."""
        return ()

    def surfaces(self) -> tuple[ForceSurface, ...]:
        """The surfaces of bodies that it defines in space, as they are drawn."""
        return ()

    def check(self, owner: str, model: Model) -> None:
        """Refuses errors in its fields; `owner` names the force in the message."""

    def without_coulomb(self) -> Self:
        """The force without its dry friction of a given size."""
        return self

    def smooth(self) -> Self:
        """The force with smooth friction in place of exact."""
        return self

    def in_space(self) -> Self:
        """The force in a planar mechanism that moves in the plane z = 0 of space."""
        return self

    @property
    def stop(self) -> Stop | None:
        """The limits within which it keeps a measure, if that is what it does."""
        return None

    @property
    def code(self) -> str | None:
        """The function in Python that it calls, as `module:function`, if there is one."""
        return None

    @property
    def input(self) -> str:
        """The field of the law by which it is commanded; "" if there is none."""
        return ""

    def laws(self) -> tuple[Law, ...]:
        """Its coefficients."""
        return ()

    def reads(self) -> list[str]:
        """The points and measures that its coefficients depend on."""
        return list(dict.fromkeys(source(name) for name in self._quantities()))

    def tracked(self) -> list[str]:
        """The angles whose whole turns the force itself depends on; names of other measures are ignored."""
        return [name for name in self._quantities() if not name.endswith(RATE)]

    def bodies(self) -> list[str]:
        """The bodies whose own axes the force uses."""
        return []

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        """Additional measures that the force defines and acts on; they become quantities of every run.

        Their names begin with that of the force.

        joints   the joints of the mechanism, by name
        """
        return ()

    def uses(self, joints: Mapping[str, Joint]) -> tuple[MeasureBase, ...]:
        """All measures that it acts on in addition to its targets, including those that are not quantities of a run."""
        return self.measures(joints)

    def events(self) -> list[Event]:
        """The events that the force adds to the mechanism."""
        return []

    def bearings(self) -> list[str]:
        """The joints on whose transmitted forces it depends (linearly)."""
        return []

    def loads(self, state: State) -> list[Load]:
        """The loads that it applies in this state."""
        raise NotImplementedError

    @property
    def resists(self) -> tuple[tuple[str, Scalar], ...]:
        """The measures whose accelerations it resists, each with its inertance: kg m² for an angle, else kg."""
        return ()

    def integrals(self) -> dict[str, str]:
        """The quantities `NAME.integral`, states of the run that start from zero, and the measure whose error each of
        them integrates."""
        return {}

    def integrands(self, state: State) -> list[Scalar]:
        """The rates of the integrals."""
        return []

    @property
    def period(self) -> Scalar | None:
        """The time between its samples, s: from one to the next it depends on nothing but its integrals and on what it
        holds. None if it acts continuously."""
        return None

    def held(self, quantities: Mapping[str, MeasureBase]) -> dict[str, str]:
        """The quantities that it holds from one sample to the next, each with its unit."""
        return {}

    def sample(self, state: State, *, first: bool) -> dict[str, Scalar]:
        """Its integrals and what it holds, after a sample in this state.

        first   at the start of a run, when nothing is held yet
        """
        return {}

    def potential(self, state: State) -> Scalar:
        """The energy that it stores, in J."""
        return 0.0

    def work(self, state: State) -> Scalar | None:
        """The work that it does in addition to releasing stored energy, up to a constant, in J; None if it has to be
        integrated along the motion."""
        return 0.0

    # -- laws

    @property
    def varies(self) -> bool:
        """Whether a coefficient changes with time or with the motion."""
        return any(self.constant(law) is None for law in self.laws())

    @property
    def is_opaque(self) -> bool:
        """Whether only its values are known, and not even where it begins to act, as with a table over a quantity of
        the motion."""
        laws = () if self.period is not None else self.laws()
        return any(parse(law, self._owner).looks_up for law in laws if isinstance(law, str))

    def constant(self, law: Law) -> Scalar | None:
        """The value of a constant coefficient; None if the coefficient may change."""
        return laws.constant(law, self._owner, self.parameters)

    def number(self, law: Law) -> Scalar:
        """The value of a coefficient of a force that does not vary."""
        found = self.constant(law)
        assert found is not None, law
        return found

    def now(self, law: Law, state: State) -> Scalar:
        """The value of a coefficient in this state."""
        return laws.value(law, self._owner, state, self.parameters)

    def _quantities(self) -> list[str]:
        """The quantities that its coefficients depend on, by the names used in their expressions."""
        return laws.quantities(self.laws(), self._owner, self.parameters)

    @property
    def _owner(self) -> str:
        return f"force '{self.name}'"


def written(law: Law) -> str:
    """A coefficient as text."""
    return f"{law:.6g}" if isinstance(law, int | float) else str(law)


def check_angle(owner: str, name: str, model: Model) -> None:
    """Refuses a target that is not an angle."""
    found = model.all_measures.get(name)
    if found is None:
        angles = [known for known, measure in model.all_measures.items() if measure.winds and measure.motion]
        raise ModelError(f"{owner}: there is no angle '{name}'; {did_you_mean(name, angles)}")
    if not found.winds:
        raise ModelError(f"{owner}: '{name}' is a distance; it acts on angles only: use a spring along a distance.")
    if found.motion is None:
        raise ModelError(f"{owner}: '{name}' is the angle between two lines; torques act on the angles of bodies.")
