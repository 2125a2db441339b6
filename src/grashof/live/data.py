"""What a live page is made from, as JSON: the module with the mechanism in it, and all that the page's engine has to know of it.

The engine is `web/src/live`. `python -m grashof.live.typescript` writes the twin of these types for it, `web/src/live/data.ts`.
"""

from __future__ import annotations

import msgspec


class LiveNumber(msgspec.Struct, frozen=True, rename="camel"):
    """A number that can be changed in the page.

    name, unit      its path and unit
    value           nominal
    scale           its size: how far it moves at once when a start is followed to other values
    lower, upper    the range that a slider has
    least, most     values beyond which there is no such mechanism, or which are not wanted; None if there are none
    kind            "parameter", "start", "motor" or "other"
    """

    name: str
    unit: str
    value: float
    scale: float
    lower: float
    upper: float
    least: float | None
    most: float | None
    kind: str


class LiveBody(msgspec.Struct, frozen=True, rename="camel"):
    """A body: its name, and how many directions its frame has."""

    name: str
    directions: int


class Observed(msgspec.Struct, frozen=True, rename="camel"):
    """A quantity that is observed. The work of a force or motor begins with zero at the start."""

    name: str
    unit: str


class LiveMotor(msgspec.Struct, frozen=True, rename="camel"):
    """A motor of given speed, whose angle or distance can be moved by hand.

    kept        which of the kept values it is
    integrated  which of the tracked angles follows it, if its speed varies; else -1
    """

    name: str
    unit: str
    kept: int
    integrated: int


class Layout(msgspec.Struct, frozen=True, rename="camel"):
    """Sizes, and where everything is.

    n, angles, extra, works   coordinates; extra states, of which the first are tracked angles and the last are works
    kept                      values that couplings keep from the start
    drawn                     numbers of the drawing behind what the set-up gives for a start: points and centres of mass in the axes of their bodies
    count, pull               coefficients, and numbers of a pull behind them
    workspace                 offsets of the vectors in a workspace, whose size is "all"; `slope` numbers lie between two slopes, of which there are `stages` + 1
    control                   names of the 64-bit fields of a control block; those in `whole` are whole numbers
    switches                  what steps are divided by: outputs of `switches`, or differences of two, whose sign or, where the third is 1, whole value counts
    looked                    how many times inside a step they are looked at, too
    pattern, redundant        columns of the entries of the rows' gradients, if singular positions are looked for, and how many rows others imply
    """

    n: int
    angles: int
    extra: int
    works: int
    kept: int
    drawn: int
    count: int
    pull: int
    workspace: dict[str, int]
    slope: int
    stages: int
    control: list[str]
    whole: list[str]
    switches: list[tuple[int, int, int]]
    looked: int
    pattern: list[list[int]]
    redundant: int


class LiveStart(msgspec.Struct, frozen=True, rename="camel"):
    """The nominal start.

    time        s
    state       [q, v, e], from which runs begin if no numbers are open
    extra       the extra states at the nominal values
    kept        what couplings keep there
    integrated  states that motors of varying speed integrate, and which of the kept values each begins with
    wrapped     tracked angles that are within ±π at a start
    """

    time: float
    state: list[float]
    extra: list[float]
    kept: list[float]
    integrated: list[tuple[int, int]]
    wrapped: list[int]


class LiveSettings(msgspec.Struct, frozen=True, rename="camel"):
    """How the motion is integrated: the numbers are those of `grashof.simulate`.

    tol              the error over the whole run
    step_tol         the first tolerance of steps, in lengths, speeds and energies of the mechanism
    finest           no tolerance of steps is smaller
    coarser, safety  the factor between the tolerances of the two runs that are compared, and the safety of the estimate
    imbalance        what the energy may be off by, relative to the energy that moves
    length, mass     scales, m, kg; the mass is that of the nominal values
    weights          of extra states that are no works
    controlled       how many components the error of a step is the mean of
    longest          step, s; None if there is no bound
    span             the time of a run, s
    earliest, latest times within which laws of time are known, s; None if there are none
    stops            times at which steps have to end, and where the motion goes on behind
    attentive        whether singular positions are looked for
    """

    method: str
    tol: float
    step_tol: float
    finest: float
    coarser: float
    safety: float
    imbalance: float
    length: float
    mass: float
    weights: list[float]
    controlled: int
    longest: float | None
    span: float
    earliest: float | None
    latest: float | None
    stops: list[tuple[float, float]]
    attentive: bool


class LiveData(msgspec.Struct, frozen=True, rename="camel"):
    """A live mechanism.

    wasm      the module, in base64
    free      the first address in its memory that is free
    statuses  the words for each code that an outcome may have
    notes     what the page cannot do, in sentences
    """

    name: str
    dimension: int
    wasm: str
    free: int
    numbers: list[LiveNumber]
    bodies: list[LiveBody]
    motors: list[LiveMotor]
    observed: list[Observed]
    layout: Layout
    start: LiveStart
    settings: LiveSettings
    statuses: dict[str, str]
    notes: list[str]

    def json(self) -> str:
        """As JSON."""
        return msgspec.json.encode(self).decode()
