"""The app: pages, uploads, the workbench's questions, and what holds them together."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grashof.bench.store import Published, Store
from grashof.bench.subject import Subject
from grashof.errors import ModelError
from grashof.examples import example_text, gallery
from grashof.model.files import schema
from grashof.server import library
from grashof.server.jobs import Job, Jobs
from grashof.server.security import Guarded
from grashof.server.uploads import LARGEST, Uploads
from grashof.server.workers import Busy, Workers

SECONDS = 60.0
"""Seconds that judging a file, or looking at a mechanism, may take."""

LONG = 600.0
"""Seconds that a run may take, which is shown with its progress and can be cancelled."""

LONGEST = 80
"""Characters of a name or a remark on a published result."""

MOST_TRACED = 50
"""Points of a run whose paths are shown."""

PAGES = 64
"""Pages of the workbench that are kept in memory."""


@dataclass
class Server:
    """What all requests share."""

    store: Path
    uploads: Uploads
    workers: Workers
    jobs: Jobs
    pages: dict[str, str]
    pictures: dict[str, bytes]
    templates: Environment

    def page(self, request: Request, template: str, status: int = 200, **given: Any) -> HTMLResponse:
        """A page from a template, in which all values are escaped."""
        root = request.scope.get("root_path", "").rstrip("/")
        return HTMLResponse(
            library.rendered(self.templates, template, lambda path: root + path, root=root, **given), status
        )


def make_app(store: Path, folder: Path, workers: int = 2) -> Starlette:
    """The app over a store of results; uploads that are not published yet are kept in the folder."""
    templates = library.templates()
    server = Server(store, Uploads(folder / "uploads"), Workers(workers), Jobs(), {}, {}, templates)
    with Store(store):
        pass  # made, checked and brought up to date before anybody asks

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await server.workers.close()

    def route(path: str, handler: Callable[[Server, Request], Awaitable[Response]], *methods: str) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(server, request)
            except (ModelError, ClientDisconnect) as problem:
                return _refused(server, request, problem)

        return Route(path, endpoint, methods=list(methods) or ["GET"])

    routes = [
        route("/", home),
        route("/problems/{name}", problem_page),
        route("/problems/{name}/reference.csv", reference_file),
        route("/problems/{name}/motion", problem_motion),
        route("/problems/{name}/judge", judge_upload, "POST"),
        route("/uploads/{upload}", upload_page),
        route("/uploads/{upload}/publish", publish, "POST"),
        route("/results", results_page),
        route("/results/{id}", result_page),
        route("/results/{id}/file", result_file),
        route("/gallery", gallery_page),
        route("/gallery/{name}", example_page),
        route("/gallery/{name}/live", example_live),
        route("/gallery/{name}/text", example_text_file),
        route("/gallery/{name}/picture.png", example_picture),
        route("/workbench", workbench),
        route("/api/schema", schema_file),
        route("/api/examples", list_examples),
        route("/api/check", check, "POST"),
        route("/api/runs", start_run, "POST"),
        route("/api/runs/{job}", job_state, "GET"),
        route("/api/runs/{job}/cancel", cancel_job, "POST"),
        route("/api/runs/{job}/page", job_page, "GET"),
        Mount("/static", StaticFiles(directory=str(files("grashof.view") / "bundle")), name="static"),
    ]
    return Starlette(
        routes=routes, middleware=[Middleware(Guarded)], lifespan=lifespan, exception_handlers={404: _not_found(server)}
    )


# -- pages


async def home(server: Server, request: Request) -> Response:
    """All problems, and what there is beside them."""
    return server.page(
        request, "home.html", problems=library.overview(), published=await run_in_threadpool(_recent, server.store)
    )


async def problem_page(server: Server, request: Request) -> Response:
    """What a problem is, its reference, its leaderboard, and a form for a result."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    rows = await run_in_threadpool(library.leaderboard, server.store, found.name)
    plots = await run_in_threadpool(library.reference_plots, found)
    return server.page(request, "problem.html", problem=found, rows=rows, plots=plots, largest=LARGEST >> 20)


async def reference_file(server: Server, request: Request) -> Response:
    """The certified reference as a file."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    text = await run_in_threadpool(library.reference_csv, found)
    name = f"{found.name}-{found.variant}.csv"
    return Response(text, media_type="text/csv", headers={"content-disposition": f'attachment; filename="{name}"'})


async def problem_motion(server: Server, request: Request) -> Response:
    """The moving mechanism of a problem, as a page of its own."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    key = f"{found.name} {found.variant}"
    if key not in server.pages:
        given = {"text": library.description(found), "t_end": found.case.t_end}
        _remember(server, key, await server.workers.run("motion", given, SECONDS))
    return _viewer(server.pages[key])


async def results_page(server: Server, request: Request) -> Response:
    """The leaderboards of all problems, which can be sorted and filtered."""
    rows = await run_in_threadpool(library.leaderboard, server.store, None)
    return server.page(request, "results.html", rows=rows)


async def result_page(server: Server, request: Request) -> Response:
    """A published result."""
    result = await run_in_threadpool(_published, server.store, request.path_params["id"])
    return server.page(
        request, "result.html", result=result, verdict=result.verdict, plots=result.verdict.get("plots", [])
    )


async def result_file(server: Server, request: Request) -> Response:
    """The file of a published result, as it was uploaded."""
    content = await run_in_threadpool(_published_file, server.store, request.path_params["id"])
    headers = {"content-disposition": 'attachment; filename="result.txt.gz"'}
    return Response(content, media_type="application/gzip", headers=headers)


async def gallery_page(server: Server, request: Request) -> Response:
    """All mechanisms of the gallery."""
    return server.page(request, "gallery.html", entries=gallery())


async def example_page(server: Server, request: Request) -> Response:
    """A mechanism of the gallery, simulated in the page."""
    entry = library.entry(request.path_params["name"])
    return server.page(request, "example.html", entry=entry, text=example_text(entry.name))


async def example_live(server: Server, request: Request) -> Response:
    """That as a page of its own."""
    entry = library.entry(request.path_params["name"])
    key = f"gallery {entry.name}"
    if key not in server.pages:
        _remember(server, key, await server.workers.run("example", {"name": entry.name}, SECONDS))
    return _viewer(server.pages[key])


async def example_picture(server: Server, request: Request) -> Response:
    """A drawing of it."""
    entry = library.entry(request.path_params["name"])
    if entry.name not in server.pictures:
        server.pictures[entry.name] = await server.workers.run("picture", {"name": entry.name}, SECONDS)
    return Response(server.pictures[entry.name], media_type="image/png", headers={"cache-control": "max-age=86400"})


async def example_text_file(server: Server, request: Request) -> Response:
    """Its description."""
    return Response(example_text(library.entry(request.path_params["name"]).name), media_type="text/plain")


async def workbench(server: Server, request: Request) -> Response:
    """Where linkages are drawn and edited."""
    return server.page(request, "workbench.html")


# -- results that people bring


async def judge_upload(server: Server, request: Request) -> Response:
    """Takes a file, judges it, and leads to the page with the verdict."""
    form = request.query_params
    found = library.problem(request.path_params["name"], form.get("variant"))
    upload = await server.uploads.receive(_uploaded(request))
    path = str(server.uploads.path(upload))
    given = {
        "path": path,
        "problem": found.name,
        "variant": found.variant,
        "parameters": dict(found.case.parameters),
    }
    try:
        verdict = await server.workers.run("judge", given, SECONDS)
        facts = {
            "subject": {"problem": found.name, "variant": found.variant, "parameters": dict(found.case.parameters)},
            "verdict": verdict,
        }
    except ModelError as problem:
        told = str(problem).replace(path, "The file")
        facts = {"subject": {"problem": found.name, "variant": found.variant, "parameters": {}}, "problem": told}
    server.uploads.keep(upload, facts)
    root = request.scope.get("root_path", "").rstrip("/")
    return RedirectResponse(f"{root}/uploads/{upload}", 303)


async def _uploaded(request: Request) -> AsyncIterator[bytes]:
    """The file of a form, block by block; nothing else of it is looked at."""
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
        return server.page(request, "refused.html", 422, subject=facts["subject"], sentence=facts["problem"])
    return server.page(
        request,
        "upload.html",
        upload=name,
        subject=facts["subject"],
        verdict=facts["verdict"],
        plots=facts["verdict"]["plots"],
    )


async def publish(server: Server, request: Request) -> Response:
    """Puts an uploaded result on the leaderboard."""
    name = request.path_params["upload"]
    facts = server.uploads.facts(name)
    if "verdict" not in facts:
        raise ModelError("This file could not be judged, so that it cannot be published.")
    async with request.form(max_files=0, max_fields=8, max_part_size=1 << 14) as form:
        told = {field: " ".join(str(form.get(field, "")).split()) for field in ("tool", "author", "remark", "cpu_s")}
    for field in ("tool", "author", "remark"):
        if len(told[field]) > LONGEST:
            raise ModelError(f"The {field} has {len(told[field])} characters; at most {LONGEST} are taken.")
    if not told["tool"]:
        raise ModelError("Say which tool made the result.")
    result = await run_in_threadpool(_publish, server, name, facts, told)
    root = request.scope.get("root_path", "").rstrip("/")
    return RedirectResponse(f"{root}/results/{result}", 303)


def _publish(server: Server, name: str, facts: dict[str, Any], told: dict[str, str]) -> str:
    content = server.uploads.path(name).read_bytes()
    packed = content if content[:2] == b"\x1f\x8b" else gzip.compress(content, 6, mtime=0)
    cpu_s = None
    if told["cpu_s"]:
        try:
            cpu_s = float(told["cpu_s"])
        except ValueError:
            raise ModelError(
                f"The CPU time is '{told['cpu_s']}'; give it as a number of seconds, or leave it out."
            ) from None
        if not 0.0 < cpu_s < 1e9:
            raise ModelError(f"The CPU time is {cpu_s:g} s; it must be positive.")
    key = hashlib.sha256(packed + msgspec.json.encode([facts["subject"], told], order="sorted")).hexdigest()[:32]
    result = Published(
        key,
        datetime.now(UTC).isoformat(timespec="seconds"),
        msgspec.convert(facts["subject"], Subject),
        told["tool"],
        told["author"],
        told["remark"],
        cpu_s,
        facts["verdict"],
    )
    with Store(server.store) as store:
        store.publish(result, packed)
    return key


# -- the workbench


async def schema_file(server: Server, request: Request) -> Response:
    """The schema of descriptions, by which the editor completes them."""
    return JSONResponse(await run_in_threadpool(schema))


async def list_examples(server: Server, request: Request) -> Response:
    """The mechanisms of the gallery: names, titles, and what of their motion is worth seeing."""
    return JSONResponse(msgspec.to_builtins(gallery()))


async def check(server: Server, request: Request) -> Response:
    """Mobility and position of a mechanism that is being drawn."""
    text = await _text(request)
    return JSONResponse(await server.workers.run("check", {"text": text}, SECONDS))


async def start_run(server: Server, request: Request) -> Response:
    """Begins a run, or makes what simulates in the page itself; the page is to be asked for when it is done."""
    text = await _text(request)
    try:
        t_end = float(request.query_params.get("t_end", "10"))
    except ValueError:
        raise ModelError("t_end is not a number; give the seconds to be simulated.") from None
    if not 0.0 < t_end <= 1e6:
        raise ModelError(f"t_end is {t_end:g}; give the seconds to be simulated, at most 1e6.")
    task = "live" if request.query_params.get("live") else "motion"
    given = {"text": text, "t_end": t_end, "traced": request.query_params.getlist("trace")[:MOST_TRACED]}

    async def work(job: Job) -> str:
        found: str = await server.workers.run(task, given, LONG, job.progress)
        return found

    return JSONResponse({"job": server.jobs.start(work)}, 202)


async def job_state(server: Server, request: Request) -> Response:
    """How far a run is."""
    return JSONResponse(server.jobs[request.path_params["job"]].as_dict())


async def cancel_job(server: Server, request: Request) -> Response:
    """Ends a run."""
    server.jobs.cancel(request.path_params["job"])
    return JSONResponse(server.jobs[request.path_params["job"]].as_dict())


async def job_page(server: Server, request: Request) -> Response:
    """What came of a run."""
    job = server.jobs[request.path_params["job"]]
    if job.state != "done":
        raise ModelError("This run is not finished.")
    return _viewer(job.result)


async def _text(request: Request) -> str:
    body = bytearray()
    async for block in request.stream():
        body += block
        if len(body) > 1 << 20:
            raise ModelError("The description has more than 1,048,576 bytes, which is the most that is taken.")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelError("The description is not UTF-8.") from None


# -- inside


def _viewer(html: str) -> HTMLResponse:
    """A page that holds a viewer, whose own policy names the digests of its scripts."""
    policy = html.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    return HTMLResponse(html, headers={"content-security-policy": f"{policy}; frame-ancestors 'self'"})


def _remember(server: Server, key: str, page: str) -> None:
    while len(server.pages) >= PAGES:
        del server.pages[next(iter(server.pages))]
    server.pages[key] = page


def _recent(store: Path) -> list[Published]:
    with Store(store) as file:
        return file.published()[-10:][::-1]


def _published(store: Path, id: str) -> Published:
    with Store(store) as file:
        found = file.published(id=id)
    if not found:
        raise _Missing("There is no such result.")
    return found[0]


def _published_file(store: Path, id: str) -> bytes:
    with Store(store) as file:
        found = file.published_file(id)
    if found is None:
        raise _Missing("There is no such result.")
    return found


class _Missing(ModelError):
    """Something that does not exist."""


def _refused(server: Server, request: Request, problem: Exception) -> Response:
    """A sentence, as the one who asked can read it."""
    missing = isinstance(problem, _Missing | library.Unknown)
    status = 503 if isinstance(problem, Busy) else 404 if missing else 400
    if request.url.path.startswith(f"{request.scope.get('root_path', '')}/api/"):
        return JSONResponse({"sentence": str(problem)}, status)
    answer = server.page(request, "refused.html", status, subject=None, sentence=str(problem))
    if status == 503:
        answer.headers["retry-after"] = "30"
    return answer


def _not_found(server: Server) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, problem: Exception) -> Response:
        return server.page(request, "refused.html", 404, subject=None, sentence="There is no such page.")

    return answer
