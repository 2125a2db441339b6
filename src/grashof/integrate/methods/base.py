"""An integration method: what the time loop needs to know about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.backward import BackwardStep
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Value
    from grashof.integrate.work import Dimensions


@dataclass(frozen=True, eq=False)
class Method(ABC):
    """One step from y₀ at t₀ with step size h, for y′ = f(t, y), as native code.

    The loop (see `loop`), the step-size controller, the projection, the dense output and the events know a method only
    by what is listed here. A step begins with the slope of its start, the first of its slopes, and leaves its end
    before the projection in `step.trial`. The last of its slopes is that of its end after the projection; it is the
    first of the next step.

    order    p: the error of a step is O(h^(p+1)); its estimate is O(h^p)
    share    permitted error of one step as a fraction of the tolerance for the whole run, measured so that runs end
             about within their tolerance
    """

    name: str
    title: str
    order: int
    share: float

    @property
    @abstractmethod
    def slopes(self) -> int:
        """Number of slopes, the first and the last included."""

    @property
    @abstractmethod
    def evaluations(self) -> int:
        """Calls of `derivative` by `make_step`."""

    @property
    def estimate_order(self) -> int:
        """The power of h in the estimated error of a step; p unless the estimate is that of a method of a far lower
        order."""
        return self.order

    def count_evaluations(self, step: Step) -> Value | int:
        """How many the last step took, if `evaluations` are not what every step takes."""
        return self.evaluations

    def predict_work(self, mechanism: Dimensions, evaluations: float) -> float:
        """How long a step with so many evaluations takes (see `work`)."""
        return mechanism.step(evaluations)

    def limit_growth(self, step: Step) -> Value | None:
        """By which factor the next step may be longer, if more than its error limits it."""
        return None

    def forget(self, step: Step) -> None:  # noqa: B027  # few methods have to
        """Emits statements for the start of a run or of a stretch, for methods that use what they know of the step
        before."""

    def forget_past(self, step: Step) -> None:  # noqa: B027
        """Emits statements for a jump of the forces at the start of a step, for methods that use the motion inside the
        step before."""

    def accept(self, step: Step, h: Value) -> None:  # noqa: B027
        """Emits statements for a step of size h that was accepted, for the same methods."""

    @property
    @abstractmethod
    def estimates(self) -> int:
        """Number of error estimates e. None: the step is fixed. One: err = h·‖e₀‖. Two: err = h·‖e₀‖²/√(‖e₀‖² +
        0.01·‖e₁‖²)."""

    @property
    def adaptive(self) -> bool:
        """Whether the step follows the estimated error."""
        return self.estimates > 0

    @property
    @abstractmethod
    def closes(self) -> bool:
        """Whether the error estimate uses the slope at the end of the step."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The functions of the mechanism that it calls besides `derivative`, by name (see `step.ADDRESSES`)."""
        return ()

    def room(self, sizes: Sizes) -> int:
        """How many numbers it keeps in `step.own` from one statement to the next."""
        return 0

    @property
    def inner(self) -> tuple[float, ...]:
        """The points θ of a step, the last of which is 1, at which it gives the motion inside (see `inner`). If there
        are none, polynomials through accelerations describe it, which stiff forces would spoil (see `dense`)."""
        return ()

    def keep_inside(self, step: Step) -> None:  # noqa: B027
        """Emits statements that set `step.inner` to u(θ) − y₀ at these points of the step that was made last."""

    @abstractmethod
    def make_step(self, step: Step, h: Value) -> None:
        """Emits the statements of a step of size h."""

    @abstractmethod
    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        """The estimates e of the errors of y₁, divided by h: for the direct coordinates, and for everything else
        (see `Sizes`)."""

    def pull_step(self, back: BackwardStep) -> None:
        """Emits the statements that take ȳ₁ back to ȳ₀, as the exact derivative of the step that was made: stages are
        computed once more from its start, or taken from what was recorded (see `backward`)."""
        raise ModelError(f"Gradients are not computed backwards through steps of {self.title}; use gradient='forward'.")
