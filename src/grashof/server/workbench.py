"""What the workbench asks the server: the schema, the gallery, checks, four-bars for a path, runs, and files made of
them."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grashof.common.errors import ModelError
from grashof.examples import gallery
from grashof.server.clients import client_of
from grashof.server.context import SECONDS, Server, until_closed, viewer
from grashof.server.jobs import ServerJob
from grashof.server.refusals import TooLarge

LONG = 600.0
"""Seconds within which a run is finished, waiting included; it shows its progress and can be cancelled."""

MOST_TRACED = 50
"""Points of a run whose paths are shown."""

LARGEST = 1 << 20
"""Bytes of a description."""


LONGEST_PATH = 5000
"""Points of a path that a four-bar is to follow."""


FILMS = {"gif": "image/gif", "mp4": "video/mp4"}
"""Films that are made of a run, by their suffixes."""


class DrawnPath(msgspec.Struct, frozen=True):
    """A path in the plane, m."""

    points: list[tuple[float, float]]


async def schema_file(server: Server, request: Request) -> Response:
    """The schema of descriptions, by which the editor completes them."""
    from grashof.model.files import schema

    return JSONResponse(await run_in_threadpool(schema))


async def list_examples(server: Server, request: Request) -> Response:
    """The mechanisms of the gallery: names, titles, and which parts of their motion are worth seeing."""
    return JSONResponse(msgspec.to_builtins(gallery()))


async def check(server: Server, request: Request) -> Response:
    """Mobility, position and sketch of a mechanism that is being drawn or edited."""
    text = await _text(request)
    work = server.workers.run("check", client_of(request), "check", {"text": text}, SECONDS)
    return JSONResponse(await until_closed(request, work))


async def follow_path(server: Server, request: Request) -> Response:
    """A four-bar with a point that follows a path; the path is `{"points": [[x, y], …]}`, in metres."""
    try:
        path = msgspec.json.decode(await _text(request), type=DrawnPath)
    except msgspec.MsgspecError as problem:
        raise ModelError(f'This is not a path, such as {{"points": [[0.1, 0.2], …]}}: {problem}.') from None
    if len(path.points) > LONGEST_PATH:
        raise TooLarge(f"The path has {len(path.points):,} points; {LONGEST_PATH:,} are the most.")
    work = server.workers.run("judge", client_of(request), "follow", {"points": path.points}, SECONDS)
    return JSONResponse(await until_closed(request, work))


async def start_run(server: Server, request: Request) -> Response:
    """Starts a run, or compiles a live page; the page, or the file that is made of it, is to be asked for when the job
    is done."""
    text = await _text(request)
    try:
        t_end = float(request.query_params.get("t_end", "10"))
    except ValueError:
        raise ModelError("t_end is not a number; give the seconds to be simulated.") from None
    if not 0.0 < t_end <= 1e6:
        raise ModelError(f"t_end is {t_end:g}; give the seconds to be simulated, at most 1e6.")
    task, more, media = _wanted(request)
    given = {"text": text, "t_end": t_end, "traced": request.query_params.getlist("trace")[:MOST_TRACED], **more}

    client = client_of(request)

    async def work(job: ServerJob) -> str | bytes:
        found: str | bytes = await server.workers.run("run", client, task, given, LONG, job.progress)
        return found

    return JSONResponse({"job": server.jobs.start(client, work, media)}, 202)


def _wanted(request: Request) -> tuple[str, dict[str, Any], str]:
    """What a run is to give: the task, what it is told besides, and the type of its result."""
    query = request.query_params
    form = query.get("form", "live" if query.get("live") else "motion")
    if form in ("motion", "live"):
        return form, {}, "text/html"
    if form in FILMS:
        return "film", {"suffix": f".{form}"}, FILMS[form]
    if form == "dxf":
        sizes = {"width": query.get("width", ""), "holes": query.get("holes", "")}
        return "plates", {**sizes, "assembled": bool(query.get("assembled"))}, "image/vnd.dxf"
    raise ModelError(f"form is '{form}'; it must be motion, live, {', '.join(FILMS)} or dxf.")


async def job_state(server: Server, request: Request) -> Response:
    """The progress of a run."""
    return JSONResponse(server.jobs.look(request.path_params["job"]))


async def cancel_job(server: Server, request: Request) -> Response:
    """Ends a run."""
    server.jobs.cancel(request.path_params["job"])
    return JSONResponse(server.jobs[request.path_params["job"]].as_dict())


async def job_result(server: Server, request: Request) -> Response:
    """The page of a finished run, or the file that was asked for."""
    job = server.jobs[request.path_params["job"]]
    if job.state != "done":
        raise ModelError("This run is not finished.")
    if isinstance(job.result, str):
        return viewer(job.result)
    return Response(job.result, media_type=job.media, headers={"content-disposition": "attachment"})


async def _text(request: Request) -> str:
    body = bytearray()
    async for block in request.stream():
        body += block
        if len(body) > LARGEST:
            raise TooLarge(f"The description has more than {LARGEST:,} bytes, which is the largest size allowed.")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelError("The description is not UTF-8.") from None
