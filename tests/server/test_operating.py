"""What operators need: health, metrics, several servers on one database, and the files of `deploy`."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
import yaml

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from benchmarks.served import Served
from starlette.testclient import TestClient

from grashof.cli.serve import serve
from grashof.server.app import make_app
from grashof.server.traffic import BOUNDS
from tests.postgres import PostgresServer
from tests.server.test_app import HERE, result_file

__all__ = ["result_file"]

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"(grashof_\w+?)(_bucket|_sum|_count)?(?:\{(.*)\})? ([0-9.e+-]+)")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(tmp_path / "results.sqlite", tmp_path), HERE, client=("127.0.0.1", 1)) as found:
        yield found


def test_health_says_whether_the_store_can_be_read(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/api/health").json()["status"] == "ok"
    (tmp_path / "results.sqlite").write_bytes(b"no store")
    answer = client.get("/api/health")
    assert answer.status_code == 503
    assert str(tmp_path) not in answer.text


def test_metrics_count_every_answer_once(client: TestClient) -> None:
    for path in ("/", "/gallery", "/no such page", "/static/app.js"):
        client.get(path)
    client.post("/api/check", content=b"nonsense")
    text = client.get("/api/metrics").text
    numbers: dict[tuple[str, str], float] = {}
    kinds = dict(re.findall(r"# TYPE (\w+) (\w+)", text))
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, suffix, labels, value = LINE.fullmatch(line).groups()  # type: ignore[union-attr]
        assert (kinds[name] == "histogram") == (suffix is not None)
        numbers[name + (suffix or ""), labels or ""] = float(value)
    answers = {labels: value for (name, labels), value in numbers.items() if name == "grashof_answers_total"}
    assert answers == {
        'kind="page",status="200"': 2,
        'kind="page",status="404"': 1,
        'kind="static",status="200"': 1,
        'kind="check",status="400"': 1,
    }
    within = [numbers["grashof_answer_seconds_bucket", f'kind="page",le="{bound:g}"'] for bound in BOUNDS]
    assert within == sorted(within)
    assert within[-1] == numbers["grashof_answer_seconds_count", 'kind="page"'] == 3


def test_metrics_are_for_private_networks(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path / "r.sqlite", tmp_path), HERE, client=("192.0.43.8", 1)) as stranger:
        assert stranger.get("/api/metrics").status_code == 403
        assert stranger.get("/api/health").status_code == 200


def test_several_servers_share_a_database_and_one_takes_over_for_another(
    postgres: PostgresServer, tmp_path: Path, result_file: bytes
) -> None:
    store = postgres.new()
    servers = [Served(store, "--folder", str(tmp_path)) for _ in range(2)]
    try:
        first = servers[0].publish(servers[0].upload(result_file), "one")
        lines = result_file.splitlines()
        upload = servers[0].upload(b"\n".join(lines[:-1]))  # other numbers: the same ones are published already
        servers[0].kill()
        # what was confirmed is there, and what was uploaded can still be published
        assert servers[1].ask("GET", first)[0] == 200
        second = servers[1].publish(upload, "two")
        assert second != first
        assert servers[1].ask("GET", second)[0] == 200
    finally:
        for server in servers:
            server.kill()


def commands() -> dict[str, list[str]]:
    """The arguments of `grashof serve` in each file of `deploy`."""
    unit = (ROOT / "deploy" / "grashof.service").read_text("utf-8")
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    image = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    entry = yaml.safe_load(re.search(r"^ENTRYPOINT (.*)$", image, re.M)[1])  # type: ignore[index]
    given = yaml.safe_load(re.search(r"^CMD (.*)$", image, re.M)[1])  # type: ignore[index]
    assert entry[:2] == ["grashof", "serve"]
    started = shlex.split(re.search(r"^ExecStart=\S*/grashof serve (.*)$", unit, re.M)[1])  # type: ignore[index]
    return {
        "unit": started,
        "image": entry[2:] + given,
        "compose": entry[2:] + compose["services"]["server"]["command"],
    }


@pytest.mark.parametrize("name", ["unit", "image", "compose"])
def test_files_of_deploy_start_the_server_with_options_that_it_has(name: str) -> None:
    app = typer.Typer()
    app.command()(serve)
    command = typer.main.get_command(app)
    found = command.make_context("serve", commands()[name]).params
    assert found["store"]


def test_the_image_installs_extras_that_exist_and_asks_for_an_address_that_exists() -> None:
    image = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for found in re.findall(r"\[([a-z,]+)\]\"", image):
        assert set(found.split(",")) <= set(extras)
    assert "/api/health" in image
