"""Room on the disk and in memory is bounded; trouble of the server's files is told without their paths."""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient

from grashof.bench.store import Store
from grashof.server import uploads
from grashof.server.app import make_app
from grashof.server.clients import Room
from grashof.server.refusals import Busy, Full, Missing, TooMany
from grashof.server.uploads import Uploads
from tests.server.test_app import HERE, result_file, upload
from tests.server.test_fair_queue import run

__all__ = ["result_file"]


async def blocks(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1000):
        yield b"x" * 1000


def aged(kept: Uploads, name: str, seconds: float) -> None:
    made = time.time() - seconds
    os.utime(kept.folder / name, (made, made))


def there(kept: Uploads) -> set[str]:
    return {place.name for place in kept.folder.iterdir()}


def test_the_oldest_uploads_make_room_for_new_ones(tmp_path: Path) -> None:
    kept = Uploads(tmp_path / "u", 10_000)

    async def scenario() -> None:
        names = [await kept.receive(f"client {k}", blocks(3000)) for k in range(3)]
        for k, name in enumerate(names):
            aged(kept, name, 2000.0 - k)
        fourth = await kept.receive("another", blocks(3000))
        assert there(kept) == {*names[1:], fourth}
        with pytest.raises(Missing):
            kept.facts(names[0])

    run(scenario)


def test_young_uploads_stay_and_new_ones_are_refused(tmp_path: Path) -> None:
    kept = Uploads(tmp_path / "u", 10_000)

    async def scenario() -> None:
        names = {await kept.receive(f"client {k}", blocks(3000)) for k in range(3)}
        with pytest.raises(Full, match="try again in ten minutes"):
            await kept.receive("another", blocks(3000))
        assert there(kept) == names
        await kept.receive("another", blocks(1000))

    run(scenario)


def test_uploads_are_forgotten_after_a_day(tmp_path: Path) -> None:
    kept = Uploads(tmp_path / "u")

    async def scenario() -> None:
        old = await kept.receive("a", blocks(1000))
        aged(kept, old, 25 * 3600.0)
        new = await kept.receive("a", blocks(1000))
        assert there(kept) == {new}

    run(scenario)


def test_one_client_has_a_share_of_the_room(tmp_path: Path) -> None:
    kept = Uploads(tmp_path / "u", 10_000)

    async def scenario() -> None:
        own = await kept.receive("a", blocks(3000))
        with pytest.raises(TooMany):
            await kept.receive("a", blocks(1000))
        await kept.receive("b", blocks(1000))
        kept.remove(own)
        await kept.receive("a", blocks(1000))

    run(scenario)


def test_a_disk_that_is_nearly_full_takes_no_uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "FREE", 1 << 62)

    async def scenario() -> None:
        with pytest.raises(Full, match="disk is full"):
            await Uploads(tmp_path / "u").receive("a", blocks(1000))

    run(scenario)


def test_what_arrives_at_a_time_is_bounded_and_shared() -> None:
    room = Room(100)
    room.take("a", 25)
    with pytest.raises(TooMany):
        room.take("a", 1)
    for client in "bcd":
        room.take(client, 25)
    with pytest.raises(Busy):
        room.take("e", 1)
    room.free("a", 25)
    room.take("e", 1)
    assert room.taken == 76


def test_a_request_takes_room_while_it_arrives_and_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grashof.server.security.SMALL", 100)
    monkeypatch.setattr("grashof.server.security.ARRIVING", 4000)
    app: Any = make_app(tmp_path / "r.sqlite", tmp_path, workers=1)
    with TestClient(app, base_url=HERE) as client:
        assert client.post("/api/check", content=b"[" * 5000).status_code == 429
        assert client.post("/api/check", content=b"[" * 900).status_code == 400
    assert app.app.room.taken == 0  # the app that counts its answers has the guard inside


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with TestClient(make_app(tmp_path / "results.sqlite", tmp_path, workers=1), base_url=HERE) as found:
        yield found


def told(answer: Any, tmp_path: Path, status: int) -> None:
    """A page for people, without any path."""
    assert answer.status_code == status
    assert "operator has been told" in answer.text
    assert str(tmp_path) not in answer.text
    assert "sqlite" not in answer.text
    assert "<h1>" in answer.text


def test_a_damaged_store_is_told_to_people_and_to_the_operator(
    client: TestClient, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for file in tmp_path.glob("results.sqlite*"):
        file.unlink()
    (tmp_path / "results.sqlite").write_bytes(b"not a database " * 1000)
    with caplog.at_level(logging.ERROR):
        told(client.get("/"), tmp_path, 503)
    assert "results.sqlite is not a file of results" in caplog.text
    assert client.get("/workbench").status_code == 200  # what needs no results goes on


@pytest.mark.parametrize(
    ("damage", "pages", "others"),
    [
        ("DROP TABLE entries", ["/", "/results", "/problems/andrews"], []),
        ("UPDATE entries SET entry = '{'", ["/", "/results", "/problems/andrews"], []),
        ("DROP TABLE published", ["{result}"], ["/results"]),
        ("UPDATE published SET verdict = '{'", ["{result}"], ["/results"]),
    ],
)
def test_a_store_in_which_rows_are_damaged_is_told(
    client: TestClient, tmp_path: Path, result_file: bytes, damage: str, pages: list[str], others: list[str]
) -> None:
    """By pages that need these rows; the others go on."""
    judged = upload(client, result_file)
    result = client.post(f"{judged.url.path}/publish", data={"tool": "a tool"}).url.path
    pages, others = ([page.format(result=result) for page in some] for some in (pages, others))
    for page in pages + others:
        answer = client.get(page)
        assert answer.status_code == 200
        assert "a tool" in answer.text
    with Store(tmp_path / "results.sqlite") as store:
        store._db.execute(damage)
    for page in pages:
        told(client.get(page), tmp_path, 503)
    for page in others:
        assert "a tool" in client.get(page).text


def test_a_full_disk_is_told(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*given: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path / "uploads"))

    monkeypatch.setattr(Uploads, "_make_room", full)
    with caplog.at_level(logging.ERROR):
        told(upload(client, b"t x\n0 1\n"), tmp_path, 507)
    assert "No space left" in caplog.text
    assert str(tmp_path) in caplog.text


def test_a_store_that_has_reached_its_limit_takes_no_more_results(tmp_path: Path) -> None:
    name = "0" * 32
    (tmp_path / "uploads" / name).mkdir(parents=True)
    (tmp_path / "uploads" / name / "data").write_bytes(b"t x\n0 1\n")
    facts = {"subject": {"problem": "andrews", "variant": "", "parameters": {}}, "verdict": {}}
    Uploads(tmp_path / "uploads").keep(name, facts)
    app = make_app(tmp_path / "results.sqlite", tmp_path, workers=1, store_space=1)
    with TestClient(app, base_url=HERE) as client:
        told(client.post(f"/uploads/{name}/publish", data={"tool": "a tool"}), tmp_path, 507)
