"""What an FMU does for model exchange, for saved states and for derivatives, as native code (see `fmi_core`).

The importer integrates the states [q, v, e] without knowing the joints' equations. Where the states have left these by
more than a part of the tolerance, an event is requested, at which they are projected back.
"""

from __future__ import annotations

from collections.abc import Callable

from grashof.integrate.kernel import table
from grashof.integrate.values import Array, Value
from grashof.live.session import TINY
from grashof.portable.fmi_instance import CONTINUOUS, DISCARD, DRIFT, EVENT, INITIALIZATION, RUNNING, Body, FmuSpace
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, trace
from grashof.tape.differentiate import push


def exchange_ir(space: FmuSpace, nominals: list[float]) -> str:
    """The code of all functions."""
    parts: list[Callable[[FmuSpace], str]] = [
        _enter_continuous_ir,
        _update_states_ir,
        _complete_step_ir,
        _set_time_ir,
        _set_states_ir,
        _get_states_ir,
        _get_shown_ir,
        _get_nominals_ir,
        _counts_ir,
        _drift_ir,
        _get_state_ir,
        _set_state_ir,
        _free_state_ir,
        _state_size_ir,
        _serialize_ir,
        _deserialize_ir,
        _directional_ir,
    ]
    return table("nominals", nominals) + "".join(part(space) for part in parts)


# -- model exchange


def _enter_continuous_ir(space: FmuSpace) -> str:
    """`enter_continuous(instance)`"""
    b = Body("enter_continuous", space, EVENT)
    b.require(b.call("refresh"))
    b.control.mode = CONTINUOUS
    return b.text()


def _drift_ir(space: FmuSpace) -> str:
    """`drift(instance, far)`: projects the states, and tells how far that moves them, relative to length and speed."""
    b = Body("drift", space, checked=False)
    k, sizes, far = b.kernel, space.sizes, b.kernel.array("far")
    x, moved = b.part("x"), b["projected"]
    k.call("project", x, b.part("c"), moved)
    with k.when(~k.are_finite(moved, space.states)):
        b.fail("the states cannot be projected onto the joints' equations at t = %.9g s", x[0])
    speed = k.largest(x.at(1 + sizes.nq), sizes.nv, k.constant(TINY))
    most = k.constant(0.0)
    for first, count, scale in ((0, sizes.nq, k.constant(space.session.track.length)), (sizes.nq, sizes.nv, speed)):
        most = k.largest_difference(x.at(1 + first), moved.at(first), count, scale, most)
    far[0] = most
    return b.text()


def _update_states_ir(space: FmuSpace) -> str:
    """`update_states(instance, again, terminate, nominals, values, timed, time)`: at an event."""
    b = Body("update_states", space, EVENT)
    k, c = b.kernel, b.control
    again, terminate, nominals, values, timed, time = (
        k.array(name) for name in ("again", "terminate", "nominals", "values", "timed", "time")
    )
    b.require(b.call("refresh"))
    far = Array(k, k.allocate("double"))
    b.require(b.call("drift", far))
    limit = DRIFT * space.session.tol
    with k.when(far[0] > limit):
        k.copy(b["projected"], b.part("x").at(1), space.states)
        c.fresh, c.moved = 0, 1
    truth = "i8" if space.version == 3 else "i32"
    none = k.constant(0, truth)
    for place in (again, terminate, nominals):
        b.put(place, none)
    b.put(values, k.emit(truth, f"trunc i64 {c.moved.text} to {truth}"))
    c.moved = 0
    b.put(timed, none)
    now = b.part("x")[0]
    stops, count = Array(k, "@stops"), len(space.session.track.stops)
    for i in k.count(k.constant(count, "i64")):
        stop = stops.at(i * 2)[1]
        with k.when(stop > now):
            b.put(timed, k.constant(1, truth))
            b.put(time, stop)
            b.require(b.call("refresh"))
            b.leave(0)
    b.require(b.call("refresh"))
    return b.text()


def _complete_step_ir(space: FmuSpace) -> str:
    """`complete_step(instance, event, terminate)`"""
    b = Body("complete_step", space, CONTINUOUS)
    k = b.kernel
    event, terminate = k.array("event"), k.array("terminate")
    truth = "i8" if space.version == 3 else "i32"
    b.put(terminate, k.constant(0, truth))
    far = Array(k, k.allocate("double"))
    b.require(b.call("refresh"))
    b.require(b.call("drift", far))
    moved = far[0] > DRIFT * space.session.tol
    b.put(event, k.choose(moved, k.constant(1, truth), k.constant(0, truth)))
    return b.text()


def _set_time_ir(space: FmuSpace) -> str:
    """`set_time(instance, time)`"""
    b = Body("set_time", space, EVENT | CONTINUOUS)
    k, time = b.kernel, b.kernel.number("time")
    with k.when(~(time - time).equals(0.0)):
        b.fail("the time that is set is infinite or undefined")
    b.part("x")[0] = time
    b.control.fresh = 0
    return b.text()


def _vector(name: str, space: FmuSpace, count: int, modes: int) -> tuple[Body, Array]:
    """A function that is given a vector of known length."""
    b = Body(name, space, modes)
    vector, given = b.kernel.array("vector"), b.kernel.number("count", "i64")
    with b.kernel.when(~given.equals(count)):
        b.fail(f"the vector has %.0f elements instead of {count}", b.kernel.real(given))
    return b, vector


def _set_states_ir(space: FmuSpace) -> str:
    """`set_states(instance, vector, count)`"""
    b, vector = _vector("set_states", space, space.states, CONTINUOUS)
    with b.kernel.when(~b.kernel.are_finite(vector, space.states)):
        b.fail("a state is infinite or undefined", status=DISCARD)
    b.kernel.copy(vector, b.part("x").at(1), space.states)
    b.control.fresh = 0
    return b.text()


_GETTING = INITIALIZATION | RUNNING


def _get_states_ir(space: FmuSpace) -> str:
    """`get_states(instance, vector, count)`"""
    b, vector = _vector("get_states", space, space.states, _GETTING)
    b.require(b.call("refresh"))
    b.kernel.copy(b.part("x").at(1), vector, space.states)
    return b.text()


def _get_shown_ir(space: FmuSpace) -> str:
    """`get_derivatives(instance, vector, count)` and `get_indicators(instance, vector, count)`"""
    found = ""
    counts = {"derivatives": space.states, "indicators": space.indicators}
    for (name, count), what in zip(counts.items(), ("accelerations are", "an event indicator is"), strict=True):
        b, vector = _vector(f"get_{name}", space, count, _GETTING)
        if count:
            b.require(b.call("refresh"))
            shown = b["shown"].at(space.references[name])
            with b.kernel.when(~b.kernel.are_finite(shown, count)):
                b.fail(f"{what} infinite or undefined at t = %.9g s", b.part("x")[0], DISCARD)
            b.kernel.copy(shown, vector, count)
        found += b.text()
    return found


def _get_nominals_ir(space: FmuSpace) -> str:
    """`get_nominals(instance, vector, count)`"""
    b, vector = _vector("get_nominals", space, space.states, _GETTING)
    b.kernel.copy(Array(b.kernel, "@nominals"), vector, space.states)
    return b.text()


def _counts_ir(space: FmuSpace) -> str:
    """`count_states(instance, count)` and `count_indicators(instance, count)`"""
    found = ""
    for name, count in (("states", space.states), ("indicators", space.indicators)):
        b = Body(f"count_{name}", space)
        b.put(b.kernel.array("count"), b.kernel.constant(count, "i64"))
        found += b.text()
    return found


# -- saved states


def _is_null(b: Body, place: str) -> Value:
    return b.kernel.emit("i1", f"icmp eq ptr {place}, null")


def _saved(b: Body) -> tuple[str, int]:
    """Where the saved part of an instance begins, and its size in bytes."""
    space = b.space
    return b.memory.at(space.saved // 8).place, space.bytes - space.saved


def _copy(b: Body, target: str, source: str) -> None:
    _, size = _saved(b)
    b.kernel.run(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def _require_state(b: Body, state: str) -> None:
    """Refuses what is not a saved state of this FMU."""
    k = b.kernel
    with k.when(_is_null(b, state)):
        b.fail("there is no saved state")
    magic = k.emit("i64", f"load i64, ptr {state}, align 1")
    with k.when(~magic.equals(b.space.magic)):
        b.fail("this is not a saved state of this FMU")


def _get_state_ir(space: FmuSpace) -> str:
    """`get_state(instance, place)`: at the place there is null, or a state that is overwritten."""
    b = Body("get_state", space)
    k, place = b.kernel, b.kernel.array("place")
    with k.when(_is_null(b, place.place)):
        b.fail("there is no place for the saved state")
    size = _saved(b)[1]
    known = k.emit("ptr", f"load ptr, ptr {place.place}, align 8")
    state = k.local(known)
    with k.when(_is_null(b, known.text)):
        state.value = k.emit("ptr", f"call ptr @calloc(i64 1, i64 {size})")
        with k.when(_is_null(b, state.value.text)):
            b.fail("there is not enough memory to save the state")
    _copy(b, state.value.text, b.memory.at(space.saved // 8).place)
    k.run(f"store ptr {state.value.text}, ptr {place.place}, align 8")
    return b.text()


def _set_state_ir(space: FmuSpace) -> str:
    """`set_state(instance, state)`"""
    b = Body("set_state", space)
    state = b.kernel.array("state")
    _require_state(b, state.place)
    _copy(b, b.memory.at(space.saved // 8).place, state.place)
    b.kernel.call("adopt", b["session"])
    return b.text()


def _free_state_ir(space: FmuSpace) -> str:
    """`free_state(instance, place)`"""
    b = Body("free_state", space)
    k, place = b.kernel, b.kernel.array("place")
    with k.when(~_is_null(b, place.place)):
        state = k.emit("ptr", f"load ptr, ptr {place.place}, align 8")
        k.run(f"call void @free(ptr {state.text})")
        k.run(f"store ptr null, ptr {place.place}, align 8")
    return b.text()


def _state_size_ir(space: FmuSpace) -> str:
    """`state_size(instance, state, size)`"""
    b = Body("state_size", space)
    state, size = b.kernel.array("state"), b.kernel.array("size")
    _require_state(b, state.place)
    b.put(size, b.kernel.constant(_saved(b)[1], "i64"))
    return b.text()


def _serialize_ir(space: FmuSpace) -> str:
    """`serialize(instance, state, bytes, size)`"""
    b = Body("serialize", space)
    k = b.kernel
    state, data, size = k.array("state"), k.array("bytes"), k.number("size", "i64")
    _require_state(b, state.place)
    with k.when(_is_null(b, data.place) | ~size.equals(_saved(b)[1])):
        b.fail(f"a serialized state has {_saved(b)[1]} bytes, and not %.0f", k.real(size))
    _copy(b, data.place, state.place)
    return b.text()


def _deserialize_ir(space: FmuSpace) -> str:
    """`deserialize(instance, bytes, size, place)`"""
    b = Body("deserialize", space)
    k = b.kernel
    data, size, place = k.array("bytes"), k.number("size", "i64"), k.array("place")
    with k.when(_is_null(b, place.place)):
        b.fail("there is no place for the saved state")
    with k.when(~size.equals(_saved(b)[1])):
        b.fail(f"a serialized state has {_saved(b)[1]} bytes, and not %.0f", k.real(size))
    _require_state(b, data.place)
    b.require(b.call("get_state", place))
    state = k.emit("ptr", f"load ptr, ptr {place.place}, align 8")
    _copy(b, state.text, data.place)
    return b.text()


# -- derivatives


def derivative_tapes(tapes: dict[str, Tape], outputs: int, count: int) -> dict[str, Tape]:
    """Directional derivatives: `slopes`, (x, c, ẋ, ċ) → those of the rates and of the outputs; `setup_slope`,
    (p, ṗ) → those of the coefficients."""
    derivative, observe = tapes["derivative"], tapes["observe"]

    def slopes(x: list[Scalar], c: list[Scalar], dx: list[Scalar], dc: list[Scalar]) -> list[Scalar]:
        directions = dict(enumerate([*dx, *dc]))
        rates = push(derivative, [*x, *c], [directions])[1][0]
        return [*rates, *push(observe, [*x, *c], [directions])[1][0][:outputs]]

    size = derivative.sizes[0]
    found = {"slopes": trace(slopes, size, count, size, count)}
    if "setup" in tapes and tapes["setup"].inputs:
        setup = tapes["setup"]

        def of_setup(p: list[Scalar], dp: list[Scalar]) -> list[Scalar]:
            return push(setup, p, [dict(enumerate(dp))])[1][0][:count]

        found["setup_slope"] = trace(of_setup, setup.inputs, setup.inputs)
    return found


def _directional_ir(space: FmuSpace) -> str:
    """`directional(instance, unknowns, unknown, knowns, known, seed, sensitivity)`"""
    b = Body("directional", space, _GETTING)
    k, sizes, first = b.kernel, space.sizes, space.references
    unknowns, unknown = k.array("unknowns"), k.number("unknown", "i64")
    knowns, known = k.array("knowns"), k.number("known", "i64")
    seed, sensitivity = k.array("seed"), k.array("sensitivity")
    b.require(b.call("refresh"))
    path = space.session.path
    inputs = path.numbers + len(path.kept) if path else 0
    for name, count in (("dp", inputs), ("dx", 1 + space.states), ("dc", space.session.count)):
        for i in k.each(count):
            b[name][i] = 0.0
    for i in k.count(known):
        number = b.whole(knowns, i)
        of_states = number - first["states"]
        with k.when(number.equals(0)):
            b["dx"][0] = seed[i]
        in_states = ~(of_states < 0) & (of_states < space.states)
        in_numbers = (number > 0) & (number < first["outputs"])
        with k.when(in_states):
            b["dx"].at(1).at(of_states)[0] = seed[i]
        with k.when(in_numbers):
            b["dp"].at(number - first["numbers"])[0] = seed[i]
        with k.when(~in_states & ~in_numbers & ~number.equals(0)):
            b.fail("there is no derivative with respect to the variable with value reference %.0f", k.real(number))
    if path is not None:
        k.copy(b.part("numbers"), b["p"], path.numbers)
        k.copy(b.part("kept"), b["p"].at(path.numbers), len(path.kept))
        k.call("setup_slope", b["p"], b["dp"], b["dc"])
    k.call("slopes", b.part("x"), b.part("c"), b["dx"], b["dc"], b["slopes"])
    for i in k.count(unknown):
        number = b.whole(unknowns, i)
        of_outputs, of_rates = number - first["outputs"], number - first["derivatives"]
        output = ~(of_outputs < 0) & (of_outputs < len(space.outputs))
        direct = ~(of_rates < 0) & (of_rates < sizes.direct)
        rate = ~(of_rates < sizes.direct) & (of_rates < space.states)
        with k.when(~output & ~direct & ~rate):
            b.fail("there is no derivative of the variable with value reference %.0f", k.real(number))
        with k.when(output):
            sensitivity[i] = b["slopes"].at(sizes.rates).at(of_outputs)[0]
        with k.when(direct):
            sensitivity[i] = b["dx"].at(1 + sizes.of_direct_v.start).at(of_rates)[0]
        with k.when(rate):
            sensitivity[i] = b["slopes"].at(of_rates - sizes.direct)[0]
        value = sensitivity[i]
        with k.when(~(value - value).equals(0.0)):
            b.fail("the derivative of the variable with value reference %.0f is infinite or undefined", k.real(number))
    return b.text()
