"""The web app behind a proxy that serves it under a path."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from benchmarks.served import Served

from tests.server.conftest import columns_of, moves, wait_until, written

PREFIX = "/tools/grashof"


def proxy_of(port: int) -> ThreadingHTTPServer:
    """A proxy that takes the prefix away from paths, and knows nothing else."""

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith(PREFIX + "/"):
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            there = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            there.request(self.command, self.path.removeprefix(PREFIX), body or None, dict(self.headers))
            answer = there.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            """Nothing is printed."""

    return ThreadingHTTPServer(("127.0.0.1", 0), Proxy)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app as visitors know it."""
    server = Served(tmp_path_factory.mktemp("proxied") / "results.sqlite", "--prefix", PREFIX)
    proxy = proxy_of(server.port)
    thread = threading.Thread(target=proxy.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{proxy.server_address[1]}{PREFIX}/"
    proxy.shutdown()
    proxy.server_close()
    server.kill()


def test_everything_works_under_a_prefix(browser, outside: str) -> None:
    page = browser.new_page()
    page.set_default_timeout(120_000)
    missed: list[str] = []
    page.on("response", lambda answer: missed.append(answer.url) if answer.status >= 400 else None)
    page.goto(outside)
    page.get_by_role("link", name="Andrews' squeezer mechanism").click()
    moves(page, "OF.F")
    content = written(columns_of("andrews"))
    page.set_input_files("input[type=file]", {"name": "r.txt", "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Judge").click()
    page.wait_for_url(f"{outside}uploads/*")
    page.get_by_label("Tool and version").fill("a tool")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url(f"{outside}results/*")
    page.get_by_role("link", name="Leaderboards").click()
    reported = page.locator("[data-results='reported results'] tbody tr")
    assert reported.count() == 1
    assert reported.get_by_role("link", name="a tool").count() == 1
    page.goto(outside + "gallery/")  # a slash too many
    page.get_by_role("link", name="Four-bar linkage").click()
    page.get_by_role("link", name="Open it in the workbench").click()
    wait_until(page, lambda: page.get_attribute(".verdict", "data-state") == "good")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".controls .transport")
    assert missed == []
    page.close()
