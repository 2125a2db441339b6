"""What is built for users: the contents of the source distribution and of the wheel, their metadata, and the one
place of the version."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import grashof

ROOT = Path(__file__).parents[1]
BUNDLE = "grashof/view/bundle"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both distributions; the wheel is built from the source distribution, as releases are."""
    pytest.importorskip("build", reason="the package `build` is not installed")
    pytest.importorskip("hatchling", reason="the package `hatchling` is not installed")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(built.glob("*.whl")))


@pytest.fixture(scope="module")
def source_names(built: Path) -> set[str]:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def tracked(*folders: str) -> set[str]:
    """The files that belong to the project, as git knows them."""
    try:
        done = subprocess.run(["git", "ls-files", "-z", "--", *folders], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    if done.returncode:
        pytest.skip("this is not a clone of the repository")
    return {name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()}


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    viewer = {name for name in names if name.startswith(f"{BUNDLE}/")}
    assert names - viewer == {name.removeprefix("src/") for name in tracked("src")}
    assert {Path(name).name for name in viewer} == {
        *("viewer.js", "viewer.css", "app.js", "app.css", "workbench.js", "workbench.css"),
        *("licenses.md", "licenses-workbench.md", "sources.sha256"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "py.typed",
        "examples/jansen.toml",
        "problems/andrews/data/andrews-iftomm.csv",
        "problems/andrews/README.md",
        "server/templates/base.html",
        "view/bundle/viewer.js",
    ],
)
def test_what_the_package_reads_at_run_time_is_in_the_wheel(wheel: zipfile.ZipFile, name: str) -> None:
    assert f"grashof/{name}" in wheel.namelist()


def test_the_source_distribution_holds_the_repository_and_the_viewer(source_names: set[str]) -> None:
    assert {name for name in tracked() if not name.startswith(".")} <= source_names
    assert f"src/{BUNDLE}/viewer.js" in source_names
    assert not [
        name for name in source_names if re.search(r"node_modules|__pycache__|\.venv|\.hypothesis|(^|/)out/", name)
    ]


def test_the_licences_of_the_bundled_scripts_are_in_the_wheel_and_at_the_head_of_the_scripts(
    wheel: zipfile.ZipFile,
) -> None:
    packages = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for script, licences in (("viewer.js", "licenses.md"), ("workbench.js", "licenses-workbench.md")):
        text = wheel.read(f"{BUNDLE}/{licences}").decode()
        sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
        assert sections
        for section in sections:
            assert "Permission is hereby granted, free of charge" in " ".join(section.split()), section[:60]
        assert wheel.read(f"{BUNDLE}/{script}").decode().startswith(f"/*! Contains:\n\n{text.strip()[:40]}")
    assert {name for name in packages if f"## {name} " in text} == set(packages)  # the workbench contains all of them


def test_the_metadata_is_that_of_the_project(wheel: zipfile.ZipFile) -> None:
    metadata = message_from_bytes(wheel.read(f"grashof-{grashof.__version__}.dist-info/METADATA"))
    assert metadata["Version"] == grashof.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert f"grashof-{grashof.__version__}.dist-info/licenses/LICENSE" in wheel.namelist()
    assert {"tables", "sweep", "dask", "video", "web", "engines"} <= set(metadata.get_all("Provides-Extra", []))


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    said = subprocess.run([sys.executable, "-m", "grashof", "--version"], capture_output=True, text=True).stdout
    assert said == f"grashof {grashof.__version__}\n"
    # releases are cited by the file, which has to name a version of its own; the checklist of releases sets it
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == grashof.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(grashof.__version__)} ", changes, re.MULTILINE)


def test_the_lock_file_of_the_viewer_names_every_package_and_no_host() -> None:
    text = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert '"resolved"' not in text
    for place, package in packages.items():
        for name in (*package.get("dependencies", {}), *package.get("optionalDependencies", {})):
            folders = [f"{place}/node_modules/{name}", f"node_modules/{name}"]
            assert any(folder in packages for folder in folders), f"{name}, which {place or 'the viewer'} needs"


def test_every_module_is_imported_on_systems_without_the_modules_of_unix() -> None:
    code = """
import importlib, pkgutil, sys
for name in ("resource", "fcntl", "pwd", "grp", "termios", "pty", "tty"):
    sys.modules[name] = None  # an import of it is an ImportError, as on Windows
import grashof
for module in pkgutil.walk_packages(grashof.__path__, "grashof."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
