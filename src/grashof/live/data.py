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


class Observed(msgspec.Struct, frozen=True, rename="camel"):
    """A quantity that is observed; works count from the start, where they are zero."""

    name: str
    unit: str
    from_start: bool


class LiveMotor(msgspec.Struct, frozen=True, rename="camel"):
    """A motor of given speed, whose angle or distance can be moved by hand.

    kept        index of its value among the kept values
    integrated  index of the tracked angle that follows it, if its speed varies; otherwise -1
    stride      angle, rad, or distance, m, by which it is moved at once
    """

    name: str
    unit: str
    kept: int
    integrated: int
    stride: float


class LiveSettings(msgspec.Struct, frozen=True, rename="camel"):
    """Settings of the integration, as in `grashof.simulate`.

    method        the integration method
    tol           tolerance of the error over the whole run
    length, mass  scales, m, kg; the mass is that of the nominal values
    span          duration of a run, s
    """

    method: str
    tol: float
    length: float
    mass: float
    span: float


class LiveData(msgspec.Struct, frozen=True, rename="camel"):
    """A live mechanism.

    wasm      the WebAssembly module, in base64
    fused     modules with the function `fused` that it imports; the first that a browser knows and that rounds once is
              used
    free      the first free address in its memory
    size      number of doubles that it needs there
    blocks    where the page reads and writes: the first double and their number, by name (see `live.session`)
    codes     the codes of outcomes, by number
    bodies    their names
    statuses  the text for each code of an outcome
    notes     sentences on what the page cannot do
    """

    name: str
    wasm: str
    fused: list[str]
    free: int
    size: int
    blocks: dict[str, tuple[int, int]]
    codes: list[str]
    numbers: list[LiveNumber]
    bodies: list[str]
    motors: list[LiveMotor]
    observed: list[Observed]
    settings: LiveSettings
    statuses: dict[str, str]
    notes: list[str]

    def json(self) -> str:
        """The data as JSON."""
        return msgspec.json.encode(self).decode()
