"""Functions of a session (see `live.session`) that only mechanisms outside of pages need, as native code.

    change(memory)    adopts the numbers in `values` at the present time and state: the motion continues with them
    adopt(memory)     enters the addresses within the memory again, after it was copied from elsewhere

Where a number belongs to a motor of prescribed motion, its angle or distance is kept and its speed changes at once; the
velocities of the others follow with the least change in the metric of the masses, as in an impact.
"""

from __future__ import annotations

from grashof.integrate.kernel import Kernel
from grashof.live.session import CLOSED, CONSTRAINTS_UNMET, FOLLOWED, SUCCESS, Session, SessionSpace


def changing_ir(space: SessionSpace, prescribed: int) -> str:
    """The code of these functions.

    prescribed   how many of the last numbers belong to motors of prescribed motion
    """
    return _adopt_ir(space) + (_change_ir(space, prescribed) if space.path else "")


def _begin(name: str, space: SessionSpace) -> tuple[Kernel, Session]:
    k = space.track.work.kernel(name)
    return k, Session(k, space)


def _adopt_ir(space: SessionSpace) -> str:
    k, session = _begin("adopt", space)
    session.put_addresses()
    return k.text()


def _change_ir(space: SessionSpace, prescribed: int) -> str:
    k, session = _begin("change", space)
    path, point, c = space.path, space.track.point, session.control
    assert path is not None
    x, numbers, kept = session["trial_x"], session["values"], session["trial_kept"]
    k.copy(session.x, x, point)
    session.copy("c", "trial_c")
    session.copy("kept", "trial_kept")

    def set_up() -> None:
        k.call("set_up", numbers, numbers, k.constant(0.0), kept, session["trial_c"], session["space"])

    set_up()
    if prescribed:
        first = path.numbers - prescribed
        (differs,) = k.fold(
            prescribed,
            [k.constant(0.0)],
            lambda i, so_far: [so_far[0] + k.math("fabs", numbers.at(first)[i] - session["numbers"].at(first)[i])],
        )
        with k.when(differs > 0.0):
            k.call("keep", x, session["trial_c"], kept)
            set_up()
            for _ in range(FOLLOWED):
                out = session.fine.last.inside
                k.call("project", x, session["trial_c"], out)
                k.copy(out, x.at(1), path.sizes.size + 1)
            with k.when(~(x[point] <= (CLOSED * path.length) ** 2)):
                session.end(CONSTRAINTS_UNMET)
    with k.when(~k.are_finite(x, point)):
        session.end(CONSTRAINTS_UNMET)
    k.call("observe", session.x, session["c"], session["observed"])
    for i in k.each(space.observed):
        session["works"][i] = session["works"][i] - session["observed"][i]
    k.copy(x, session.x, point)
    k.copy(session["trial_c"], session["c"], space.count)
    session.copy("trial_kept", "kept")
    session.copy("values", "numbers")
    k.call("begin_again", session.memory)
    for i in k.each(space.observed):
        session["works"][i] = session["works"][i] + session["observed"][i]
    c.code = SUCCESS
    return k.text()
