"""The data of a live page, as JSON: the compiled mechanism, and all that the page's engine needs to know about it.

The engine is `web/src/live`. `python -m grashof.live.typescript` writes the corresponding TypeScript types,
`web/src/live/data.ts`.
"""

from __future__ import annotations

import msgspec


class LiveNumber(msgspec.Struct, frozen=True, rename="camel"):
    """A number that can be changed in the page.

    name, unit      its path and unit
    value           nominal value
    scale           its magnitude: the largest increment when a start is followed to other values
    lower, upper    range of the slider
    least, most     bounds beyond which the mechanism does not exist or which were declared; None if there are none
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
    """A body: its name, and the number of directions of its frame."""

    name: str
    directions: int


class Observed(msgspec.Struct, frozen=True, rename="camel"):
    """A quantity that is observed; works count from the start, where they are zero."""

    name: str
    unit: str
    from_start: bool


class LiveMotor(msgspec.Struct, frozen=True, rename="camel"):
    """A motor of given speed, whose angle or distance can be moved by hand.

    kept        index of its value among the kept values
    integrated  index of the tracked angle that follows it, if its speed varies; otherwise -1
    """

    name: str
    unit: str
    kept: int
    integrated: int


class Layout(msgspec.Struct, frozen=True, rename="camel"):
    """Sizes and positions of all vectors.

    n, angles, extra, works   coordinates; extra states, which begin with tracked angles and end with works
    kept                      number of values that couplings keep from the start
    drawn                     number of values for the drawing that the set-up appends to those for a start: points and
                              centres of mass in the axes of their bodies
    count, pull               number of coefficients, and of the numbers of a pull that follow them
    workspace                 offsets of the vectors in a workspace, whose size is "all"; there are `stages` + 1 slopes,
                              each `slope` numbers after the one before
    control                   names of the 64-bit fields of a control block; those in `whole` are integers
    switches                  where steps are divided: outputs of `switches`, or differences of two of them, at a change
                              of the sign or, if the third entry is 1, of the integer value
    looked                    number of times within a step at which the switches are evaluated as well
    pattern, redundant        columns of the entries of the rows' gradients, if singular positions are searched for, and
                              the number of redundant rows
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
    kept        the values that couplings keep from the nominal start
    integrated  states that motors of varying speed integrate, each with the index of the kept value at which it begins
    wrapped     tracked angles that are within ±π at a start
    """

    time: float
    state: list[float]
    extra: list[float]
    kept: list[float]
    integrated: list[tuple[int, int]]
    wrapped: list[int]


class LiveSettings(msgspec.Struct, frozen=True, rename="camel"):
    """Settings of the integration; the values are those of `grashof.simulate`.

    tol              tolerance of the error over the whole run
    step_tol         initial tolerance of steps, relative to the length, speed and energy scales of the mechanism
    finest           smallest tolerance of steps
    coarser, safety  factor between the tolerances of the two runs that are compared, and safety factor of the estimate
    longer           the factor between other limits on their steps
    imbalance        largest energy-balance error, relative to the energy that is exchanged
    length, mass     scales, m, kg; the mass is that of the nominal values
    weights          weights of the extra states that are not works
    controlled       number of components over which the error of a step is averaged
    longest          longest step, s; None if there is no bound
    span             duration of a run, s
    earliest, latest times between which laws of time are known, s; None if there are none
    stops            times at which a step must end, each with the time at which the motion continues
    attentive        whether singular positions are searched for
    """

    method: str
    tol: float
    step_tol: float
    finest: float
    coarser: float
    longer: float
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

    wasm      the WebAssembly module, in base64
    fused     modules with the function `fused` that it imports; the first that a browser knows and that rounds once is used
    free      the first free address in its memory
    statuses  the text for each code of an outcome
    notes     sentences on what the page cannot do
    """

    name: str
    dimension: int
    wasm: str
    fused: list[str]
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
        """The data as JSON."""
        return msgspec.json.encode(self).decode()
