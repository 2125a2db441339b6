"""FMPy in processes of their own, which do not know Grashof: `python importer.py TASK FILE ARGUMENTS`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

Facts = dict[str, Any]


def in_fmpy(task: str, path: Path, **arguments: Any) -> Facts:
    """What a task finds in a fresh process."""
    command = [sys.executable, __file__, task, str(path), json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: Facts = json.loads(done.stdout.splitlines()[-1])
    return found


def simulate(path: str, kinds: list[str], **arguments: Any) -> Facts:
    """FMPy's own simulation, and what its validator says."""
    import fmpy
    from fmpy.validation import validate_fmu

    found: Facts = {"problems": validate_fmu(path)}
    for kind in kinds:
        rows = fmpy.simulate_fmu(path, fmi_type=kind, **arguments)
        found[kind] = {name: rows[name].tolist() for name in rows.dtype.names}
    return found


class Master:
    """Instances of an FMU of version 3.0."""

    def __init__(self, path: str) -> None:
        import fmpy

        self.about = fmpy.read_model_description(path)
        self.folder = fmpy.extract(path)
        self.said: list[str] = []
        self.of = {x.name: x.valueReference for x in self.about.modelVariables}

    def make(self, name: str = "one", exchange: bool = False, token: str | None = None) -> Any:
        """An instance; an exchange begins in continuous-time mode."""
        from fmpy.fmi3 import FMU3Model, FMU3Slave

        kind = FMU3Model if exchange else FMU3Slave
        part = self.about.modelExchange if exchange else self.about.coSimulation
        fmu = kind(
            guid=token or self.about.guid,
            unzipDirectory=self.folder,
            modelIdentifier=part.modelIdentifier,
            instanceName=name,
        )
        fmu.instantiate(loggingOn=True, logMessage=self._log)
        return fmu

    def _log(self, _: Any, status: int, __: bytes, text: bytes) -> None:
        self.said.append(f"{status}: {text.decode()}")

    def begun(self, **numbers: float) -> Any:
        """An instance whose motion has begun, with other parameters."""
        fmu = self.make()
        fmu.enterInitializationMode(startTime=0.0)
        self.put(fmu, numbers)
        fmu.exitInitializationMode()
        return fmu

    def put(self, fmu: Any, numbers: dict[str, float]) -> None:
        """Sets variables."""
        for name, value in numbers.items():
            fmu.setFloat64([self.of[name]], [value])

    def get(self, fmu: Any, *names: str) -> list[float]:
        """Values of variables."""
        return [float(x) for x in fmu.getFloat64([self.of[name] for name in names])]


def step(
    path: str, seed: int, end: float, torques: list[list[float]], outputs: list[str], number: str = "drive.torque"
) -> Facts:
    """A motion in steps of random size, with an input that jumps at given times."""
    rng, master = np.random.default_rng(seed), Master(path)
    fmu = master.begun()
    times = np.sort(np.concatenate([rng.uniform(0.0, end, 60), [x for x, _ in torques], [end]]))
    rows, now = [], 0.0
    for time in times.tolist():
        for begin, torque in torques:
            if begin == now:
                master.put(fmu, {number: torque})
        if time > now:
            fmu.doStep(now, time - now)
        now = time
        rows.append([now, *master.get(fmu, *outputs)])
    return {"rows": rows, "said": master.said}


def repeat(path: str, output: str) -> Facts:
    """The same motion in 10,000 steps, after a reset, from a saved state, and of two instances side by side."""
    master, end, size = Master(path), 4.0, 4e-4

    def run(fmu: Any, first: int, last: int, size: float) -> list[float]:
        for k in range(first, last):
            fmu.doStep(k * size, size)
        return master.get(fmu, "time", output)

    fmu = master.begun()
    found: Facts = {"small": run(fmu, 0, round(end / size), size)}
    fmu.reset()
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    half = run(fmu, 0, 20, 0.1)
    state = fmu.getFMUState()
    data = fmu.serializeFMUState(state)
    found["large"] = run(fmu, 20, 40, 0.1)
    fmu.setFMUState(state)
    found["returned"] = master.get(fmu, "time", output) == half
    found["restored"] = run(fmu, 20, 40, 0.1)
    fmu.freeFMUState(state)
    other = master.begun(**{"drive.torque": 0.1})
    run(other, 0, 7, 0.1)
    other.setFMUState(other.deserializeFMUState(data))
    fmu.reset()
    fmu.freeInstance()
    found["elsewhere"] = run(other, 20, 40, 0.1)
    one, two = master.begun(), master.begun(**{"drive.torque": 0.1})
    for k in range(40):
        one.doStep(0.1 * k, 0.1)
        two.doStep(0.1 * k, 0.1)
    found["one"], found["two"] = (master.get(x, "time", output) for x in (one, two))
    return found


def misuse(path: str) -> Facts:
    """The answers to calls that are wrong, each followed by a step that is right."""
    from fmpy.fmi1 import FMICallException

    master = Master(path)
    token = None
    try:
        master.make(token="{other}")
    except Exception as problem:
        token = type(problem).__name__
    fmu, of = master.make(), master.of

    def status(call: Any) -> int:
        try:
            call()
        except FMICallException as problem:
            return int(problem.status)
        return 0

    early = {
        "step": lambda: fmu.doStep(0.0, 0.1),
        "late": lambda: fmu.enterInitializationMode(startTime=1.0),
        "negative mass": lambda: fmu.setFloat64([of["rod.mass"]], [-1.0]),
        "infinite": lambda: fmu.setFloat64([of["rod.mass"]], [float("inf")]),
        "nan": lambda: fmu.setFloat64([of["drive.torque"]], [float("nan")]),
    }
    found: Facts = {"token": token, "early": {name: status(call) for name, call in early.items()}}
    fmu.enterInitializationMode(startTime=0.0)
    fmu.setFloat64([of["rod.length"]], [0.05])  # the pin is higher than that
    found["open"] = status(fmu.exitInitializationMode)
    fmu.setFloat64([of["rod.length"]], [0.5])
    fmu.exitInitializationMode()
    wrong = {
        "backwards": lambda: fmu.doStep(0.0, -0.1),
        "nothing": lambda: fmu.doStep(0.0, 0.0),
        "nan": lambda: fmu.doStep(0.0, float("nan")),
        "elsewhere": lambda: fmu.doStep(0.5, 0.1),
        "parameter": lambda: fmu.setFloat64([of["rod.mass"]], [1.0]),
        "output": lambda: fmu.setFloat64([of["rod.end.x"]], [1.0]),
        "time": lambda: fmu.setFloat64([0], [1.0]),
        "unknown": lambda: fmu.getFloat64([99999]),
        "type": lambda: fmu.getInt32([1]),
        "mode": lambda: fmu.enterInitializationMode(startTime=0.0),
        "no exchange": lambda: fmu.fmi3EnterContinuousTimeMode(fmu.component),
        "no state": lambda: fmu.setFMUState(None),
        "foreign state": lambda: fmu.deserializeFMUState(b"x" * 100),
        "null": lambda: fmu.fmi3DoStep(None, 0.0, 0.1, True, None, None, None, None),
    }
    found["wrong"] = {name: status(call) for name, call in wrong.items()}
    found["after"] = status(lambda: fmu.doStep(0.0, 0.1)), master.get(fmu, "time", "rod.end.x")
    fmu.terminate()
    found["ended"] = status(lambda: fmu.doStep(0.1, 0.1))
    found["said"] = master.said
    return found


def go_on(path: str, end: float, size: float, output: str) -> Facts:
    """Steps until one fails: the time that was reached, an output there, and what was said."""
    from fmpy.fmi1 import FMICallException

    master = Master(path)
    fmu, now = master.begun(), 0.0
    try:
        while now < end - 0.5 * size:
            fmu.doStep(now, size)
            now += size
    except FMICallException:
        pass
    time, value = master.get(fmu, "time", output)
    return {"time": time, "value": value, "said": master.said}


def slopes(path: str, output: str) -> Facts:
    """Directional derivatives, and the same by central differences of what is computed."""
    master = Master(path)
    fmu = master.make(exchange=True)
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    fmu.enterContinuousTimeMode()
    about = master.about
    states = [x.variable.derivative.valueReference for x in about.derivatives]
    unknowns = [*(x.variable.valueReference for x in about.derivatives), master.of[output]]
    knowns = [*states, master.of["drive.torque"]]
    x = np.array(fmu.getFloat64(states))
    rng = np.random.default_rng(1)
    seed, size = rng.normal(size=len(knowns)), 1e-6
    found: Facts = {"exact": list(fmu.getDirectionalDerivative(unknowns, knowns, seed.tolist()))}
    sides = []
    for sign in (1.0, -1.0):
        moved = x + sign * size * seed[:-1]
        fmu.setContinuousStates((np.ctypeslib.as_ctypes(moved)), len(x))
        fmu.setFloat64([knowns[-1]], [0.3 + sign * size * seed[-1]])
        sides.append(np.array(fmu.getFloat64(unknowns)))
    found["differences"] = ((sides[0] - sides[1]) / (2 * size)).tolist()
    return found


def _main() -> None:
    task, path, arguments = sys.argv[1:]
    print(json.dumps(globals()[task](path, **json.loads(arguments))))


if __name__ == "__main__":
    _main()
