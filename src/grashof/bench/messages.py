"""The messages between the bench and its worker processes: one job to the worker, lines of JSON back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from grashof.bench.subject import BenchSubject

RESOLUTION = 1e-9
"""Resolution of the clock, s."""

Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e12)]
"""A measured duration, s."""


class BenchJob(msgspec.Struct, frozen=True):
    """One measurement or, without a setting, a request for the available settings.

    engine   a name in `grashof.engines.ENGINES`, or `module:name` of an engine of your own
    limit_s  CPU seconds after which an integration is aborted
    """

    subject: BenchSubject
    engine: str
    setting: str | None = None
    limit_s: float = 60.0


class BenchRung(msgspec.Struct, frozen=True):
    """A setting of an engine: its name, its values, and its place in the ladder, 0 being the coarsest."""

    name: str
    values: Mapping[str, Any]
    place: int


class Survey(msgspec.Struct, frozen=True, tag="survey"):
    """An engine's answer before anything is measured, with its settings from coarse to fine."""

    version: str
    notes: tuple[str, ...]
    ladder: tuple[BenchRung, ...]


class Excuse(msgspec.Struct, frozen=True, tag="excuse"):
    """The reason why there is no measurement.

    kind     absent (not installed), refused (it does not support this mechanism) or failed
    reason   in the engine's own words
    limit_s  the time limit that ended it, s; 0 if there was another reason
    """

    kind: Literal["absent", "refused", "failed"]
    reason: str
    version: str = ""
    limit_s: float = 0.0


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """The first run of a process, which is judged; its time is stored separately.

    build_cpu_s    process CPU and wall seconds from the assembled mechanism to the engine's own model, ready to run
    build_wall_s
    warm_up_cpu_s  of this first integration
    calibration_s  of the unit of work, see `grashof.bench.calibration`
    error          largest |error| as defined by the problem's rule, J
    deviation      largest relative deviation from the reference
    assessment     the judge's full assessment
    """

    build_cpu_s: Seconds
    build_wall_s: Seconds
    warm_up_cpu_s: Seconds
    calibration_s: Annotated[float, msgspec.Meta(ge=RESOLUTION, le=1e12)]
    steps: int
    passes: bool
    error: float | None
    deviation: float | None
    assessment: Mapping[str, Any]


class Sample(msgspec.Struct, frozen=True, tag="sample"):
    """Process CPU and wall seconds of one integration; of short ones, the mean of several."""

    cpu_s: Seconds
    wall_s: Seconds


Message = Survey | Excuse | Judged | Sample
