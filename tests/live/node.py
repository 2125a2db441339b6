"""Runs the engine of live pages (web/src/live) in node, without a page."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec
import numpy as np
import pytest

from grashof.live import LiveData

WEB = Path(__file__).parents[2] / "web"

_DRIVER = """\
import { readFileSync } from "node:fs";
import { Engine } from "./bundle.mjs";

const { data, script } = JSON.parse(readFileSync(0, "utf8"));
const engine = await Engine.load(data);
const seen = [];
for (const [name, ...values] of script) {
  const outcome = name === "look" ? null : (engine[name](...values) ?? null);
  seen.push({ outcome, time: engine.time, error: engine.error, poses: [...engine.poses()], values: [...engine.quantities()] });
}
console.log(JSON.stringify(seen));
"""


@cache
def node() -> str:
    """A node; the test is skipped if there is none."""
    found = shutil.which("node")
    spec = importlib.util.find_spec("playwright")
    if found is None and spec is not None and spec.origin is not None:
        brought = Path(spec.origin).parent / "driver" / "node"
        found = str(brought) if brought.exists() else None
    if found is None:
        pytest.skip("node is not installed, which runs the engine of live pages")
    return found


@cache
def bundled(driver: str, *modules: str) -> Path:
    """A script that has modules of `web/src` in `bundle.mjs` beside it; the test is skipped if the packages that make it
    are not there."""
    rolldown = WEB / "node_modules" / "rolldown" / "bin" / "cli.mjs"
    if not rolldown.exists():
        pytest.skip("web/node_modules is missing; `make viewer` installs what the modules are bundled with")
    folder = Path(mkdtemp(prefix="grashof-node-"))
    entry = folder / "entry.ts"
    entry.write_text("".join(f'export * from "{(WEB / "src" / module).as_posix()}";\n' for module in modules))
    command = [node(), str(rolldown), str(entry), "--format", "esm", "--file", str(folder / "bundle.mjs")]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    (folder / "driver.mjs").write_text(driver)
    return folder / "driver.mjs"


def ask(driver: Path, given: Any) -> str:
    """What a script prints that reads data as JSON."""
    done = subprocess.run([node(), str(driver)], input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass(frozen=True)
class Seen:
    """What an engine shows after a call."""

    outcome: dict[str, Any] | None
    time: float
    error: float | None
    poses: np.ndarray
    values: dict[str, float]


def drive(data: LiveData, script: list[list[Any]]) -> list[Seen]:
    """Calls methods of an engine, one after the other: rows of a name and arguments."""
    given = {"data": msgspec.to_builtins(data), "script": script}
    said = ask(bundled(_DRIVER, "live/engine"), given)
    names = [x.name for x in data.observed]
    return [
        Seen(
            x["outcome"],
            x["time"],
            x["error"],
            np.array(x["poses"]).reshape(-1, 7),
            dict(zip(names, x["values"], strict=True)),
        )
        for x in json.loads(said)
    ]
