"""Small systems with known motions, compiled for the integrator."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence

from grashof.formulation.layout import Sizes
from grashof.integrate import Integrator
from grashof.integrate.jacobian import jacobian_library
from grashof.scalar.functions import Scalar, sin, sqrt
from grashof.tape import Library, Tape, emit, trace
from grashof.tape.llvm import STRAIGHT_LINE

Function = Callable[[list[Scalar]], Sequence[Scalar]]
GRAVITY = 9.81


def unconstrained(x: list[Scalar]) -> list[Scalar]:
    """A projection with nothing to do."""
    return [*x[1:], 0.0]


def native(n: int, extra: int, derivative: Function, project: Function = unconstrained) -> Integrator:
    """Both functions of x = [t, q, v, e] traced and compiled, with q̇ = v."""
    return compiled(Sizes(n, n, extra), derivative, project)


def compiled(sizes: Sizes, derivative: Function, project: Function = unconstrained) -> Integrator:
    """With the Jacobian, for methods that need it."""
    tapes = tapes_of(sizes, derivative=derivative, project=project)
    return Integrator(Library(emit(tapes)), sizes, jacobian=lambda: jacobian_library(tapes["derivative"], sizes))


def tapes_of(sizes: Sizes, **functions: Function) -> dict[str, Tape]:
    """Functions of x = [t, q, v, e], traced."""
    return {name: trace(lambda x, _, of=function: of(x), 1 + sizes.size, 0) for name, function in functions.items()}


class Interpreted:
    """Both functions called back in Python, where they may misbehave and are counted."""

    def __init__(self, n: int, extra: int, derivative: Function, project: Function = unconstrained) -> None:
        self.evaluations = self.projections = 0
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.POINTER(ctypes.c_double)] * 3)
        size = 1 + 2 * n + extra

        def evaluate(x: Sequence[float], _: Sequence[float], out: list[float]) -> None:
            self.evaluations += 1
            for i, value in enumerate(derivative(x[:size])):
                out[i] = value

        def restore(x: Sequence[float], _: Sequence[float], out: list[float]) -> None:
            self.projections += 1
            for i, value in enumerate(project(x[:size])):
                out[i] = value

        self.callbacks = prototype(evaluate), prototype(restore)
        stubs = [
            f"define void @{name}(ptr %x, ptr %c, ptr %out) {STRAIGHT_LINE} {{\n"
            f"  call void inttoptr (i64 {ctypes.cast(callback, ctypes.c_void_p).value} to ptr)(ptr %x, ptr %c, "
            "ptr %out)\n"
            "  ret void\n}\n"
            for name, callback in zip(("derivative", "project"), self.callbacks, strict=True)
        ]
        sizes = Sizes(n, n, extra)

        def jacobian() -> Library:
            return jacobian_library(tapes_of(sizes, derivative=derivative)["derivative"], sizes)

        self.integrator = Integrator(Library("".join(stubs)), sizes, jacobian=jacobian)


def oscillator(rate: float = 1.0) -> Function:
    """q̈ = −rate² q."""
    return lambda x: [-(rate * rate) * x[1]]


def pendulum(x: list[Scalar]) -> list[Scalar]:
    """θ̈ = −sin θ, θ being the coordinate."""
    return [-sin(x[1])]


LENGTH = 1.5


def cartesian_pendulum(x: list[Scalar]) -> list[Scalar]:
    """A mass at r = (x, y) held at |r| = ℓ, with the angle from the downward vertical as an extra state.

    r̈ = g − r (ṙ·ṙ + g·r)/ℓ²      φ̇ = (x ẏ − y ẋ)/ℓ²
    """
    _, rx, ry, vx, vy, _ = x
    tension = (vx * vx + vy * vy - GRAVITY * ry) / LENGTH**2
    return [-tension * rx, -GRAVITY - tension * ry, (rx * vy - ry * vx) / LENGTH**2]


def on_circle(x: list[Scalar]) -> list[Scalar]:
    """The nearest point of the circle, the tangential part of the velocity, and Φ² for Φ = (r·r − ℓ²)/2ℓ."""
    _, rx, ry, vx, vy, angle = x
    scale = LENGTH / sqrt(rx * rx + ry * ry)
    rx, ry = scale * rx, scale * ry
    along = (rx * vx + ry * vy) / LENGTH**2
    violation = (rx * rx + ry * ry - LENGTH**2) / (2 * LENGTH)
    return [rx, ry, vx - along * rx, vy - along * ry, angle, violation * violation]


def released(angle: float) -> list[float]:
    """The Cartesian pendulum at rest at this angle from the downward vertical."""
    return [LENGTH * math.sin(angle), -LENGTH * math.cos(angle), 0.0, 0.0, angle]


def pendulum_angle(t: float, start: float, rate: float = 1.0) -> float:
    """θ(t) of θ̈ = −rate² sin θ released at rest: sin(θ/2) = k cd(rate·t, k), k = sin(θ₀/2)."""
    import mpmath

    k = mpmath.sin(mpmath.mpf(start) / 2)
    return float(2 * mpmath.asin(k * mpmath.ellipfun("cd", mpmath.mpf(rate) * t, k=k)))
