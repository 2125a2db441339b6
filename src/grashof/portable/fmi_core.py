"""What an FMU does, apart from the signatures of a version of the standard, as native code.

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

from collections.abc import Callable, Sequence
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

TOGETHER = 1e-6
"""By which part of a step its beginning may differ from the time that was reached."""

DRIFT = 0.1
"""How far states may leave the joints' equations before they are corrected, relative to the tolerance."""

LIBC = """\
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @supported()
"""
EXTERNAL = ("calloc", "free", "strcmp", "snprintf", "supported")
"""Functions of the C library, and whether the processor is one for which the machine code was made."""

REASONS = {
    "STEP_TOO_SMALL": "the step size has become too small at t = %.9g s: forces or geometry change too fast",
    "NOT_FINITE": "numbers became infinite or undefined at t = %.9g s; check the parameters and inputs",
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


def core_ir(space: FmuSpace) -> str:
    """The code of all functions."""
    parts: list[Callable[[FmuSpace], str]] = [
        _log_ir,
        _make_ir,
        _drop_ir,
        _refresh_ir,
        _get_values_ir,
        _set_values_ir,
        _check_start_ir,
        _begin_initialization_ir,
        _end_initialization_ir,
        _terminate_ir,
        _reset_ir,
        _do_step_ir,
        _get_reached_ir,
        _without_variables_ir,
        _refuse_ir,
        _accept_ir,
    ]
    return "".join(part(space) for part in parts)


def _log_ir(space: FmuSpace) -> str:
    """`log(instance, status, format, number)`"""
    k = Kernel("log", 1, internal=True)
    memory = k.array("instance")
    c = Record(k, memory.place, Instance)
    status, text, number = k.number("status", "i32"), k.array("format"), k.number("number")
    buffer = memory.at(Instance.text.offset // 8)
    name = memory.at(Instance.name.offset // 8)
    written = f"ptr {buffer.place}, i64 320, ptr {text.place}, double {number.text}"
    k.emit("i32", f"call i32 (ptr, i64, ptr, ...) @snprintf({written})")
    logger = c.logger
    with k.when(k.emit("i1", f"icmp ne ptr {logger.text}, null")):
        category = space.say("logStatusError")
        environment = c.environment.text
        said = f"i32 {status.text}, ptr {category}, ptr {buffer.place}"
        if space.version == 3:
            k.run(f"call void {logger.text}(ptr {environment}, {said})")
        else:
            k.run(
                f"call void (ptr, ptr, i32, ptr, ptr, ...) {logger.text}(ptr {environment}, ptr {name.place}, {said})"
            )
    return k.text()


def _make_ir(space: FmuSpace) -> str:
    """`make(name, token, kind, logger, environment)`: a new instance, or null."""
    k = Kernel("make", 1, internal=True, returns="ptr", unrolled=1)
    name, token, kind = k.array("name"), k.array("token"), k.number("kind", "i64")
    logger, environment = k.array("logger"), k.array("environment")
    null = Value(k, "ptr", "null")
    for given in (name, token):
        with k.when(k.emit("i1", f"icmp eq ptr {given.place}, null")):
            k.exit(null)
    memory = Array(k, k.emit("ptr", f"call ptr @calloc(i64 1, i64 {space.bytes})").text)
    with k.when(k.emit("i1", f"icmp eq ptr {memory.place}, null")):
        k.exit(null)
    c = Record(k, memory.place, Instance)
    k.run(f"store ptr {logger.place}, ptr {memory.place}, align 8")
    k.run(f"store ptr {environment.place}, ptr {memory.at(1).place}, align 8")
    own = memory.at(Instance.name.offset // 8)
    written = f"ptr {own.place}, i64 128, ptr {space.say('%s')}, ptr {name.place}"
    k.emit("i32", f"call i32 (ptr, i64, ptr, ...) @snprintf({written})")
    c.magic, c.kind = space.magic, kind
    same = k.emit("i32", f"call i32 @strcmp(ptr {token.place}, ptr {space.say(space.token)})")
    status = k.local(k.constant(ERROR, "i32"))

    def fail(text: str) -> None:
        k.run(f"call void @log(ptr {memory.place}, i32 {ERROR}, ptr {space.say(text)}, double 0.0)")

    with k.when(~same.equals(0)):
        fail("the instantiation token differs from that in modelDescription.xml")
    able = k.emit("i32", "call i32 @supported()")
    with k.when(able.equals(0)):
        fail("this processor has no fused multiply-add (FMA), which the library needs; compile the sources instead")
    with k.when(same.equals(0) & ~able.equals(0)):
        status.value = k.emit("i32", f"call i32 @reset(ptr {memory.place})")
    with k.when(~status.value.equals(OK)):
        k.run(f"call void @free(ptr {memory.place})")
        k.exit(null)
    k.exit(Value(k, "ptr", memory.place))
    return k.text()


def _drop_ir(space: FmuSpace) -> str:
    """`drop(instance)`"""
    k = Kernel("drop", 1, internal=True)
    k.run(f"call void @free(ptr {k.array('instance').place})")
    return k.text()


def _reset_ir(space: FmuSpace) -> str:
    """`reset(instance)`: as after instantiation."""
    b = Body("reset", space)
    k, c = b.kernel, b.control
    k.copy(Array(k, "@first"), b.part("values"), space.numbers)
    c.mode, c.fresh, c.doubted, c.moved = INSTANTIATED, 0, 0, 0
    b.require_success(b.session_call("restart"))
    return b.text()


def _refresh_ir(space: FmuSpace) -> str:
    """`refresh(instance)`: adopts new numbers, and computes all variables."""
    b = Body("refresh", space, checked=False)
    k, c = b.kernel, b.control
    with k.when(c.fresh.equals(1)):
        b.leave(OK)
    if space.numbers:
        values, numbers = b.part("values"), b.part("numbers")
        (differs,) = k.fold(
            space.numbers,
            [k.constant(0.0)],
            lambda i, so_far: [so_far[0] + k.math("fabs", values[i] - numbers[i])],
        )
        with k.when(differs > 0.0):
            with k.when(b.early):
                b.require_success(b.session_call("restart"))
            with k.when(~b.early):
                b.require_success(b.session_call("change"))
                c.moved = 1
    x, shown, first = b.part("x"), b["shown"], space.references
    k.call("observe", x, b.part("c"), b.part("observed"))
    k.call("derivative", x, b.part("c"), b["rates"])
    shown[0] = x[0]
    k.copy(b.part("values"), shown.at(first["numbers"]), space.numbers)
    for i, counted in enumerate(space.outputs):
        value = b.part("observed")[i]
        shown[first["outputs"] + i] = value - b.part("works")[i] if counted else value
    sizes = space.sizes
    k.copy(x.at(1), shown.at(first["states"]), space.states)
    k.copy(x.at(1 + sizes.of_direct_v.start), shown.at(first["derivatives"]), sizes.direct)
    k.copy(b["rates"], shown.at(first["derivatives"] + sizes.direct), sizes.rates)
    if space.indicators:
        k.call("indicators", x, b.part("c"), shown.at(first["indicators"]))
    c.fresh = 1
    return b.text()


def _get_values_ir(space: FmuSpace) -> str:
    """`get_values(instance, references, count, values)`"""
    b = Body("get_values", space)
    k = b.kernel
    references, count, values = k.array("references"), k.number("count", "i64"), k.array("values")
    b.require(b.call("refresh"))
    for i in k.count(count):
        number = b.whole(references, i)
        with k.when(~(number < space.references["all"])):
            b.fail("there is no variable with value reference %.0f", k.real(number))
        value = b["shown"].at(number)[0]
        with k.when(~(value - value).equals(0.0)):
            b.fail("the variable with value reference %.0f is infinite or undefined", k.real(number))
        values[i] = value
    return b.text()


def _set_values_ir(space: FmuSpace) -> str:
    """`set_values(instance, references, count, values)`: none of them is set if one is refused."""
    b = Body("set_values", space, EARLY | RUNNING)
    k, c = b.kernel, b.control
    references, count, values = k.array("references"), k.number("count", "i64"), k.array("values")
    first = space.references["numbers"]
    for i in k.count(count):
        number = b.whole(references, i)
        index, value = number - first, values[i]
        with k.when((number < first) | ~(index < space.numbers)):
            b.fail("the variable with value reference %.0f cannot be set", k.real(number))
        with k.when((index < space.parameters) & ~b.early):
            b.fail("the parameter with value reference %.0f can only be set before the motion begins", k.real(number))
        motion = ~(index < space.parameters + space.forces)
        with k.when(motion & c.mode.equals(CONTINUOUS)):
            b.fail("the input with value reference %.0f can only be set at events", k.real(number))
        below = value < Array(k, "@least").at(index)[0]
        above = value > Array(k, "@most").at(index)[0]
        with k.when(~(value - value).equals(0.0) | below | above):
            b.fail(
                "the value for value reference %.0f is outside its bounds, or physically impossible",
                k.real(number),
            )
    for i in k.count(count):
        b.part("values").at(b.whole(references, i) - first)[0] = values[i]
    c.fresh = 0
    return b.text()


def _check_start_ir(space: FmuSpace) -> str:
    """`check_start(instance, time)`"""
    b = Body("check_start", space, INSTANTIATED)
    k, begin = b.kernel, space.session.state[0]
    start = k.number("time")
    with k.when(~start.equals(begin)):
        b.fail(f"the motion begins at t = {begin:.9g} s, and at no other start time (%.9g s was given)", start)
    return b.text()


def _begin_initialization_ir(space: FmuSpace) -> str:
    """`begin_initialization(instance)`"""
    b = Body("begin_initialization", space, INSTANTIATED)
    b.control.mode = INITIALIZATION
    return b.text()


def _end_initialization_ir(space: FmuSpace) -> str:
    """`end_initialization(instance)`"""
    b = Body("end_initialization", space, INITIALIZATION)
    k, c = b.kernel, b.control
    b.require(b.call("refresh"))
    c.mode = k.choose(c.kind.equals(MODEL_EXCHANGE), k.constant(EVENT, "i64"), k.constant(STEP, "i64"))
    c.moved = 0
    return b.text()


def _terminate_ir(space: FmuSpace) -> str:
    """`terminate(instance)`"""
    b = Body("terminate", space, RUNNING)
    b.control.mode = TERMINATED
    return b.text()


def _do_step_ir(space: FmuSpace) -> str:
    """`do_step(instance, from, size, reached)`"""
    b = Body("do_step", space, STEP)
    k, c = b.kernel, b.control
    begin, size, reached = k.number("from"), k.number("size"), k.array("reached")
    x = b.part("x")
    b.put(reached, x[0])
    with k.when(~(size > 0.0) | ~(size - size).equals(0.0)):
        b.fail("the communication step size must be positive (it is %.9g s)", size)
    with k.when(~(k.math("fabs", begin - x[0]) <= TOGETHER * size)):
        b.fail("the communication point is not the time that was reached, %.9g s", x[0])
    b.require(b.call("refresh"))
    c.fresh = 0
    code = b.session_call("run_to", begin + size)
    b.put(reached, x[0])
    b.require_success(code)
    control = b.outcome
    with k.when(~control.doubt.equals(0.0) & c.doubted.equals(0)):
        c.doubted = 1
        for number, name in enumerate(CODES):
            if name in REASONS:
                with k.when(control.doubt.equals(float(number))):
                    b.log(WARNING, REASONS[name], control.doubtful)
        b.leave(WARNING)
    return b.text()


def _get_reached_ir(space: FmuSpace) -> str:
    """`get_reached(instance, what, value)`: the time that was reached, the only status there is."""
    b = Body("get_reached", space)
    k = b.kernel
    what, value = k.number("what", "i32"), k.array("value")
    with k.when(~what.equals(2)):
        b.fail("the only status of this FMU is the last successful time", status=DISCARD)
    b.put(value, b.part("x")[0])
    return b.text()


def _without_variables_ir(space: FmuSpace) -> str:
    """`without_variables(instance, count)`: reads or writes variables of a type of which there are none."""
    b = Body("without_variables", space)
    with b.kernel.when(~b.kernel.number("count", "i64").equals(0)):
        b.fail("all variables of this FMU are real numbers (Float64)")
    return b.text()


def _refuse_ir(space: FmuSpace) -> str:
    """`refuse(instance)`: a function that is not provided."""
    b = Body("refuse", space)
    b.fail("this function is not provided; modelDescription.xml lists what this FMU can do")
    return b.text()


def _accept_ir(space: FmuSpace) -> str:
    """`accept(instance)`: nothing has to be done."""
    return Body("accept", space).text()
