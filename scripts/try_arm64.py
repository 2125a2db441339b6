"""Runs on arm64, emulated by qemu, what decides the digits of runs, and compares them with those of this machine.

`python scripts/try_arm64.py` (`make test-arm64`) makes a small root file system of the Debian release that runs here,
with Python, and puts the wheels for arm64 of the packages that are installed here beside it, in the same versions.
Nothing is installed and no second architecture is registered: qemu runs that Python as a program of this machine. Then
come the table of docs/same-digits.md, other runs whose digits are compared with those of this processor, and the tests
of functions and machine code. All of this is kept in `out/arm64`, or in the folder that GRASHOF_ARM64 names, and takes
about 20 minutes the first time.

On an arm64 machine the same is run without qemu.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("GRASHOF_ARM64") or SOURCES / "out" / "arm64").resolve()
WHEELS = [f"manylinux_2_{minor}_aarch64" for minor in (17, 24, 26, 27, 28)] + ["manylinux2014_aarch64"]
NOT_EMULATED = ("tests/scalar/test_functions.py::test_importing_the_functions_brings_no_other_library",)
"""Tests that start Python again: programs for arm64 are not registered on this machine, so that only qemu can."""

BESIDE = ("pytest", "hypothesis")
TESTS = ("tests/scalar", "tests/tape/test_elementary.py", "tests/tape/test_programs.py", "tests/scalar/test_algebra.py")


def make_root() -> Path:
    """The root file system: the packages of Debian's smallest system and Python, unpacked."""
    root = FOLDER / "root"
    if not (FOLDER / "unpacked").exists():
        shutil.rmtree(root, ignore_errors=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        release, mirror = _mirror()
        options = ["--arch=arm64", "--foreign", "--variant=minbase", "--include=python3"]
        subprocess.run(["debootstrap", *options, release, str(root), mirror], check=True, stdout=subprocess.DEVNULL)
        for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", str(package), str(root)], check=True)
        (FOLDER / "unpacked").touch()
    return root


def _mirror() -> tuple[str, str]:
    """The name of the release that runs here, and where apt gets its packages."""
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    release = dict(line.partition("=")[::2] for line in lines)["VERSION_CODENAME"].strip('"')
    command = ["apt-get", "indextargets", "--format", "$(CODENAME) $(COMPONENT) $(REPO_URI)"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    return release, next(line.split()[2] for line in found if line.startswith(f"{release} main "))


def get_packages(python: Path) -> Path:
    """The folder with the packages for arm64, in the versions that are installed here."""
    project = tomllib.loads((SOURCES / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = sorted({re.split(r"[^\w-]", line)[0] for line in project["dependencies"]})
    wanted = [f"{name}=={version(name)}" for name in (*names, *BESIDE)]
    place, made = FOLDER / "site", FOLDER / "packages.json"
    if not made.exists() or json.loads(made.read_text(encoding="utf-8")) != wanted:
        shutil.rmtree(place, ignore_errors=True)
        options = ["--python-version", python.name.removeprefix("python"), "--implementation", "cp"]
        options += ["--only-binary=:all:", "--quiet", "--target", str(place)]
        options += [part for name in WHEELS for part in ("--platform", name)]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, *wanted], check=True)
        made.write_text(json.dumps(wanted), encoding="utf-8")
    return place


def emulated() -> tuple[list[str], dict[str, str]]:
    """The command that runs Python on arm64, and its environment."""
    own = {"GRASHOF_CACHE": str(FOLDER / "cache"), "OPENBLAS_NUM_THREADS": "1"}
    if platform.machine() in ("aarch64", "arm64"):
        return [sys.executable], own
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if qemu is None or shutil.which("debootstrap") is None:
        sys.exit("This needs qemu and debootstrap: apt-get install qemu-user-static debootstrap")
    root = make_root()
    python = next(path for path in sorted((root / "usr/bin").glob("python3.*")) if path.name[8:].isdigit())
    own["PYTHONPATH"] = os.pathsep.join(map(str, (get_packages(python), SOURCES / "src", SOURCES)))
    return [qemu, "-L", str(root), str(python)], own


def main() -> None:
    """Runs everything, and says what differs."""
    command, own = emulated()
    there = os.environ | own
    failed = subprocess.run([*command, "-m", "tests.bits", "--table"], cwd=SOURCES, env=there).returncode != 0
    digests = []
    for python, environment in (([sys.executable], os.environ), (command, there)):
        done = subprocess.run(
            [*python, "-m", "tests.bits"], cwd=SOURCES, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(done.stderr)
        digests.append(json.loads(done.stdout))
    for name, digest in digests[0].items():
        same = digests[1][name] == digest
        failed |= not same
        print(f"{name}: {'the same digits' if same else 'OTHER DIGITS'}", flush=True)
    tests = [*command, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
    if command != [sys.executable]:
        tests += [part for name in NOT_EMULATED for part in ("--deselect", name)]
    failed |= subprocess.run(tests, cwd=SOURCES, env=there).returncode != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
