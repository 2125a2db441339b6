"""`grashof serve` as a process, for tests and load. `python -m benchmarks.served` measures how long its first page
takes."""

from __future__ import annotations

import http.client
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from grashof.bench.databases import Place

CODE = "import sys; from grashof.cli import main; sys.argv = ['grashof', *sys.argv[1:]]; main()"


class Served:
    """`grashof serve` as a process, on a port of its own."""

    def __init__(self, store: Place, *options: str) -> None:
        command = [sys.executable, "-c", CODE, "serve", "--port", "0", "--store", str(store), *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said
        self.port = int(found[1])
        for _ in range(600):
            try:
                if self.ask("GET", "/")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = "text/plain", client: str = ""
    ) -> tuple[int, str, bytes]:
        """Status, target of a redirect, and content; the client is an address that a proxy would report."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = ({"content-type": kind} if body else {}) | ({"x-forwarded-for": client} if client else {})
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers.get("location", ""), answer.read()

    def upload(self, content: bytes) -> str:
        """The path of the verdict."""
        border = b"border-of-parts"
        body = b'--%b\r\ncontent-disposition: form-data; name="file"; filename="r.txt"\r\n\r\n%b\r\n--%b--\r\n' % (
            border,
            content,
            border,
        )
        status, place, _ = self.ask(
            "POST", "/problems/andrews/judge", body, f"multipart/form-data; boundary={border.decode()}"
        )
        assert status == 303
        return urllib.parse.urlsplit(place).path

    def publish(self, place: str, tool: str) -> str:
        """The path of the published result, once the server has confirmed it."""
        body = urllib.parse.urlencode({"tool": tool}).encode()
        status, found, _ = self.ask("POST", f"{place}/publish", body, "application/x-www-form-urlencoded")
        assert status == 303
        return urllib.parse.urlsplit(found).path

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


def main() -> None:
    """Prints the wall and CPU seconds from the start of the process to its first page, for a few starts."""
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            before, begin = _cpu_of_children(), time.perf_counter()
            server = Served(Path(folder) / "results.sqlite")
            wall = time.perf_counter() - begin
            server.kill()
        print(f"first page after {wall:.2f} s, {_cpu_of_children() - before:.2f} s of CPU time")


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
