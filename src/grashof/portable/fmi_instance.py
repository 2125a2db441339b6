"""An instance of an FMU in memory, and inside the kernels that work on it.

An instance is one block of memory: what belongs to the importer (its logger, its name), then what is saved with a
state: the mode, and the session (see `live.session`). Functions return the status of the standard, which is the same
in its versions 2 and 3, and say why through the logger.

Value references number all variables:

    0               time
    1 …             parameters, inputs that are forces, inputs that are motions of motors
    …               outputs
    …               states [q, v, e], then their derivatives, then event indicators
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import Structure, c_char, c_int64, c_void_p, sizeof
from dataclasses import dataclass, field
from functools import cached_property

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import Kernel, offsets, table
from grashof.integrate.values import Array, Record, Value
from grashof.live.session import CODES, SessionControl, SessionSpace

OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3

INSTANTIATED, INITIALIZATION, EVENT, CONTINUOUS, STEP, TERMINATED = (1 << k for k in range(6))
"""The modes of an instance."""

EARLY = INSTANTIATED | INITIALIZATION
RUNNING = EVENT | CONTINUOUS | STEP
ANY = EARLY | RUNNING | TERMINATED

MODEL_EXCHANGE, CO_SIMULATION = 0, 1

DRIFT = 0.1
"""How far states may leave the joints' equations before they are corrected, relative to the tolerance."""

REASONS = {
    "STEP_TOO_SMALL": "the step size has become too small at t = %.9g s: forces or geometry change too fast",
    "NOT_FINITE": "numbers became infinite or undefined at t = %.9g s; check the parameters and inputs, "
    "and friction (mu), whose equations may have no unique solution there",
    "CONSTRAINTS_UNMET": "the joints cannot be closed at t = %.9g s: the mechanism locks or is pulled apart",
    "TOO_MANY_STEPS": "too many integration steps were needed up to t = %.9g s; use smaller communication steps",
    "ATTENTION": "a singular position may be near at t = %.9g s, where the motion can continue in several ways",
    "TOLERANCE_UNMET": "the estimated error exceeds the tolerance with which the FMU was made (t = %.9g s)",
    "INACCURATE": "the energy balance does not hold to the tolerance with which the FMU was made (t = %.9g s)",
    "NOT_ASSEMBLED": "with these parameters the joints cannot be closed, or only in another assembly mode (t = %.9g s)",
    "END_OF_LAWS": "laws of time are known up to t = %.9g s only; make the FMU for a later stop time",
}
"""What is said about outcomes of a session; of the time that was reached."""


class Instance(Structure):
    """The beginning of an instance; what follows `magic` is saved with a state."""

    _fields_ = (
        ("logger", c_void_p),
        ("environment", c_void_p),
        ("text", c_char * 320),
        ("name", c_char * 128),
        ("magic", c_int64),  # which FMU this is
        ("kind", c_int64),
        ("mode", c_int64),
        ("fresh", c_int64),  # 1 if `shown` belongs to the present state and numbers
        ("doubted", c_int64),  # 1 if a doubt about the motion was reported
        ("moved", c_int64),  # 1 if states were changed and the importer does not know it yet
    )


@dataclass(frozen=True, eq=False)
class FmuSpace:
    """The layout of an instance in memory, and its settings.

    parameters   number of parameters, of inputs that are forces, and of inputs that are motions of motors
    outputs      for each whether it counts from the start
    bounds       least and largest value of each parameter and input
    indicators   number of event indicators
    """

    version: int
    session: SessionSpace
    parameters: int
    forces: int
    motions: int
    bounds: Sequence[tuple[float, float]]
    outputs: Sequence[bool]
    indicators: int
    token: str
    magic: int
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def sizes(self) -> Sizes:
        return self.session.track.work.sizes

    @property
    def states(self) -> int:
        """Number of continuous states."""
        return self.sizes.size

    @property
    def numbers(self) -> int:
        """Number of parameters and inputs."""
        return self.parameters + self.forces + self.motions

    @cached_property
    def references(self) -> dict[str, int]:
        """The first value references."""
        return offsets(
            {
                "time": 1,
                "numbers": self.numbers,
                "outputs": len(self.outputs),
                "states": self.states,
                "derivatives": self.states,
                "indicators": self.indicators,
            }
        )

    @cached_property
    def places(self) -> dict[str, int]:
        path = self.session.path
        inputs = path.numbers + len(path.kept) if path else 0
        return offsets(
            {
                "header": sizeof(Instance) // 8,
                "session": self.session.places["all"],
                "shown": self.references["all"],
                "rates": self.sizes.rates,
                "projected": 2 + self.states,
                "p": inputs,
                "dp": inputs,
                "dx": 1 + self.states,
                "dc": self.session.count,
                "slopes": self.sizes.rates + len(self.outputs),
            }
        )

    @property
    def bytes(self) -> int:
        """The size of an instance."""
        return 8 * self.places["all"]

    @property
    def saved(self) -> int:
        """Where the saved part begins, bytes."""
        return int(Instance.magic.offset)

    def say(self, text: str) -> str:
        """A constant text."""
        return self.texts.setdefault(text, f"@text.{len(self.texts)}")

    def constants(self) -> str:
        """All texts and tables as constants of the module."""
        lines = []
        for text, name in self.texts.items():
            data = text.encode() + b"\0"
            listed = "".join(f"\\{x:02X}" for x in data)
            lines.append(f'{name} = internal constant [{len(data)} x i8] c"{listed}"')
        least, most = zip(*self.bounds, strict=True) if self.bounds else ((), ())
        nominal = [*self.session.path.nominal] if self.session.path else []
        return "\n".join(lines) + "\n" + table("least", least) + table("most", most) + table("first", nominal)


class Body:
    """An instance inside a kernel."""

    def __init__(self, name: str, space: FmuSpace, modes: int = ANY, *, checked: bool = True) -> None:
        k = Kernel(name, 1, internal=True, returns="i32", unrolled=1)
        self.kernel, self.space = k, space
        self.memory = k.array("instance")
        self.control = Record(k, self.memory.place, Instance)
        if checked:
            none = k.emit("i1", f"icmp eq ptr {self.memory.place}, null")
            with k.when(none):
                self.leave(ERROR)
        if modes != ANY:
            allowed = k.emit("i64", f"and i64 {self.control.mode.text}, {modes}")
            with k.when(allowed.equals(0)):
                self.fail("this function was called in a mode in which the FMI standard does not allow it")

    def __getitem__(self, name: str) -> Array:
        return self.memory.at(self.space.places[name])

    @property
    def outcome(self) -> Record:
        """How the last call of the session ended."""
        return Record(self.kernel, self["session"].place, SessionControl)

    def part(self, name: str) -> Array:
        """A vector of the session."""
        return self["session"].at(self.space.session.places[name])

    def leave(self, status: int | Value) -> None:
        self.kernel.exit(status if isinstance(status, Value) else self.kernel.constant(status, "i32"))

    def log(self, status: int, text: str, number: Value | None = None) -> None:
        """Sends a message, in which %g is replaced by a number."""
        k = self.kernel
        number = k.constant(0.0) if number is None else number
        said = f"ptr {self.memory.place}, i32 {status}, ptr {self.space.say(text)}, double {number.text}"
        k.run(f"call void @log({said})")

    def fail(self, text: str, number: Value | None = None, status: int = ERROR) -> None:
        self.log(status, text, number)
        self.leave(status)

    def call(self, name: str, *arguments: Array | Value) -> Value:
        """Calls a function that returns a status."""
        listed = [f"ptr {self.memory.place}", *(_argument(x) for x in arguments)]
        return self.kernel.emit("i32", f"call i32 @{name}({', '.join(listed)})")

    def require(self, status: Value) -> None:
        """Leaves with a status unless it is OK."""
        with self.kernel.when(~status.equals(OK)):
            self.leave(status)

    def session_call(self, name: str, *arguments: Value) -> Value:
        """Calls a function of the session; returns its code."""
        self.kernel.call(name, self["session"], *arguments)
        return self.outcome.code

    def require_success(self, code: Value) -> None:
        """Says why the session did not succeed, and leaves."""
        k = self.kernel
        with k.when(~code.equals(0.0)):
            for number, name in enumerate(CODES):
                if name in REASONS:
                    with k.when(code.equals(float(number))):
                        self.log(ERROR, REASONS[name], self.part("x")[0])
            self.control.fresh = 0
            self.leave(ERROR)

    def text(self) -> str:
        if self.kernel.open:
            self.leave(OK)
        return self.kernel.text()

    # -- values in the importer's memory

    def whole(self, place: Array, index: Value, type: str = "i32") -> Value:
        """An element of an array of unsigned integers."""
        at = self.kernel.emit("ptr", f"getelementptr {type}, ptr {place.place}, i64 {index.text}")
        found = self.kernel.emit(type, f"load {type}, ptr {at.text}, align 1")
        return self.kernel.emit("i64", f"zext {type} {found.text} to i64")

    def put(self, place: Array, value: Value) -> None:
        """Stores a number of any type where the importer wants it, if it does."""
        there = self.kernel.emit("i1", f"icmp ne ptr {place.place}, null")
        with self.kernel.when(there):
            self.kernel.run(f"store {value.type} {value.text}, ptr {place.place}, align 1")

    @property
    def early(self) -> Value:
        """Whether the motion has not begun."""
        return ~self.kernel.emit("i64", f"and i64 {self.control.mode.text}, {EARLY}").equals(0)


def _argument(x: Array | Value) -> str:
    return f"{x.type} {x.text}" if isinstance(x, Value) else f"ptr {x.place}"
