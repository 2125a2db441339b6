"""Four-bars whose rocker follows a function of the crank's angle."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.questions.synthesis.design import Array, FourBarDesign, branch_of


def four_bar_for_function(crank: Sequence[float], rocker: Sequence[float], *, frame: float = 1.0) -> FourBarDesign:
    """Finds a four-bar whose rocker has given angles at given angles of the crank, from F. Freudenstein's equation (An
    analytical approach to the design of four-link mechanisms, Trans. ASME 76, 1954, 483-492):

        K₁ cos ψ − K₂ cos φ + K₃ = cos(φ − ψ),   K₁ = d/a,   K₂ = d/c,   K₃ = (a² − b² + c² + d²)/(2 a c)

    with crank a, coupler b, rocker c, frame d, and both angles from the line from A to D. Three points determine the
    four-bar; of more the equation holds as well as it can, and `errors` are those of ψ. Where the equation gives a
    negative length, that link points the other way, and `remarks` says so.

    crank    the angles φ, rad, three or more
    rocker   the angles ψ, rad
    frame    d, m

    >>> design = four_bar_for_function([0.5, 1.0, 1.5], [1.6, 1.8, 2.1])
    >>> design.error < 1e-9
    True
    """
    phi, psi = np.asarray(crank, float), np.asarray(rocker, float)
    if phi.shape != psi.shape or phi.ndim != 1 or len(phi) < 3:
        raise ModelError(f"There are {phi.size} angles of the crank and {psi.size} of the rocker; give three or more.")
    if not (np.isfinite(phi).all() and np.isfinite(psi).all() and frame > 0.0):
        raise ModelError("The angles must be finite and the frame positive.")
    rows = np.stack([np.cos(psi), -np.cos(phi), np.ones_like(phi)], axis=1)
    found, _, rank, _ = np.linalg.lstsq(rows, np.cos(phi - psi), rcond=1e-12)
    if rank < 3 or min(abs(found[0]), abs(found[1])) < 1e-9:
        raise ModelError("No four-bar of finite lengths has these angles; choose others.")
    a, c = frame / found[0], frame / found[1]
    square = a * a + c * c + frame * frame - 2.0 * a * c * found[2]
    if square <= 0.0:
        raise ModelError(f"The coupler would have the square {square:.3g} m²; choose other angles.")
    remarks = [
        f"The {name} points the other way: its angle is half a revolution more than given."
        for name, length in (("crank", a), ("rocker", c))
        if length < 0.0
    ]
    b, d = math.sqrt(square), complex(frame)
    sides = [branch_of(a * np.exp(1j * x), d + c * np.exp(1j * y), d) for x, y in zip(phi, psi, strict=True)]
    branch = max(set(sides), key=sides.count)
    if len(set(sides)) > 1:
        remarks.append("The points are not on one branch: the four-bar would have to be taken apart between them.")
    angles = phi + (math.pi if a < 0.0 else 0.0)
    design = FourBarDesign(
        ((0.0, 0.0), (frame, 0.0)), abs(a), b, abs(c), (0.0, 0.0), branch, angles, np.zeros(len(phi)), "rad", ()
    )
    errors = [
        _rocker_error(design, *each) for each in zip(angles, sides, psi + (math.pi if c < 0.0 else 0.0), strict=True)
    ]
    return FourBarDesign(**{**design.__dict__, "errors": np.array(errors), "remarks": tuple(remarks)})


def _rocker_error(design: FourBarDesign, angle: float, side: int, wanted: float) -> float:
    """By how much the rocker's angle differs from what is wanted, rad; infinite where it cannot be closed."""
    place: Array = FourBarDesign(**{**design.__dict__, "branch": side}).places(angle)[1][0]
    if not np.isfinite(place).all():
        return math.inf
    return math.remainder(math.atan2(place[1], place[0] - design.frame) - wanted, math.tau)
