"""One step backwards, as native code: from the derivatives of a number with respect to the end of a step to those with
respect to its start.

With ȳ₁ = ∂g/∂y₁ for a number g of the run, and y₁ = P(t₁, Y, c) for the state Y that the method of the step arrives at,
P_yᵀ ȳ₁ and P_cᵀ ȳ₁ are pulled through the projection here; the rest of the step is the method's (`Method.pull_step`).

The code calls functions of its own module, with weights w and x = [t, q, v, e]:

    pull.derivative(x, c, w, out)    out = [w·∂f/∂y, w·∂f/∂c] for the rates f
    pull.project(x, c, w, out)       the same for the projection
    pull.slope(x, c, ẋ, w, out)      the same for the derivative of the rates along ẋ, if the method needs it
"""

from __future__ import annotations

from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Value


class BackwardStep:
    """The vectors of a step of size h that ends at a time, and operations on them.

    step      the step: its start, and the motion inside if it was recorded
    adjoint   ȳ₁, which becomes ȳ₀
    gradient  c̄ = ∂g/∂c, to which the step adds
    found     of the last function that was pulled back: the derivatives with respect to y, then c
    room      numbers in the work space
    """

    def __init__(self, kernel: Kernel, space: Workspace, coefficients: int) -> None:
        self.kernel, self.sizes, self.coefficients = kernel, space.sizes, coefficients
        self.h, self.t_next = kernel.number("h"), kernel.number("t_next")
        self.adjoint, self.gradient, self._work = (kernel.array(x) for x in ("adjoint", "gradient", "work"))
        self.step, self.room = Step(kernel, space, self._work), space.places["all"]
        self.found = self.vector(space.sizes.size + coefficients)

    def vector(self, length: int) -> Array:
        """Room for numbers."""
        self.room += length
        return self._work.at(self.room - length)

    def clear(self, vector: Array, length: int) -> None:
        """Sets the numbers to zero."""
        for i in self.kernel.each(length):
            vector[i] = self.kernel.constant(0.0)

    def project(self, end: Array) -> None:
        """Pulls ȳ₁ through the projection of the state Y at the end: P_yᵀ ȳ₁ replaces ȳ₁."""
        end[0] = self.t_next
        self.pull("project", end, self.adjoint)
        self.kernel.copy(self.found, self.adjoint, self.sizes.size)

    def pull(self, function: str, point: Array, weights: Array, *along: Array, add: bool = True) -> Array:
        """w·∂f/∂y; what follows for the coefficients is added to c̄, unless that is not wanted."""
        coefficients = self.step.work.address(self.step.space.address_of("coefficients"))
        self.kernel.call(f"pull.{function}", point, coefficients, *along, weights, self.found)
        if add:
            of_c = self.found.at(self.sizes.size)
            for i in self.kernel.each(self.coefficients):
                self.gradient[i] = self.gradient[i] + of_c[i]
        return self.found

    def add(self, vector: Array, target: Array, length: int, factor: Value | float = 1.0) -> None:
        """target += factor · vector."""
        for i in self.kernel.each(length):
            target[i] = target[i] + factor * vector[i]
