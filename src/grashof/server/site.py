"""The part of the web app that needs no server, as files: leaderboards, problems and a gallery that are simulated in
the page, and the workbench, which computes there what it is asked."""

from __future__ import annotations

import posixpath
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import as_file
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from grashof.bench.databases import Place
from grashof.bench.store import Store
from grashof.common.progress import Part, Progress, silent
from grashof.common.writing import write_atomically
from grashof.examples import example_text, gallery, picture, pictured
from grashof.problems import PROBLEMS
from grashof.server import leaderboard, library, results, tasks
from grashof.server.static import BUNDLE


def write_site(out: Path, store: Place, progress: Progress = silent) -> list[Path]:
    """Writes the site into a folder, which is made if need be, and gives its files."""
    with Store(store):
        pass  # made, if there are no results yet
    pages = list(_pages(store))
    written = []
    for k, (path, content) in enumerate(pages):
        name = file_of(path)
        progress(Part(k / len(pages), "writing", name))
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, content())
        written.append(place)
    static = out / "static"
    static.mkdir(parents=True, exist_ok=True)
    with as_file(BUNDLE) as bundle:
        for name in ("app.js", "app.css", "licenses.md", "workbench.js", "workbench.css"):
            shutil.copyfile(bundle / name, static / name)
            written.append(static / name)
    return written


def file_of(path: str) -> str:
    """The file of a path of the app.

    >>> file_of("/"), file_of("/problems/andrews?variant=ivp")
    ('index.html', 'problems/andrews-ivp.html')
    >>> file_of("/gallery/jansen/live"), file_of("/static/app.js")
    ('gallery/jansen-live.html', 'static/app.js')
    """
    parts = urlsplit(path)
    names = parts.path.strip("/").split("/")
    if names == [""]:
        return "index.html"
    if names[0] == "static":
        return "/".join(names)
    words = [*names[1:2], *parse_qs(parts.query).get("variant", []), *names[2:]]
    last = "-".join(words)
    return (
        posixpath.join(names[0], last if last.endswith((".csv", ".png")) else f"{last}.html")
        if last
        else f"{names[0]}.html"
    )


def _pages(store: Place) -> Iterator[tuple[str, Callable[[], str | bytes]]]:
    """Paths of the app, and what makes the page of each."""
    known = library.templates()

    def page(path: str, template: str, **given: Any) -> tuple[str, Callable[[], str]]:
        here = posixpath.dirname(file_of(path)) or "."

        def at(target: str) -> str:
            return posixpath.relpath(file_of(target), here)

        return path, lambda: library.render_page(known, template, at, root=".", static=True, **given)

    boards = leaderboard.leaderboards(store)
    yield page("/", "home.html", **library.home(store))
    yield page("/results", "results.html", boards=boards)
    yield page("/gallery", "gallery.html", entries=gallery())
    examples = _examples()
    drawn = {example["name"] for example in examples}
    yield page("/workbench", "workbench.html", examples=examples)
    for row in [*boards.measured, *boards.reported]:
        result = results.find(store, row.id)
        facts = results.result_facts(result)
        yield page(f"/results/{row.id}", "result.html", **facts)
        if (facts["motion"] or {}).get("shown"):
            task, given = results.motion_task(result)
            yield f"/results/{row.id}/motion", partial(tasks.TASKS[task], _quiet, **given)
    for name, problem in PROBLEMS.items():
        boards = leaderboard.leaderboards(store, name)
        for variant in (None, *problem.variants):
            found = library.problem(name, variant)
            given = {"problem": found, "boards": boards, "plots": library.reference_plots(found), "largest": 0}
            if variant is None or len(problem.variants) > 1:
                yield page(f"/problems/{name}" + (f"?variant={variant}" if variant else ""), "problem.html", **given)
            if variant:
                yield f"/problems/{name}/reference.csv?variant={variant}", partial(library.reference_csv, found)
                yield (
                    f"/problems/{name}/live?variant={variant}",
                    partial(tasks.problem, _quiet, name=name, variant=variant),
                )
                text, t_end = library.description(found), found.case.t_end
                yield (
                    f"/problems/{name}/motion?variant={variant}",
                    partial(tasks.motion, _quiet, text=text, t_end=t_end),
                )
    for name in pictured():
        yield f"/gallery/{name}/picture.png", partial(picture, name)
    for entry in gallery():
        yield page(
            f"/gallery/{entry.name}",
            "example.html",
            entry=entry,
            text=example_text(entry.name),
            drawn=entry.name in drawn,
        )
        yield f"/gallery/{entry.name}/live", partial(tasks.example, _quiet, name=entry.name)


def _examples() -> list[dict[str, Any]]:
    """The mechanisms of the gallery that can be drawn, with what the server would say about them."""
    found = []
    for entry in gallery():
        text = example_text(entry.name)
        known = tasks.check(_quiet, text=text)
        if known["sketch"] is not None:
            said = {key: known[key] for key in ("sketch", "kept", "mobility")}
            found.append({**msgspec.to_builtins(entry), "text": text, **said})
    return found


def _quiet(part: float, words: str) -> None:
    """Progress inside a task; the names of the files that are written are shown instead."""
