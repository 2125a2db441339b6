"""Columns that the result files of several problems share, and their names in other tools."""

from __future__ import annotations

from grashof.problems.base import Column, Quantity

TIME = Column("t", "s", lambda run: run.t, also=("time", "zeit", "temps"))

KINETIC = Column(
    *("kinetic", "J", lambda run: run["kinetic"]), balance=1.0, also=("T", "ekin", "ek", "ke", "kineticenergy")
)

POTENTIAL = Column(
    *("potential", "J", lambda run: run["potential"]), balance=1.0, also=("V", "epot", "ep", "pe", "potentialenergy")
)

VIOLATIONS = tuple(
    Column(
        name=f"violation_{level}",
        unit=unit,
        value=lambda run, level=level: run[f"violation.{level}"],  # type: ignore[misc]
        violation=True,
        also=(f"violation{short}", f"{level}violation", f"constraintviolation{level}", f"c{short}", f"err{short}"),
    )
    for level, short, unit in (("position", "pos", "m"), ("velocity", "vel", "m/s"), ("acceleration", "acc", "m/s²"))
)
"""Largest violations of the joint equations: positions, velocities, accelerations."""


def energy(value: Quantity) -> Column:
    """The total energy T + V, from any datum."""
    also = ("E", "etot", "totalenergy", "mechanicalenergy", "ee0", "deltae", "balance", "drift", "energydrift")
    return Column("energy", "J", value, balance=1.0, also=also)


def work(value: Quantity) -> Column:
    """The work of all forces without a potential."""
    also = ("W", "workdrive", "workofthetorque", "torquework", "externalwork")
    return Column("work", "J", value, balance=-1.0, also=also)
