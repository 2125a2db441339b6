"""Random mass distributions for links: slender bars, and bodies of a few particles."""

from __future__ import annotations

import numpy as np

from campaign.structure import Array, Solid


def slender(name: str, length: float, mass: float, dimension: int) -> Solid:
    """A uniform bar: m/6, 2m/3, m/6 at start, middle and end have its mass, centre and inertia (Simpson's rule)."""
    along = np.zeros((3, dimension))
    along[:, 0] = 0.0, 0.5 * length, length
    pins = {"start": along[0], "end": along[2]}
    return Solid(name, mass * np.array([1.0, 4.0, 1.0]) / 6.0, along, pins, slender=True)


def lump(rng: np.random.Generator, name: str, pins: dict[str, Array], mass: float, size: float) -> Solid:
    """A general body around its pins."""
    dimension = len(next(iter(pins.values())))
    count = 5
    middle = np.mean(list(pins.values()), axis=0)
    shares = rng.uniform(0.2, 1.0, count)
    places = middle + size * rng.normal(scale=0.4, size=(count, dimension))
    return Solid(name, mass * shares / shares.sum(), places, pins)


def link(rng: np.random.Generator, name: str, length: float, mass: float, dimension: int, general: bool) -> Solid:
    """A link from pin `start` at its origin to pin `end` on its x axis."""
    bar = slender(name, length, mass, dimension)
    return lump(rng, name, dict(bar.pins), mass, length) if general else bar
