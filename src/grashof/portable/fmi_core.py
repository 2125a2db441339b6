"""What an FMU does, apart from the signatures of a version of the standard, as native code; of instances (see
`fmi_instance`)."""

from __future__ import annotations

from collections.abc import Callable

from grashof.integrate.kernel import Kernel
from grashof.integrate.values import Array, Record, Value
from grashof.live.session import CODES
from grashof.portable.fmi_instance import (
    CONTINUOUS,
    DISCARD,
    EARLY,
    ERROR,
    EVENT,
    INITIALIZATION,
    INSTANTIATED,
    MODEL_EXCHANGE,
    OK,
    REASONS,
    RUNNING,
    STEP,
    TERMINATED,
    WARNING,
    Body,
    FmuSpace,
    Instance,
)

TOGETHER = 1e-6
"""By which part of a step its beginning may differ from the time that was reached."""

LIBC = """\
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @supported()
"""
EXTERNAL = ("calloc", "free", "strcmp", "snprintf", "supported")
"""Functions of the C library, and whether the processor is one for which the machine code was made."""


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
        _enter_modes_ir,
        _end_initialization_ir,
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
            space.numbers, [k.constant(0.0)], lambda i, so_far: [so_far[0] + k.math("fabs", values[i] - numbers[i])]
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
            b.fail("the value for value reference %.0f is outside its bounds, or physically impossible", k.real(number))
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


def _enter_modes_ir(space: FmuSpace) -> str:
    """`begin_initialization(instance)`, `enter_events(instance)` and `terminate(instance)`"""
    found = ""
    for name, allowed, mode in (
        ("begin_initialization", INSTANTIATED, INITIALIZATION),
        ("enter_events", CONTINUOUS, EVENT),
        ("terminate", RUNNING, TERMINATED),
    ):
        b = Body(name, space, allowed)
        b.control.mode = mode
        found += b.text()
    return found


def _end_initialization_ir(space: FmuSpace) -> str:
    """`end_initialization(instance)`"""
    b = Body("end_initialization", space, INITIALIZATION)
    k, c = b.kernel, b.control
    b.require(b.call("refresh"))
    c.mode = k.choose(c.kind.equals(MODEL_EXCHANGE), k.constant(EVENT, "i64"), k.constant(STEP, "i64"))
    c.moved = 0
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
