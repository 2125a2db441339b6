"""Runs an FMU in FMPy, in a process of its own: `python importer.py FILE TASK`, where the task is JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def in_fmpy(path: Path, **task: Any) -> dict[str, Any]:
    """What a fresh process finds that knows FMPy and not Grashof."""
    done = subprocess.run(
        [sys.executable, __file__, str(path), json.dumps(task)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _main() -> None:
    import fmpy
    from fmpy.validation import validate_fmu

    path, task = sys.argv[1], json.loads(sys.argv[2])
    found = {"problems": validate_fmu(path)}
    for kind in task.pop("kinds"):
        rows = fmpy.simulate_fmu(path, fmi_type=kind, **task)
        found[kind] = {name: rows[name].tolist() for name in rows.dtype.names}
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
