"""Results: uploaded, judged, published, and compared on leaderboards."""

from __future__ import annotations

import gzip
import hashlib
import logging
import secrets
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grashof.bench.databases import Place
from grashof.bench.store import Published, Store
from grashof.bench.subject import BenchSubject
from grashof.common.errors import ModelError
from grashof.common.wording import plain_line
from grashof.server import leaderboard, library
from grashof.server.clients import client_of
from grashof.server.context import SECONDS, Server, redirect, root_of, until_closed
from grashof.server.refusals import Busy, Full, Missing, TooMany

LOG = logging.getLogger("grashof.server")

COOKIE, SHOWN = "grashof_owner", 3600
"""The cookie by which the page of a new result shows its owner's token, and for how long, s."""

LONGEST = {"tool": 80, "author": 80, "remark": 80, "command": 500}
"""Characters of what is said of a published result."""


async def results_page(server: Server, request: Request) -> Response:
    """The leaderboards of all problems, which can be sorted and filtered."""
    boards = await run_in_threadpool(leaderboard.leaderboards, server.store)
    return server.page(request, "results.html", boards=boards)


async def result_page(server: Server, request: Request) -> Response:
    """A published or measured result."""
    result = await run_in_threadpool(find, server.store, request.path_params["id"])
    token = request.cookies.get(COOKIE, "")
    owned = bool(token) and await run_in_threadpool(_owns, server.store, request.path_params["id"], token)
    return server.page(request, "result.html", **result_facts(result, token if owned else ""))


async def result_motion(server: Server, request: Request) -> Response:
    """The moving mechanism of a result, as a page of its own."""
    id = request.path_params["id"]
    result = await run_in_threadpool(find, server.store, id)
    task, given = motion_task(result)
    return await server.viewer(request, f"result {id}", task, given)


async def result_file(server: Server, request: Request) -> Response:
    """The file of a published result, as it was uploaded."""
    content = await run_in_threadpool(_published_file, server.store, request.path_params["id"])
    headers = {"content-disposition": 'attachment; filename="result.txt.gz"'}
    return Response(content, media_type="application/gzip", headers=headers)


def result_facts(result: Published | leaderboard.Measured, token: str = "") -> dict[str, Any]:
    """What the page of a result shows; its owner's token to the owner alone."""
    if isinstance(result, Published):
        verdict = result.verdict
        return {
            "title": f"{result.tool}: {result.subject.label}",
            "subject": result.subject,
            "id": result.id,
            "result": result,
            "measured": None,
            "verdict": verdict,
            "plots": verdict.get("plots", []),
            "motion": verdict.get("motion"),
            "token": token,
        }
    verdict = {"reading": [], **result.point.judged.assessment}
    own = result.curve.engine == "grashof" and "tol" in result.point.setting.values
    told = "This is the run repeated with the same tolerance." if own else None
    return {
        "title": f"{result.curve.engine} {result.curve.version}: {result.curve.subject.label}",
        "subject": result.curve.subject,
        "id": leaderboard.identifier(result),
        "result": None,
        "measured": result,
        "verdict": verdict,
        "plots": [],
        "motion": {"shown": True, "sentence": told} if own else None,
        "token": "",
    }


def motion_task(result: Published | leaderboard.Measured) -> tuple[str, dict[str, Any]]:
    """The task of a worker that makes the page with the motion of a result; ModelError if there is none."""
    facts = result_facts(result)
    if not (facts["motion"] or {}).get("shown"):
        raise Missing("The motion of this result cannot be shown.")
    if isinstance(result, Published):
        return "result", _motion(facts["title"], msgspec.to_builtins(result.subject), result.verdict)
    given = {
        "title": facts["title"],
        "subject": msgspec.to_builtins(result.curve.subject),
        "verdict": _brief(facts["verdict"]),
    }
    return "own", {**given, "tol": float(result.point.setting.values["tol"])}


def _motion(title: str, subject: dict[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any]:
    return {"title": title, "subject": subject, "plots": verdict.get("plots", []), "verdict": _brief(verdict)}


def _brief(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a verdict that is shown with the motion."""
    return {name: verdict.get(name) for name in ("reference", "branch")}


# -- uploads


async def judge_upload(server: Server, request: Request) -> Response:
    """Takes a file, judges it, and leads to the page with the verdict."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    upload = await server.uploads.receive(client_of(request), _read_upload(request))
    path = str(server.uploads.path(upload))
    subject = found.subject
    work = server.workers.run("judge", client_of(request), "judge", {"path": path, **subject}, SECONDS)
    try:
        facts = {"subject": subject, "verdict": await until_closed(request, work)}
    except (Busy, TooMany, ClientDisconnect):
        server.uploads.remove(upload)
        raise
    except ModelError as problem:
        facts = {"subject": {**subject, "parameters": {}}, "problem": str(problem).replace(path, "The file")}
    server.uploads.keep(upload, facts)
    return redirect(request, f"/uploads/{upload}")


async def _read_upload(request: Request) -> AsyncIterator[bytes]:
    """The file of a form, block by block; nothing else of the form is read."""
    async with request.form(max_files=1, max_fields=4, max_part_size=1 << 16) as form:
        file = form.get("file")
        if file is None or isinstance(file, str):
            raise ModelError("There is no file in the form; choose one, then send it.")
        while block := await file.read(1 << 20):
            yield block


async def upload_page(server: Server, request: Request) -> Response:
    """The verdict on an uploaded file."""
    name = request.path_params["upload"]
    facts = server.uploads.facts(name)
    if "problem" in facts:
        given = {"subject": facts["subject"], "missing": False, "sentence": facts["problem"]}
        return server.page(request, "refused.html", 422, **given)
    verdict = facts["verdict"]
    given = {"verdict": verdict, "plots": verdict["plots"], "motion": verdict.get("motion")}
    return server.page(request, "upload.html", upload=name, subject=facts["subject"], **given)


async def upload_motion(server: Server, request: Request) -> Response:
    """The moving mechanism of an uploaded file, as a page of its own."""
    name = request.path_params["upload"]
    facts = server.uploads.facts(name)
    verdict = facts.get("verdict", {})
    if not (verdict.get("motion") or {}).get("shown"):
        raise Missing("The motion of this file cannot be shown.")
    return await server.viewer(
        request, f"upload {name}", "result", _motion("Uploaded result", facts["subject"], verdict)
    )


# -- publishing


async def publish(server: Server, request: Request) -> Response:
    """Puts an uploaded result on the leaderboard."""
    name = request.path_params["upload"]
    facts = server.uploads.facts(name)
    if "verdict" not in facts:
        raise ModelError("This file could not be judged, so it cannot be published.")
    if facts["verdict"].get("copied"):
        raise ModelError(
            "Every number of this file equals the certified reference to the last digit. That is a copy, not a result, "
            "and cannot be published."
        )
    async with request.form(max_files=0, max_fields=8, max_part_size=1 << 14) as form:
        told = {field: plain_line(form.get(field, "")) for field in (*LONGEST, "cpu_s")}
    for field, most in LONGEST.items():
        if len(told[field]) > most:
            raise ModelError(f"The {field} has {len(told[field])} characters; at most {most} are allowed.")
    if not told["tool"]:
        raise ModelError("Name the tool that made the result.")
    token = secrets.token_urlsafe(24)
    result = await run_in_threadpool(_publish, server, name, facts, told, token)
    answer = redirect(request, f"/results/{result}")
    path = f"{root_of(request)}/results/{result}"
    answer.set_cookie(COOKIE, token, max_age=SHOWN, path=path, httponly=True, samesite="strict")
    return answer


def _publish(server: Server, name: str, facts: dict[str, Any], told: dict[str, str], token: str) -> str:
    content = server.uploads.path(name).read_bytes()
    packed = content if content[:2] == b"\x1f\x8b" else gzip.compress(content, 6, mtime=0)
    cpu_s = _seconds(told["cpu_s"]) if told["cpu_s"] else None
    key = hashlib.sha256(packed + msgspec.json.encode([facts["subject"], told], order="sorted")).hexdigest()[:32]
    result = Published(
        key,
        datetime.now(UTC).isoformat(timespec="seconds"),
        msgspec.convert(facts["subject"], BenchSubject),
        told["tool"],
        told["author"],
        told["remark"],
        cpu_s,
        facts["verdict"],
        told["command"],
    )
    with Store(server.store) as store:
        if store.size() + len(packed) > server.space:
            LOG.error("The store has reached its limit of %d MiB; results cannot be published.", server.space >> 20)
            raise Full("The server has no room for more results. Its operator has been told.")
        return store.publish(result, packed, content=facts["verdict"].get("content", ""), token=token)


async def withdraw(server: Server, request: Request) -> Response:
    """Removes a published result, by its owner."""
    id = request.path_params["id"]
    async with request.form(max_files=0, max_fields=2, max_part_size=1 << 10) as form:
        token = plain_line(form.get("token", ""))
    await run_in_threadpool(_withdraw, server.store, id, token)
    return redirect(request, "/results")


def _withdraw(store: Place, id: str, token: str) -> None:
    with Store(store) as file:
        if not file.owns(id, token):
            raise ModelError("This token does not belong to this result. It was shown when the result was published.")
        file.remove(id, "withdrawn", "")


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        raise ModelError(f"The CPU time is '{text}'; give it as a number of seconds, or leave it out.") from None
    if not 0.0 < found < 1e9:
        raise ModelError(f"The CPU time is {found:g} s; it must be positive.")
    return found


# -- inside


def find(store: Place, id: str) -> Published | leaderboard.Measured:
    """A result by its identifier."""
    with Store(store) as file:
        published = file.published(id=id)
    found = published[0] if published else leaderboard.measured_result(store, id)
    if found is None:
        raise Missing("There is no such result.")
    return found


def _owns(store: Place, id: str, token: str) -> bool:
    with Store(store) as file:
        return file.owns(id, token)


def _published_file(store: Place, id: str) -> bytes:
    with Store(store) as file:
        found = file.published_file(id)
    if found is None:
        raise Missing("There is no such result.")
    return found
