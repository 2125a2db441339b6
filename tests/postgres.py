"""PostgreSQL servers of their own for tests: below a temporary folder, by an unprivileged user, on a Unix socket."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from signal import SIGKILL, SIGQUIT

import pytest

NEWEST_FIRST = sorted(Path("/usr/lib/postgresql").glob("[0-9]*/bin"), reverse=True)
"""Where Debian puts programs that only servers need."""


def program(name: str) -> str | None:
    """A program of PostgreSQL."""
    return shutil.which(name, path=os.pathsep.join([*map(str, NEWEST_FIRST), os.environ.get("PATH", "")]))


class PostgresServer:
    """A running server."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="grashof-"))
        self.user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if self.user:
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, -1)
        self._numbers = count()
        made = self._run(
            "initdb", *["-D", "data", "-U", "grashof", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        )
        assert made.wait() == 0
        self.start()

    def start(self) -> None:
        """Starts it, also after it was killed."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.folder), "shared_buffers": "16MB"}
        given = [x for name, value in settings.items() for x in ("-c", f"{name}={value}")]
        self.process = self._run("postgres", "-D", "data", *given)
        ready = [program("pg_isready") or "pg_isready", "-q", "-h", str(self.folder)]
        while subprocess.run(ready, check=False).returncode:
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)

    def _run(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = program(name)
        assert command is not None
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen([command, *arguments], cwd=self.folder, user=self.user, stdout=log, stderr=log)

    def new(self) -> str:
        """The URL of a place without tables: a schema of its own, which is made faster than a database."""
        name = f"s{next(self._numbers)}"
        self.tell(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options=-csearch_path%3D{name}"

    def url(self, user: str = "grashof", name: str = "postgres") -> str:
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def tell(self, statement: str, url: str = "") -> list[tuple[object, ...]]:
        """What a statement gives."""
        import psycopg

        with psycopg.connect(url or self.url(), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """Ends it with no chance to tidy up: nothing that it has not written to its disk survives."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for process in (self.process.pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, SIGKILL)
        self.process.wait()

    def remove(self) -> None:
        """Ends it and removes its folder."""
        if self.process.poll() is None:
            self.process.send_signal(SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.folder)


def require_postgres() -> None:
    """Skips a test where PostgreSQL is not installed."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    if not program("initdb"):
        pytest.skip("PostgreSQL is not installed; on Debian: apt-get install postgresql")
