"""The web app, asked as a browser would ask it."""

from __future__ import annotations

import asyncio
import gzip
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from anyio.from_thread import start_blocking_portal
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive

from grashof.bench.entries import Reproduction
from grashof.bench.store import Published, Store
from grashof.bench.subject import subject
from grashof.common.errors import ModelError
from grashof.problems import make_case
from grashof.references import reference_for
from grashof.server.app import make_app
from grashof.server.context import Server
from grashof.server.hosts import Hosts
from grashof.server.jobs import ServerJob
from grashof.server.leaderboard import leaderboards
from grashof.server.static import Static
from grashof.server.uploads import Uploads
from grashof.server.workers import Workers
from tests.server.conftest import columns_of, written

FOUR_BAR = """
format = "grashof 1"
name = "four-bar"
gravity = [0.0, -9.81]
[ground]
A = [0.0, 0.0]
D = [2.0, 0.0]
[[bodies]]
type = "bar"
name = "crank"
length = 1.0
mass = 1.0
[[bodies]]
type = "bar"
name = "coupler"
length = 2.0
mass = 1.0
[[bodies]]
type = "bar"
name = "rocker"
length = 1.5
mass = 1.0
[[joints]]
name = "pin0"
type = "revolute"
a = "ground.A"
b = "crank.start"
[[joints]]
name = "pin1"
type = "revolute"
a = "crank.end"
b = "coupler.start"
[[joints]]
name = "pin2"
type = "revolute"
a = "coupler.end"
b = "rocker.end"
[[joints]]
name = "pin3"
type = "revolute"
a = "ground.D"
b = "rocker.start"
"""


@pytest.fixture(scope="module")
def result_file() -> bytes:
    """Andrews' squeezer by Grashof, in the official columns."""
    return written(columns_of("andrews"))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path / "results.sqlite", tmp_path, workers=1), base_url=HERE) as found:
        yield found


HERE = "http://localhost"


def upload(client: TestClient, content: bytes, problem: str = "andrews", name: str = "result.txt"):
    return client.post(f"/problems/{problem}/judge", files={"file": (name, content)})


def test_every_answer_has_the_security_headers_and_a_policy_without_inline_scripts(client: TestClient) -> None:
    refused = upload(client, b"no table").url.path
    asked = [
        *(("GET", path, 200) for path in ("/", "/problems/andrews", "/results", "/workbench", "/gallery/jansen")),
        *(("GET", path, 200) for path in ("/static/app.js", "/gallery/jansen/picture.png", "/gallery/jansen/text")),
        *(("GET", path, 200) for path in ("/problems/andrews/reference.csv", "/api/examples")),
        *(("GET", path, 404) for path in ("/nowhere", "/static/nothing", "/api/runs/x", "/results/x", "/uploads/x")),
        ("GET", refused, 422),
        ("GET", "/gallery/", 303),
        ("POST", "/gallery", 405),
        ("POST", "/api/check", 400),
        ("POST", "/problems/andrews/judge", 400),
    ]
    for method, path, status in asked:
        answer = client.request(method, path, follow_redirects=False)
        assert answer.status_code == status, path
        assert answer.headers["x-content-type-options"] == "nosniff", path
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy
        if answer.headers.get("content-type", "").startswith("text/html"):
            assert not re.search(r"<script(?![^>]*(src=|application/json))", answer.text), path


def test_an_error_of_the_server_itself_has_them_too_and_tells_nothing_about_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(store: Path) -> dict[str, Any]:
        raise RuntimeError(f"secrets of {store}")

    monkeypatch.setattr("grashof.server.library.home", broken)
    app = make_app(tmp_path / "results.sqlite", tmp_path, workers=1)
    with TestClient(app, base_url=HERE, raise_server_exceptions=False) as client:
        answer = client.get("/")
    assert answer.status_code == 500
    assert answer.text == "Something went wrong inside Grashof; this is an error in Grashof itself."
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_viewers_have_a_policy_that_names_their_own_scripts(client: TestClient) -> None:
    answer = client.get("/gallery/four-bar/live")
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert re.search(r"script-src 'sha256-[^;]*' 'wasm-unsafe-eval'", policy) or "script-src 'sha256-" in policy
    assert not re.search(r"script-src[^;]*('unsafe-inline'|'unsafe-eval')", policy)
    assert "frame-ancestors 'self'" in policy


def test_a_slash_at_the_end_leads_to_the_page_and_never_to_another_host(client: TestClient) -> None:
    found = client.get("/gallery/", headers={"host": "localhost:1"}, follow_redirects=False)
    assert found.headers["location"] == "/gallery"
    other = client.get(f"{HERE}//evil.example/", follow_redirects=False)
    assert not other.headers.get("location", "/").startswith("//")


def test_a_good_result_passes_is_published_and_found_on_the_leaderboard(
    client: TestClient, result_file: bytes, tmp_path: Path
) -> None:
    answer = upload(client, gzip.compress(result_file))
    assert answer.status_code == 200
    assert "passes" in answer.text
    place = answer.url.path
    told = {"tool": "tool <b>1</b>", "author": "<script>alert(1)</script>", "remark": "rk4", "cpu_s": "0.5"}
    told["command"] = "tool <i>--all</i>\n"
    published = client.post(f"{place}/publish", data=told)
    assert published.status_code == 200
    assert published.url.path.startswith("/results/")
    for page in (
        published.text,
        client.get("/problems/andrews").text,
        client.get("/results").text,
        client.get("/").text,
    ):
        assert "tool &lt;b&gt;1&lt;/b&gt;" in page
        assert "<script>alert(1)" not in page
    assert "Made by <code>tool &lt;i&gt;--all&lt;/i&gt;</code>" in published.text
    assert "It has not been run here." in published.text
    kept = client.get(f"{published.url.path}/file").content
    assert gzip.decompress(kept) == result_file
    # confirmed means kept: another process that opens the store finds it
    with Store(tmp_path / "results.sqlite") as store:
        assert [result.tool for result in store.published("andrews")] == ["tool <b>1</b>"]
        found = Reproduction("2026-01-01", False, "x_F <b>differs</b>.", 0.1, 2.0, True, "1")
        assert store.mark(published.url.path.rsplit("/", 1)[1], found)
    assert "x_F &lt;b&gt;differs&lt;/b&gt;. The whole command took 2 s." in client.get(published.url.path).text
    assert '<span class="no">not reproduced</span>' in client.get("/results").text
    again = client.post(f"{place}/publish", data=told)
    assert again.url.path == published.url.path  # the same result twice is one
    # under another name, written otherwise and by another author it is still the same
    lines = result_file.decode().splitlines()
    other = upload(client, "\n".join([lines[0], *(",".join(line.split()) for line in lines[1:])]).encode())
    renamed = client.post(f"{other.url.path}/publish", data={"tool": "my tool", "author": "somebody else"})
    assert renamed.url.path == published.url.path
    assert "tool &lt;b&gt;1" in renamed.text
    # its owner, and nobody else, withdraws it
    token = re.search(r"Keep the token <code>([\w-]+)</code>", published.text)
    assert token
    assert "Keep the token" not in renamed.text
    client.cookies.clear()
    assert "Keep the token" not in client.get(published.url.path).text
    refused = client.post(f"{published.url.path}/withdraw", data={"token": "guess"})
    assert refused.status_code == 400
    assert "does not belong" in refused.text
    assert client.post(f"{published.url.path}/withdraw", data={"token": token[1]}).url.path == "/results"
    assert client.get(published.url.path).status_code == 404
    assert "tool &lt;b&gt;1" not in client.get("/results").text
    with Store(tmp_path / "results.sqlite") as store:
        assert [record.action for record in store.audit()] == ["published", "not reproduced", "withdrawn"]


def test_a_copy_of_the_reference_is_no_result(client: TestClient) -> None:
    reference = reference_for(make_case("andrews"))
    assert reference is not None
    columns = {"t": reference.times, **{name: x.copy() for name, x in reference.columns.items()}}
    copied = upload(client, written(columns))
    assert "passes" in copied.text
    refused = client.post(f"{copied.url.path}/publish", data={"tool": "a copier"})
    assert refused.status_code == 400
    assert "to the last digit" in refused.text
    columns["x_F"][50] = np.nextafter(columns["x_F"][50], 1.0)  # a calculation of one's own has some error somewhere
    own = upload(client, written(columns))
    assert client.post(f"{own.url.path}/publish", data={"tool": "a tool"}).status_code == 200


def test_a_wrong_result_is_told_where_it_departs(client: TestClient, result_file: bytes) -> None:
    lines = result_file.decode().splitlines()
    header, rows = lines[0], [line.split() for line in lines[1:]]
    wrong = [[row[0], repr(float(row[1]) * (1 + 0.5 * (float(row[0]) > 0.03))), *row[2:]] for row in rows]
    answer = upload(client, "\n".join([header, *(" ".join(row) for row in wrong)]).encode())
    assert "does not agree" in answer.text
    assert "from t = 0.03" in answer.text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no row of numbers"),
        (b"\x00" * 5000, "no row of numbers"),
        (b"t x\n0 1\n1 <script>\n", "found"),
        (b"\x1f\x8b" + b"\x00" * 50, "damaged"),
        (gzip.compress(b"0" * 50_000_000, mtime=0), "line"),
    ],
)
def test_what_cannot_be_judged_is_refused_by_a_sentence(client: TestClient, content: bytes, sentence: str) -> None:
    answer = upload(client, content)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "Traceback" not in answer.text
    assert "/uploads/" not in answer.text.replace('href="/uploads', "")  # no path of the server
    assert "<script>\n" not in answer.text


def test_an_upload_that_is_too_large_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("grashof.server.uploads.LARGEST", 1000)
    answer = upload(client, b"0 1\n" * 1000)
    assert answer.status_code == 413
    assert "more than 1,000 bytes" in answer.text
    assert list((tmp_path / "uploads").iterdir()) == []


def sent(app: ASGIApp, receive: Receive) -> tuple[int, str]:
    """The status and the content of the answer to an upload that arrives as `receive` says."""
    found: list[dict[str, Any]] = []

    async def send(message: Message) -> None:
        found.append(dict(message))

    headers = [(b"host", b"localhost"), (b"content-type", b"multipart/form-data; boundary=b")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/problems/andrews/judge",
        "query_string": b"",
        "headers": headers,
    }
    with start_blocking_portal() as portal:  # a thread of its own: Playwright has a loop in this one
        portal.call(app, scope, receive, send)
    return found[0]["status"], b"".join(x.get("body", b"") for x in found).decode()


HEAD = b'--b\r\ncontent-disposition: form-data; name="file"; filename="r.txt"\r\n\r\n'


def test_an_upload_without_end_is_refused_before_it_fills_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("grashof.server.security.LARGEST", 1 << 20)
    blocks = [0]

    async def receive() -> Message:
        blocks[0] += 1
        return {"type": "http.request", "body": HEAD if blocks[0] == 1 else b"0" * (1 << 16), "more_body": True}

    status, text = sent(make_app(tmp_path / "results.sqlite", tmp_path, workers=1), receive)
    assert status == 413
    assert "more than 1,048,576 bytes" in text
    assert blocks[0] <= 18


def test_an_upload_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("grashof.server.security.SECONDS", 0.05)
    begun = [False]

    async def receive() -> Message:
        if begun[0]:
            await asyncio.Event().wait()
        begun[0] = True
        return {"type": "http.request", "body": HEAD, "more_body": True}

    status, text = sent(make_app(tmp_path / "results.sqlite", tmp_path, workers=1), receive)
    assert status == 408
    assert "did not arrive within 0.05 s" in text


def test_an_upload_that_dribbles_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("grashof.server.security.PATIENCE", 0.05)
    monkeypatch.setattr("grashof.server.security.RATE", 1 << 30)

    blocks = iter([HEAD])

    async def receive() -> Message:
        await asyncio.sleep(0.001)
        return {"type": "http.request", "body": next(blocks, b"0"), "more_body": True}

    status, text = sent(make_app(tmp_path / "results.sqlite", tmp_path, workers=1), receive)
    assert status == 408
    assert "arrives too slowly" in text


def test_a_page_that_several_ask_for_is_made_once_and_again_after_a_failure(tmp_path: Path) -> None:
    class Counted(Workers):
        made: int = 0

        async def run(self, *given: Any, **options: Any) -> Any:
            self.made += 1
            await asyncio.sleep(0)
            if self.made == 1:
                raise ModelError("not this time")
            return "<!DOCTYPE html>"

    async def ask() -> list[Any]:
        server = Server(tmp_path / "r.sqlite", Uploads(tmp_path), workers, Static())

        async def answers() -> list[Any]:
            asked = (server.viewer(request, "a page", "example", {}) for _ in range(3))
            return await asyncio.gather(*asked, return_exceptions=True)

        return [*await answers(), *await answers()]

    request = Request({"type": "http"}, receive=asyncio.Event().wait)
    workers = Counted()
    with start_blocking_portal() as portal:
        found = portal.call(ask)
    assert [isinstance(x, ModelError) for x in found] == [True] * 3 + [False] * 3
    assert workers.made == 2


@pytest.mark.parametrize(
    "path",
    [
        "/uploads/..%2f..%2fetc",
        "/uploads/" + "0" * 32,
        "/results/'; DROP TABLE published",
        "/problems/%2e%2e",
        "/static/%2e%2e/%2e%2e/server/app.py",
    ],
)
def test_names_from_requests_never_reach_the_file_system(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:3000"},  # another program on this machine
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
def test_requests_of_other_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/check", content=FOUR_BAR, headers=headers)
    assert answer.status_code == 403
    assert answer.json() == {"sentence": "Requests from pages of other sites are refused."}


def test_requests_of_its_own_pages_are_answered(client: TestClient) -> None:
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert client.post("/api/check", content=FOUR_BAR, headers=own).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:80", "192.0.2.1", "a b", "me@localhost"])
def test_requests_for_names_that_are_not_its_own_are_refused(client: TestClient, host: str) -> None:
    page, data = (client.get(path, headers={"host": host}) for path in ("/", "/api/examples"))
    assert (page.status_code, data.status_code) == (421, 421)
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "does not answer under the name" in page.text or "does not say by which name" in page.text
    assert data.json()["sentence"]


def test_names_that_the_operator_allows_are_its_own(tmp_path: Path) -> None:
    hosts = Hosts.of("0.0.0.0", ["Bench.Example."])
    with TestClient(make_app(tmp_path / "r.sqlite", tmp_path, workers=1, hosts=hosts), base_url=HERE) as client:
        for host in ("bench.example", "BENCH.example:8443", "192.0.2.1:8765", "[2001:db8::1]", "localhost:1"):
            assert client.get("/", headers={"host": host}).status_code == 200, host
        assert client.get("/", headers={"host": "other.example"}).status_code == 421
        # a proxy that asks by a name of its own
        behind = {"host": "127.0.0.1:8765", "origin": "https://bench.example"}
        assert client.post("/api/check", content=FOUR_BAR, headers=behind).status_code == 200


@pytest.mark.parametrize("name", ["https://bench.example", "bench.example:80", "bench.example/app", "", "a b"])
def test_what_is_not_a_name_is_not_allowed(name: str) -> None:
    with pytest.raises(ModelError, match="not the name of a host"):
        Hosts.of("127.0.0.1", [name])


def test_the_workbench_is_told_mobility_and_position(client: TestClient) -> None:
    found = client.post("/api/check", content=FOUR_BAR).json()
    assert "1 degree of freedom" in found["mobility"]
    assert found["scene"]["name"] == "four-bar"


def test_a_contradiction_is_told_in_words(client: TestClient) -> None:
    answer = client.post("/api/check", content=FOUR_BAR.replace("length = 2.0", "length = 9.0"))
    assert answer.status_code == 400
    assert "cannot" in answer.json()["sentence"]


def test_files_and_code_in_a_description_are_refused(client: TestClient, tmp_path: Path) -> None:
    table = FOUR_BAR + '[[tables]]\nname = "x"\nfile = "../../../etc/passwd"\n'
    code = FOUR_BAR + '[[forces]]\ntype = "user"\nname = "f"\nfunction = "os:abort"\ntargets = ["crank.end"]\n'
    for text in (table, code):
        answer = client.post("/api/check", content=text)
        assert answer.status_code == 400
        assert answer.json()["sentence"]


def finished(client: TestClient, query: str) -> tuple[dict[str, object], Any]:
    """A run of a four-bar when it has ended, and what it gave."""
    job = client.post(f"/api/runs?{query}", content=FOUR_BAR).json()["job"]
    for _ in range(600):
        state = client.get(f"/api/runs/{job}").json()
        if state["state"] != "running":
            break
        time.sleep(0.1)
    return state, client.get(f"/api/runs/{job}/page")


def test_a_run_is_looked_after_and_gives_a_page(client: TestClient) -> None:
    state, page = finished(client, "t_end=1")
    assert state["state"] == "done", state
    assert "script-src 'sha256-" in page.headers["content-security-policy"]
    assert "<title>four-bar</title>" in page.text


def test_a_run_gives_a_film(client: TestClient) -> None:
    state, film = finished(client, "t_end=2&form=mp4&trace=crank.end")
    assert state["state"] == "done", state
    assert (film.headers["content-type"], film.headers["content-disposition"]) == ("video/mp4", "attachment")
    assert film.content[4:8] == b"ftyp"


def test_links_that_cannot_be_drawn_and_unknown_forms_are_refused(client: TestClient) -> None:
    state, nothing = finished(client, "form=dxf&width=wide&holes=8 mm")
    assert state["state"] == "failed"
    assert "wide" in str(state["sentence"])
    assert nothing.status_code == 400
    answer = client.post("/api/runs?form=exe", content=FOUR_BAR)
    assert answer.status_code == 400
    assert answer.json()["sentence"] == "form is 'exe'; it must be motion, live, gif, mp4 or dxf."


def test_the_time_left_follows_from_the_progress_since_it_was_first_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((100.0, 100.5))
    monkeypatch.setattr("asyncio.get_running_loop", lambda: SimpleNamespace(time=lambda: next(clock)))
    job = ServerJob()
    job.progress(0.1, "compiling")  # how long the first part took says nothing about the rest
    assert job.as_dict()["seconds_left"] is None
    job.progress(0.3, "running")
    assert job.as_dict()["seconds_left"] == pytest.approx(0.5 * 0.7 / 0.2)


def test_a_long_run_is_cancelled(client: TestClient) -> None:
    job = client.post("/api/runs?t_end=1000000", content=FOUR_BAR).json()["job"]
    assert client.get(f"/api/runs/{job}").json()["state"] == "running"
    assert client.post(f"/api/runs/{job}/cancel").json()["state"] == "cancelled"
    # the worker is free again
    assert client.post("/api/check", content=FOUR_BAR).status_code == 200


def test_a_leaderboard_of_many_results_shows_the_best_ones_and_says_how_many_there_are(
    client: TestClient, tmp_path: Path
) -> None:
    def verdict(passes: bool) -> dict[str, Any]:
        return {"rule": {"passes": passes, "error_J": 1.0, "bound_J": 2.0}, "reference": {"agrees": passes}}

    with Store(tmp_path / "results.sqlite") as store:
        for k in range(510):
            told = ("2026-01-01T00:00:00", subject("andrews"), f"tool {k}", "", "", 1.0 + k, verdict(k >= 500))
            store.publish(Published(f"{k:032x}", *told), b"")
        other = ("2026-01-01T00:00:00", subject("double-four-bar"), "other tool", "", "", 1.0, verdict(False))
        store.publish(Published("f" * 32, *other), b"")
    rows = leaderboards(tmp_path / "results.sqlite", "andrews").reported
    assert [row.tool for row in rows[:10]] == [f"tool {k}" for k in range(500, 510)]
    page = client.get("/problems/andrews").text
    assert page.count("data-group=") == 500
    assert "The best 500 of 510 results are shown." in page
    assert "tool 509</a>" in page
    assert "tool 499</a>" not in page
    assert "other tool</a>" in client.get("/results").text  # many results of one problem do not hide another


def test_it_works_under_a_prefix(tmp_path: Path) -> None:
    app = make_app(tmp_path / "results.sqlite", tmp_path, workers=1)
    with TestClient(app, base_url=HERE, root_path="/grashof") as client:
        page = client.get("/grashof/").text
    assert 'href="/grashof/problems/andrews"' in page
    assert 'src="/grashof/static/app.js?v=' in page


def test_the_gallery_shows_a_drawing_of_each_mechanism(client: TestClient) -> None:
    page = client.get("/gallery").text
    assert '/gallery/four-bar/picture.png"' in page
    assert client.get("/gallery/four-bar/picture.png").content.startswith(b"\x89PNG")
    assert client.get("/gallery/bricard-mechanism/picture.png").content.startswith(b"\x89PNG")
    assert client.get("/gallery/nothing/picture.png").status_code == 404
    assert "a crank that turns fully" in client.get("/gallery/four-bar").text.lower()


def test_scripts_and_styles_are_compressed_and_kept_until_they_change(client: TestClient) -> None:
    page = client.get("/").text
    (path,) = re.findall(r'src="(/static/app.js[^"]*)"', page)
    plain = client.get("/static/app.js", headers={"accept-encoding": "identity"})
    packed = client.get(path)
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert "content-encoding" not in plain.headers
    assert "immutable" in packed.headers["cache-control"]
    assert plain.headers["cache-control"] == "no-cache"
    known = client.get("/static/app.js", headers={"if-none-match": plain.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert client.get("/static/nothing.js").status_code == 404


def test_pages_are_compressed_and_not_kept(client: TestClient) -> None:
    answer = client.get("/gallery")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["content-length"]) < len(answer.content) / 3


def test_the_first_page_needs_neither_numpy_nor_the_engine() -> None:
    code = (
        "import sys, grashof.cli.app, grashof.server.app as app\n"
        "from grashof.server import library\n"
        "at = app.Static().with_digest\n"
        "import pathlib, tempfile\n"
        "home = library.home(pathlib.Path(tempfile.mkdtemp()) / 'r.sqlite')\n"
        "assert 'andrews' in library.render_page(library.templates(), 'home.html', at, root='', **home)\n"
        "print([name for name in ('numpy', 'matplotlib', 'llvmlite', 'grashof.model', 'grashof.view') if name "
        "in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
