"""Tries the wheel as its users will: in fresh environments, away from the sources, on every Python that this machine
has.

`python scripts/try_wheel.py` (`make test-wheel`) builds the source distribution and, from it, the wheel. For each
version of Python, once with the lowest versions of the dependencies that pyproject.toml allows and once with the
newest, the wheel is installed and the commands that README shows first are run. Then come the extras, one after the
other: the command that needs an extra must name it, and must work once the extra is installed. Interpreters are looked
for on PATH (`python3.12`, …) and in pyenv's folder; versions that are not found are listed as skipped.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from lowest import lowest

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
LIMIT_S = 1800

COMMANDS = (
    "python first_script.py",
    "grashof --version",
    "grashof mobility multiple-four-bar",
    "grashof simulate jansen --t-end 0.5 --out results",
    "grashof live jansen -o jansen.html",
    "grashof demo --out demo",
    "grashof verify andrews demo/andrews/andrews.txt",
)

SWEEP = (
    'grashof sweep four-bar --vary crank.mass=0.5:1.5{values} --output "max crank.angle" --t-end 0.1 -o {out}.parquet'
)

EXTRAS = {
    "video": "grashof plot four-bar --film mp4 --out film",
    "web": "grashof serve --port 0 --workers 1 --store results.sqlite",
    "tables": "grashof simulate four-bar --t-end 0.1 --out table.parquet",
    "sweep": SWEEP.format(values=" --sample sobol --count 4", out="sobol"),
    "dask": SWEEP.format(values=":4", out="dask") + " --executor dask --workers 2",
}
"""An extra, and a command that needs it."""

DIRECT = [pin.partition("==")[0] for pin in lowest([*EXTRAS, "engines"], PYTHONS[0])]


class Failed(Exception):
    """A step that did not do what it should, with what it said."""


class Environment:
    """A fresh virtual environment in a folder of its own."""

    def __init__(self, folder: Path, interpreter: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        _run([interpreter, "-m", "venv", str(folder / "env")], folder)
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.python = str(self.programs / "python")

    def install(self, *what: str) -> None:
        """Direct dependencies come as wheels, so that bounds without one are found; theirs may be built."""
        options = ["--quiet", "--prefer-binary", "--only-binary", ",".join(DIRECT)]
        _run([self.python, "-m", "pip", "install", *options, *what], self.folder)

    def run(self, command: str) -> str:
        """What a command prints; Failed if its exit code is not 0. A server is asked for its first page, and ended."""
        first, *rest = shlex.split(command)
        whole = [str(self.programs / first), *rest]
        return _visit(whole, self.folder) if "serve" in rest else _run(whole, self.folder)


def _surroundings(folder: Path) -> dict[str, str]:
    known = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    own = {"GRASHOF_CACHE": str(folder / "cache"), "MPLBACKEND": "Agg"}
    return known | own


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=_surroundings(folder), capture_output=True, text=True, timeout=LIMIT_S
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{(done.stdout + done.stderr).strip()[-3000:]}")
    return done.stdout


def _visit(command: list[str], folder: Path) -> str:
    process = subprocess.Popen(command, cwd=folder, env=_surroundings(folder), stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said, address = "", None
        for line in process.stderr:  # to the address that it listens at, or to the reason why it does not
            said, address = said + line, re.search(r"http://\S+/", line)
            if address:
                break
        else:
            raise Failed(f"{' '.join(command)}\n{said}")
        browser = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for _ in range(600):
            try:
                with browser.open(address[0]) as page:
                    return str(page.read().decode())
            except OSError:
                time.sleep(0.1)
        raise Failed(f"{' '.join(command)}\nThe server does not answer.")
    finally:
        process.kill()
        process.wait()


def interpreters() -> dict[str, str]:
    """The versions of Python that were found, with their programs."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = {}
    for version in PYTHONS:
        kept = sorted(pyenv.glob(f"{version}.*/bin/python")) if pyenv.is_dir() else []
        names = [shutil.which(f"python{version}"), *map(str, reversed(kept))]
        if sys.version_info[:2] == tuple(map(int, version.split("."))):
            names.append(sys.executable)
        for name in filter(None, names):
            code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
            if subprocess.run([name, "-c", code], capture_output=True, text=True).stdout.strip() == version:
                found[version] = name
                break
    return found


def try_environment(environment: Environment, wheel: Path, pins: dict[str, list[str]], extras: list[str]) -> None:
    """Installs the wheel and uses it; Failed at the first step that goes wrong."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[0]
    (environment.folder / "first_script.py").write_text(first, encoding="utf-8")
    environment.install(str(wheel), *pins[""])
    said = "".join(environment.run(command) for command in COMMANDS)
    if (
        f"grashof {wheel.name.split('-')[1]}\n" not in said
        or "1 degree of freedom, no redundant constraints" not in said
    ):
        raise Failed(f"The commands printed something else than expected:\n{said}")
    if 'id="grashof-viewer"' not in (environment.folder / "jansen.html").read_text(encoding="utf-8"):
        raise Failed("The live page does not contain the viewer.")
    if not pins[""]:  # with the newest versions, type checkers use the annotations of the installed package
        environment.install("mypy")
        for path in (environment.folder / "first_script.py", *sorted((ROOT / "examples").glob("*.py"))):
            options = ["--strict", "--ignore-missing-imports", "--disable-error-code", "import-untyped"]
            _run([environment.python, "-m", "mypy", *options, str(path)], environment.folder)
    for extra in extras:
        command = EXTRAS.get(extra)
        if command and not (extra == "video" and shutil.which("ffmpeg")):
            try:
                environment.run(command)
            except Failed as problem:
                if f"grashof[{extra}]" not in str(problem) or "Traceback" in str(problem):
                    raise Failed(f"Without the extra '{extra}' its name should be mentioned: {problem}") from None
            else:
                raise Failed(f"Without the extra '{extra}' there is no error: {command}")
        environment.install(f"{wheel}[{extra}]", *pins[extra])
        if command:
            environment.run(command)
    _run([environment.python, "-m", "pip", "check"], environment.folder)


def build(folder: Path) -> Path:
    """The wheel, made from the source distribution as a release is."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def main() -> None:
    """Reads the command line, tries every combination, and prints one line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", choices=PYTHONS, help="a version of Python; all by default")
    parser.add_argument(
        "--versions", action="append", choices=("lowest", "newest"), help="of the dependencies; both by default"
    )
    parser.add_argument("--wheel", type=Path, help="a wheel that was built before")
    parser.add_argument("--engines", action="store_true", help="install the other engines, too: more than 1 GB")
    given = parser.parse_args()
    found, failures = interpreters(), 0
    extras = [*EXTRAS, *(["engines"] if given.engines else [])]
    with tempfile.TemporaryDirectory(prefix="grashof-wheel-", ignore_cleanup_errors=True) as name:
        wheel = given.wheel.resolve() if given.wheel else build(Path(name))
        print(f"{wheel.name}, extras: {', '.join(extras)}", flush=True)
        for python in given.python or PYTHONS:
            for versions in given.versions or ("lowest", "newest"):
                title = f"Python {python:5} {versions:7}"
                if python not in found:
                    print(f"{title} skipped: python{python} was not found", flush=True)
                    continue
                pins = {
                    extra: lowest([extra] if extra else [], python) if versions == "lowest" else []
                    for extra in ("", *extras)
                }
                began = time.perf_counter()
                try:
                    folder = Path(name) / f"{python}-{versions}"
                    try_environment(Environment(folder, found[python]), wheel, pins, extras)
                    print(f"{title} works ({time.perf_counter() - began:.0f} s)", flush=True)
                    shutil.rmtree(folder, ignore_errors=True)
                except (Failed, subprocess.TimeoutExpired) as problem:
                    failures += 1
                    print(f"{title} FAILED: {problem}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
