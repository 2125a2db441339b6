"""Which problem is run against which programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.hand_written import Source
from grashof.problems import Case, make_case


@dataclass(frozen=True)
class Contest:
    """A problem and the programs written for it.

    predictable  whether double precision can follow the motion to its end, so that a comparison with the reference is
                 meaningful
    against      title of the contest with which Grashof's time for this one is compared
    """

    title: str
    problem: str
    programs: tuple[Source, ...]
    variant: str | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    predictable: bool = True
    against: str = ""

    def case(self) -> Case:
        """The problem itself."""
        return make_case(self.problem, self.variant, self.parameters)


def _four_bar(windows: int, duration: float) -> tuple[Source, ...]:
    defines = {"WINDOWS": windows, "T_END": duration}
    return (
        Source("four_bar_natural", "natural coordinates", defines),
        Source("four_bar_pendulum", "1 angle, limit", defines),
    )


def _grid(start: str) -> tuple[Source, ...]:
    return (
        Source("grid_natural", "natural coordinates", {"START": start}),
        Source("grid_rows", "5 angles, limit", {"START": start}),
    )


CONTESTS = (
    Contest(
        "andrews",
        "andrews",
        (
            Source("andrews_angles", "7 angles"),
            Source("andrews_reduced", "1 angle, limit"),
        ),
        variant="iftomm",
    ),
    Contest("double four-bar", "double-four-bar", _four_bar(2, 10.0)),
    Contest(
        "n-four-bar, N = 40",
        "n-four-bar",
        _four_bar(40, 20.0),
        parameters={"N": 40},
        against="double four-bar",
    ),
    Contest("5×5, top-row", "multiple-four-bar", _grid("TOP_ROW"), variant="top-row"),
    Contest("5×5, all-rows", "multiple-four-bar", _grid("ALL_ROWS"), variant="all-rows"),
    Contest("5×5, upright", "multiple-four-bar", _grid("UPRIGHT"), variant="upright", predictable=False),
)
