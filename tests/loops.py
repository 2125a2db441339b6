"""Time loops as native code and as WebAssembly in node, both called step by step with the same bytes: those of
`simulate`, and those of live pages."""

from __future__ import annotations

import base64
import ctypes
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.integrate import dense, loop, step
from grashof.integrate.control import RUNNING, Control
from grashof.integrate.inner import width
from grashof.integrate.kernel import declarations
from grashof.integrate.lanes.control import LaneControl
from grashof.integrate.step import Workspace
from grashof.live.loop import loop_ir
from grashof.live.tapes import plain_tapes
from grashof.live.wasm import compile_wasm, fused_modules
from grashof.program import Program
from grashof.simulation.options import Options
from grashof.simulation.task import prepare
from grashof.tape import Library, emit, trace
from grashof.tape.lanes import Lanes

_DRIVER = """
import { readFileSync } from "node:fs";
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
for (const given of JSON.parse(readFileSync(0, "utf8"))) {
  const memory = new WebAssembly.Memory({ initial: 32 + Math.ceil(given.pages) });
  const stack = new WebAssembly.Global({ value: "i32", mutable: true }, 1 << 20);
  const env = { __linear_memory: memory, __stack_pointer: stack };
  for (const code of given.fused.map(bytes)) {
    if (!WebAssembly.validate(code)) continue;
    env.fused = (await WebAssembly.instantiate(code, { env })).instance.exports.fused;
    break;
  }
  const { exports } = (await WebAssembly.instantiate(bytes(given.wasm), { env })).instance;
  let free = 1 << 20;
  const place = (data) => {
    const at = free;
    new Uint8Array(memory.buffer).set(data, at);
    free += 8 * Math.ceil(data.length / 8);
    return at;
  };
  const [control, work, first, second, third, coefficients] = given.blocks.map((block) => place(bytes(block)));
  const word = new BigInt64Array(memory.buffer, control);
  const numbers = new Float64Array(memory.buffer, work);
  new BigInt64Array(memory.buffer, work)[given.coefficients] = BigInt(coefficients);
  const { state, steps, event, fallen, pause, tried } = given.fields;
  const rows = [];
  exports.begin(control, work);
  while (word[state] === 0n && rows.length < given.most) {
    word[steps] = word[event] = word[fallen] = 0n;
    word[pause] = word[tried] + 1n;
    exports.advance(control, work, first, second, third);
    if (word[steps] === 1n) rows.push(Buffer.from(numbers.slice(given.start, given.start + given.size).buffer));
  }
  console.log(Buffer.concat(rows).toString("base64"));
}
"""

FIELDS = ("state", "steps", "event", "fallen", "pause", "tried")
"""The fields of the control that are read or written between steps."""

MOST = 5_000
"""Steps at most."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop with the functions of a mechanism, as LLVM IR, at the beginning of a run.

    blocks   control, workspace, three further arguments, and coefficients, all in bytes
    given    how many arguments `advance` takes
    """

    text: str
    space: Workspace
    blocks: tuple[bytes, ...]
    given: int

    def native(self) -> np.ndarray:
        """Times and states of the accepted steps, (steps, 1 + size), by code for this processor."""
        known: dict[str, None] = {}
        for line in self.text.splitlines(keepends=True):
            known[line if line.startswith("declare ") else f"{len(known)}\n{line}"] = None
        library = Library("".join(line.partition("\n")[2] if line[0].isdigit() else line for line in known))
        begin = library.function("begin", None, *[ctypes.c_void_p] * 2)
        advance = library.function("advance", None, *[ctypes.c_void_p] * self.given)
        control, work, first, second, third, coefficients = (np.frombuffer(bytearray(x), np.int64) for x in self.blocks)
        work[self.space.address_of("coefficients")] = coefficients.ctypes.data
        state, steps, event, fallen, pause, tried = _places()
        places = [x.ctypes.data for x in (control, work, first, second, third)]
        begin(*places[:2])
        rows = []
        while control[state] == RUNNING and len(rows) < MOST:
            control[[steps, event, fallen]] = 0
            control[pause] = control[tried] + 1
            advance(*places[: self.given])
            if control[steps] == 1:
                rows.append(work.view(float)[self.space.places["start"] :][: 1 + self.space.sizes.size].copy())
        return np.array(rows)

    def request(self, exact: bool) -> dict[str, object]:
        """What node needs to run it as WebAssembly; `exact` takes the slower of the modules with products and sums."""
        encoded = [base64.b64encode(x).decode() for x in self.blocks]
        return {
            "wasm": base64.b64encode(compile_wasm(self.text, ["begin", "advance"]).code).decode(),
            "fused": [base64.b64encode(x).decode() for x in fused_modules()[int(exact) :]],
            "blocks": encoded,
            "fields": dict(zip(FIELDS, _places(), strict=True)),
            "coefficients": self.space.address_of("coefficients"),
            "start": self.space.places["start"],
            "size": 1 + self.space.sizes.size,
            "pages": sum(map(len, self.blocks)) / 2**16,
            "most": MOST,
        }


def in_node(node: str, loops: Sequence[Loop], exact: bool = True, options: Sequence[str] = ()) -> list[np.ndarray]:
    """Times and states of the accepted steps of each, (steps, 1 + size), as WebAssembly in node."""
    given = json.dumps([x.request(exact) for x in loops])
    command = [node, *options, "--input-type=module", "--eval", _DRIVER]
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [np.frombuffer(base64.b64decode(line)) for line in done.stdout.splitlines()]
    return [rows.reshape(-1, 1 + x.space.sizes.size) for rows, x in zip(lines, loops, strict=True)]


def simulated(program: Program, t_end: float, tol: float, method: str) -> Loop:
    """The loop of `simulate`, without what Python does at singular positions and events."""
    task = prepare(program, t_end, Options(tol=tol, method=method))
    run = task.begin(task.attempt())
    layout, dynamics = program.dynamics.layout, program.dynamics
    functions = {"derivative": dynamics.derivative, "project": dynamics.project}
    tapes = {name: trace(lambda x, _, of=of: of(x), 1 + layout.size, 0) for name, of in functions.items()}
    space = Workspace(layout.sizes, run.loop.space.method, together=True)
    parts = (step.stages_ir, loop.begin_ir, loop.advance_ir, dense.interpolate_ir, dense.solve_ir)
    text = declarations() + "".join(part(space) for part in parts) + emit(tapes, unroll=True).text
    run.control.attentive = 0
    rows = bytes(2 * 8), bytes(2 * 8 * space.sizes.size), bytes(2 * 8 * width(space.method, space.sizes))
    return Loop(text, space, (bytes(run.control), run.work.tobytes(), *rows, bytes(8)), 5)


def of_page(program: Program, t_end: float, tol: float) -> Loop:
    """The loop of a live page, that of runs in lanes with a single lane, from the same start."""
    task = prepare(program, t_end, Options(tol=tol))
    run = task.begin(task.attempt())
    layout, tapes = program.dynamics.layout, plain_tapes(program, ())
    gradients = sum(map(len, tapes.pattern))
    space = Workspace(
        layout.sizes,
        run.loop.space.method,
        runs=Lanes(1),
        gradients=gradients,
        together=True,
    )
    work, control = np.zeros(space.places["all"]), LaneControl()
    work[: space.places["sides"]] = run.work[: space.places["sides"]]
    ctypes.memmove(ctypes.byref(control), ctypes.byref(run.control), ctypes.sizeof(Control))
    control.attentive, control.speed = 0, 0.0
    text = loop_ir(space) + emit(tapes.tapes, unroll=True).text
    blocks = (
        bytes(control),
        work.tobytes(),
        bytes(work.nbytes),
        bytes(8),
        bytes(8),
        bytes(8 * (tapes.count + tapes.pull)),
    )
    return Loop(text, space, blocks, 3)


def _places() -> list[int]:
    return [getattr(Control, name).offset // 8 for name in FIELDS]
