"""What the pages show of problems: texts, references and descriptions.

What the first page does not need is imported where it is used, so that the server answers soon after it is started.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from grashof._version import __version__
from grashof.common.errors import ModelError
from grashof.examples import Entry, find_entry, gallery, pictured
from grashof.problems import PROBLEMS, Case, make_case
from grashof.server.leaderboard import recent
from grashof.server.refusals import Missing
from grashof.server.security import POLICY

if TYPE_CHECKING:
    from markdown_it.token import Token

    from grashof.bench.databases import Place


RECENT = 10
"""Published results on the first page."""

FEATURED = ("jansen", "peaucellier", "geneva", "stewart")
"""Mechanisms of the gallery on the first page."""


@dataclass(frozen=True, eq=False)
class ShownProblem:
    """A problem as its page shows it; `introduction` and `details` are HTML, made of the problem's own README."""

    name: str
    title: str
    subtitle: str
    variant: str
    variants: tuple[str, ...]
    case: Case
    introduction: str
    details: str

    @property
    def subject(self) -> dict[str, Any]:
        """The problem as plain data: name, variant and parameters."""
        names = PROBLEMS[self.name].parameters
        parameters = {name: float(self.case.parameters[name]) for name in names}
        return {"problem": self.name, "variant": self.variant, "parameters": parameters}

    @property
    def rule(self) -> str:
        """The rule in words."""
        return f"{self.case.error_text}: at most {self.case.bound:g} J over {self.case.t_end:g} s"


def templates() -> Environment:
    """The templates of pages, in which all values are escaped."""
    loader = PackageLoader("grashof.server", "templates")
    found = Environment(loader=loader, autoescape=select_autoescape(default=True), undefined=StrictUndefined)
    found.globals.update(version=__version__, pictured=pictured(), milliseconds=milliseconds)
    return found


def milliseconds(seconds: float) -> str:
    """Three digits of a time in ms.

    >>> milliseconds(5.19e-05), milliseconds(0.323), milliseconds(12.5), milliseconds(4321.0)
    ('0.0519', '323', '12,500', '4,320,000')
    """
    found = float(f"{1e3 * seconds:.3g}")
    return f"{found:,.0f}" if found >= 1e3 else f"{found:g}"


def render_page(
    known: Environment, template: str, at: Callable[[str], str], *, root: str, static: bool = False, **given: Any
) -> str:
    """A page; `at` turns a path of the app into an address, and a static page does without what needs a server."""
    policy = POLICY.partition("; frame-ancestors")[0]
    return known.get_template(template).render(root=root, at=at, static=static, policy=policy, **given)


def entry(name: str) -> Entry:
    """A mechanism of the gallery."""
    try:
        return find_entry(name)
    except ModelError:
        raise Missing("There is no such mechanism in the gallery.") from None


def overview() -> list[dict[str, Any]]:
    """All problems in a few words each."""
    return [
        {"name": name, "title": title, "subtitle": subtitle, "variants": found.variants}
        for name, found in PROBLEMS.items()
        for title, subtitle in [_titles(found.title)]
    ]


def _titles(title: str) -> tuple[str, str]:
    """The name of a problem, and what follows the colon; empty if there is none."""
    name, _, rest = title.partition(": ")
    return name, rest[:1].upper() + rest[1:]


def home(store: Place) -> dict[str, Any]:
    """What the first page shows."""
    return {
        "problems": overview(),
        "entries": [find_entry(name) for name in FEATURED],
        "count": len(gallery()),
        "published": recent(store, RECENT),
    }


@lru_cache(maxsize=64)
def problem(name: str, variant: str | None) -> ShownProblem:
    """A problem by its name."""
    found = PROBLEMS.get(name)
    if found is None:
        raise Missing("There is no such problem.")
    if variant is not None and variant not in found.variants:
        raise Missing("The problem has no such variant.")
    case = make_case(name, variant or found.variants[0], {})
    introduction, details = _text(found.package)
    return ShownProblem(name, *_titles(found.title), case.variant, tuple(found.variants), case, introduction, details)


def _text(package: str) -> tuple[str, str]:
    """The README of a problem without its title, before and from its first heading on, as HTML."""
    from markdown_it import MarkdownIt

    readme = files(package) / "README.md"
    text = readme.read_text("utf-8") if readme.is_file() else ""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        token.children = _remove_source_links(token.children) if token.children else token.children
    headings = [k for k, token in enumerate(tokens) if token.type == "heading_open"]
    begin = headings.pop(0) + 3 if headings and tokens[headings[0]].tag == "h1" else 0
    middle = headings[0] if headings else len(tokens)
    before, after = (
        str(markdown.renderer.render(x, markdown.options, {})) for x in (tokens[begin:middle], tokens[middle:])
    )
    return before, after


def _remove_source_links(tokens: list[Token]) -> list[Token]:
    """Without links to files of the sources, which are not here."""
    kept, inside = [], False
    for token in tokens:
        if token.type == "link_open":
            inside = not str(token.attrGet("href")).startswith(("http://", "https://"))
        if not (inside and token.type in ("link_open", "link_close")):
            kept.append(token)
        if token.type == "link_close":
            inside = False
    return kept


def description(shown: ShownProblem) -> str:
    """The mechanism of a problem as TOML."""
    from grashof.model.files import dumps

    return dumps(shown.case.model)


@lru_cache(maxsize=64)
def reference_plots(shown: ShownProblem) -> list[dict[str, Any]]:
    """The reference over time."""
    from grashof.judge.expected import reference_of
    from grashof.server import plots

    return plots.reference_plots(reference_of(shown.case), shown.case)


def reference_csv(shown: ShownProblem) -> str:
    """The reference with its error bars, as text."""
    import numpy as np

    from grashof.judge.expected import reference_of

    found = reference_of(shown.case)
    names = [name for name in found.columns if name != "t"]
    out = io.StringIO()
    out.write(",".join(["t", *names, *(f"{name} error bar" for name in names)]) + "\n")
    bars = [found.bars.get(name, np.zeros(len(found.times))) for name in names]
    for row in np.column_stack([found.times, *(found.columns[name] for name in names), *bars]).tolist():
        out.write(",".join(map(repr, row)) + "\n")
    return out.getvalue()
