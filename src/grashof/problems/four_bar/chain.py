"""Rows of four-bars, one or many above each other (the grid), as pins.

On their branch all vertical bars of a row are parallel and all horizontal bars remain horizontal, so the pins of a
level have the same motion: R moving pins form a chain from the origin; C + 1 vertical bars connect a pin to the
previous one, and C horizontal bars move with a pin.
"""

from __future__ import annotations

from decimal import Decimal

from grashof.precise.pins import ZERO, Pins, PreciseBody, PreciseMoment, dot


class PinChain:
    """R rows of C windows, bars of 1 m and 1 kg, as pins: 0 to R − 1 move, R is the origin."""

    def __init__(self, rows: int, columns: int, gravity: str) -> None:
        verticals, horizontals = Decimal(columns + 1), Decimal(columns)
        levels = [(rows if pin == 0 else pin - 1, pin) for pin in range(rows)]
        bodies = [PreciseBody(*level, verticals, (Decimal("0.5"), ZERO), verticals / 12) for level in levels]
        bodies += [PreciseBody(pin, pin, horizontals, (ZERO, ZERO), ZERO) for pin in range(rows)]
        loads = [horizontals + (verticals / 2 if pin == rows - 1 else verticals) for pin in range(rows)]
        self.weight = [force for load in loads for force in (ZERO, -Decimal(gravity) * load)]
        self.pins = Pins(rows, [(ZERO, ZERO)], bodies, levels, lambda place: self.weight)

    def energy(self, now: PreciseMoment) -> Decimal:
        """T + V, J; V = 0 with all pins at the origin's height."""
        return self.pins.kinetic(now.velocity) - dot(self.weight, now.place)
