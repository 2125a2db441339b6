"""Random examples are the same ones in every run of the tests; `make explore` draws others, and more of them.

Neither depends on how fast the machine is, nor on examples that earlier runs left behind.

Compiled mechanisms are kept in pytest's own cache folder instead of the user's cache; all workers of pytest-xdist share
it.

All tests of pages in one process share one real browser: Debian's Chromium, driven by Playwright.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from grashof.bench.databases import Place
from tests.postgres import PostgresServer, require_postgres

settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=40)
settings.register_profile("explore", derandomize=False, deadline=None, database=None, max_examples=200)
settings.load_profile("same")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than cores, because tests of pages and of the server wait for other processes."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    if "GRASHOF_CACHE" not in os.environ:
        folder = config.cache.mkdir("grashof")
        folder.chmod(0o700)  # folders that others may write to are refused
        os.environ["GRASHOF_CACHE"] = str(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    require_postgres()
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Place]:
    """Places of stores that do not exist yet, by names: files, then databases."""
    if request.param == "sqlite":
        return tmp_path.joinpath
    server: PostgresServer = request.getfixturevalue("postgres")
    return lru_cache(lambda name: server.new())


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine: `make browser` installs it")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()
