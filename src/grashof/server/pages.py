"""Pages that show what the package holds: problems, references and the gallery."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from grashof.examples import example_text, gallery, picture, pictured
from grashof.server import library
from grashof.server.context import Server
from grashof.server.leaderboard import leaderboards
from grashof.server.uploads import LARGEST

KEPT = "max-age=86400"
"""For pictures, which are the same until the package is updated."""


async def home(server: Server, request: Request) -> Response:
    """All problems, and the latest published results."""
    return server.page(request, "home.html", **await run_in_threadpool(library.home, server.store))


async def problem_page(server: Server, request: Request) -> Response:
    """What a problem is, its reference, its leaderboard, and a form for a result."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    boards = await run_in_threadpool(leaderboards, server.store, found.name)
    plots = await run_in_threadpool(library.reference_plots, found)
    return server.page(request, "problem.html", problem=found, boards=boards, plots=plots, largest=LARGEST >> 20)


async def reference_file(server: Server, request: Request) -> Response:
    """The certified reference as a file."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    text = await run_in_threadpool(library.reference_csv, found)
    name = f"{found.name}-{found.variant}.csv"
    return Response(text, media_type="text/csv", headers={"content-disposition": f'attachment; filename="{name}"'})


async def problem_live(server: Server, request: Request) -> Response:
    """The mechanism of a problem, simulated in a page of its own."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    given = {"name": found.name, "variant": found.variant}
    return await server.viewer(request, f"live {found.name} {found.variant}", "problem", given)


async def problem_motion(server: Server, request: Request) -> Response:
    """The official run of a problem, recorded, as a page of its own."""
    found = library.problem(request.path_params["name"], request.query_params.get("variant"))
    given = {"text": library.description(found), "t_end": found.case.t_end}
    return await server.viewer(request, f"problem {found.name} {found.variant}", "motion", given)


async def gallery_page(server: Server, request: Request) -> Response:
    """All mechanisms of the gallery."""
    return server.page(request, "gallery.html", entries=gallery())


async def example_page(server: Server, request: Request) -> Response:
    """A mechanism of the gallery, simulated in the page."""
    entry = library.entry(request.path_params["name"])
    return server.page(request, "example.html", entry=entry, text=example_text(entry.name))


async def example_live(server: Server, request: Request) -> Response:
    """The simulation as a page of its own."""
    entry = library.entry(request.path_params["name"])
    return await server.viewer(request, f"gallery {entry.name}", "example", {"name": entry.name})


async def example_picture(server: Server, request: Request) -> Response:
    """A drawing of a mechanism of the gallery, or of a problem."""
    name = request.path_params["name"]
    known = name if name in pictured() else library.entry(name).name  # which refuses other names
    return Response(picture(known), media_type="image/png", headers={"cache-control": KEPT})


async def example_text_file(server: Server, request: Request) -> Response:
    """The description of a mechanism of the gallery."""
    return Response(example_text(library.entry(request.path_params["name"]).name), media_type="text/plain")


async def workbench_page(server: Server, request: Request) -> Response:
    """Where linkages are drawn and edited."""
    return server.page(request, "workbench.html")
