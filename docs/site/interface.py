"""The pages on the Python interface, from signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import grashof as gr

PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "mechanism": (
        "Mechanism",
        "The builder: bodies, joints, forces, couplings, the start, and what can be asked of a mechanism directly.",
        ("Mechanism", "grashof.model.handles:Handle", "grashof.model.handles:Point"),
    ),
    "functions": (
        "Functions",
        "Questions that a mechanism answers, and files. `import grashof as gr` makes all of them available as `gr.…`.",
        (),
    ),
    "results": (
        "Results",
        "What runs and questions return. Every result prints as a report; quantities are read by name, with "
        "their units.",
        (
            "Trajectory",
            "Status",
            "Sweep",
            "Model",
            "ModelError",
            "grashof.freedoms.report:Mobility",
            "grashof.assembly.assemble:Assembly",
            "grashof.reactions.result:Reactions",
            "grashof.questions.linkage:PlanarLinkage",
            "grashof.questions.synthesis.design:FourBarDesign",
            "grashof.questions.equilibrium:Equilibrium",
            "grashof.questions.linearised:Modes",
            "grashof.questions.kinematics:Kinematics",
            "grashof.sensitivity.result:Sensitivities",
            "grashof.sensitivity.objective:Objective",
            "grashof.examples:Entry",
        ),
    ),
    "mathematics": (
        "Mathematics for laws",
        "Functions that can be used in user forces and laws written in Python. They work for plain numbers and "
        "for the traced numbers from which "
        "machine code is made; `math` and NumPy do only the former.",
        (),
    ),
}
"""File name, title, introduction, and the names on the page; a name may be a module and a name in it."""


PARTS = {
    "bodies": "Bodies and points",
    "joints": "Joints",
    "forces": "Forces, motors and controllers",
    "contacts": "Friction, stops and contact",
    "couplings": "Gears, belts, ropes and other couplings",
    "curves": "Cams and curves",
    "measures": "Angles, distances and coordinates",
    "start": "The start, and events",
    "parameters": "Parameters",
    "mechanism": "The mechanism itself",
    "displaying": "Pictures, pages and objectives",
}
"""Headings of the builder's methods, by the module in which they are written, in the order in which they are shown."""

SUBJECTS = {
    "Simulate and compute motions": ("simulate", "kinematics", "stream", "build"),
    "Analyse a mechanism": (
        "mobility",
        "assemble",
        "linkage",
        "interference",
        "equilibrium",
        "modes",
        "state_space",
        "equations",
    ),
    "Find a four-bar": (
        "four_bar_for_positions",
        "four_bar_for_function",
        "four_bar_for_path",
    ),
    "Vary numbers": ("sweep", "sensitivities", "numbers", "with_numbers", "table"),
    "Read, write and check files": (
        "load",
        "save",
        "export",
        "links",
        "audit",
        "import_report",
    ),
    "The gallery": ("gallery", "example"),
}
"""Headings of the functions; a test finds functions that are missing here."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages."""
    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def pages() -> dict[str, str]:
    """All pages; each public name of the package is on one of them."""
    placed = {
        name: (title, words, list(names))
        for name, (title, words, names) in PAGES.items()
    }
    listed = {
        name.rpartition(":")[2] for _, _, names in placed.values() for name in names
    }
    for name in gr.__all__:
        if name not in listed and not name.startswith("_"):
            placed[_page_of(getattr(gr, name))][2].append(name)
    return {
        name: f"# {title}\n\n{words}\n\n" + "\n\n".join(_sections(name, names)) + "\n"
        for name, (title, words, names) in placed.items()
    }


def _sections(page: str, names: list[str]) -> Iterator[str]:
    """The names of a page one after another; functions by subject."""
    if page != "functions":
        yield from map(_section, names)
        return
    for title, members in SUBJECTS.items():
        yield f"## {title}"
        yield from (_section(x, "###") for x in members if x in names)
    known = {x for members in SUBJECTS.values() for x in members}
    if others := [x for x in names if x not in known]:
        yield "## Others"
        yield from (_section(x, "###") for x in others)


def _page_of(thing: Any) -> str:
    if thing.__module__.startswith("grashof.scalar"):
        return "mathematics"
    return "results" if inspect.isclass(thing) else "functions"


def _section(name: str, level: str = "##") -> str:
    module, _, own = name.rpartition(":")
    thing = (
        getattr(importlib.import_module(module), own) if module else getattr(gr, own)
    )
    lines = [
        f"{level} {own}",
        "",
        _signature(own, thing) if _callable_by_users(thing) else "",
        "",
        prose(inspect.getdoc(thing)),
    ]
    if inspect.isclass(thing):
        if issubclass(thing, gr.Trajectory) and thing is not gr.Trajectory:
            lines += ["", "It has everything that a [Trajectory](#trajectory) has."]
        part = ""
        for key, member in _by_part(thing):
            if part != (part := _part_of(member) if thing is gr.Mechanism else ""):
                lines += ["", f"### {part}"]
            mark = "####" if thing is gr.Mechanism else "###"
            if isinstance(member, property):
                lines += ["", f"{mark} {own}.{key}", "", prose(inspect.getdoc(member))]
            else:
                lines += [
                    "",
                    f"{mark} {own}.{key}",
                    "",
                    _signature(key, member),
                    "",
                    prose(inspect.getdoc(member)),
                ]
    return "\n".join(lines)


def _by_part(kind: type) -> list[tuple[str, Any]]:
    """The members of a class; those of the builder by what they are for."""
    members = _members(kind)
    if kind is not gr.Mechanism:
        return members
    order = list(PARTS.values())
    return sorted(members, key=lambda x: order.index(_part_of(x[1])))


def _part_of(member: Any) -> str:
    plain = member.fget if isinstance(member, property) else member
    return PARTS[plain.__module__.rpartition(".")[2]]


def _callable_by_users(thing: Any) -> bool:
    return not inspect.isclass(thing) or thing is gr.Mechanism


def _members(kind: type) -> list[tuple[str, Any]]:
    """Public methods and properties with docstrings, in the order in which they are written, base classes last.

    Those of a trajectory are listed once. Parts of a model, such as forces, are data: their methods serve the package
    itself.
    """
    found: dict[str, Any] = {}
    if kind.__module__.startswith("grashof.model.") and issubclass(
        kind, msgspec.Struct
    ):
        return []
    bases = kind.__mro__
    if gr.Trajectory in bases[1:]:
        bases = bases[: bases.index(gr.Trajectory)]
    for base in bases:
        if base.__module__.startswith("grashof"):
            for key, member in vars(base).items():
                plain = (
                    member.__func__
                    if isinstance(member, staticmethod | classmethod)
                    else member
                )
                known = inspect.isfunction(plain) or isinstance(plain, property)
                if known and not key.startswith("_") and inspect.getdoc(plain):
                    found.setdefault(key, plain)
    return list(found.items())


def _signature(name: str, thing: Any) -> str:
    """The call with its defaults, one argument a line if it is long."""
    given = inspect.signature(thing)
    arguments = [
        _named_default(x) for x in given.parameters.values() if x.name != "self"
    ]
    plain = given.replace(
        parameters=[x.replace(annotation=x.empty) for x in arguments],
        return_annotation=given.empty,
    )
    line = f"{name}{plain}"
    if len(line) > 80:
        inner, starred = [], False
        for argument in plain.parameters.values():
            if argument.kind is argument.KEYWORD_ONLY and not starred:
                inner.append("    *,")
                starred = True
            inner.append(f"    {argument},")
        line = "\n".join([f"{name}(", *inner, ")"])
    return f"```python\n{line}\n```"


def _named_default(argument: inspect.Parameter) -> inspect.Parameter:
    """The argument; a function that it defaults to, which would be shown with its address, is left to the text."""
    return (
        argument.replace(default=None)
        if callable(argument.default) and argument.default is not argument.empty
        else argument
    )


_DIRECTIVE = re.compile(r" +# doctest:.*")
_PAGE = re.compile(r"docs/([\w-]+)\.md")
_ARGUMENT = re.compile(r"^(\w[\w, .|]*?) {2,}(\S.*)$")


def prose(text: str | None) -> str:
    """A docstring as Markdown: columns of names and explanations become a table, doctests become listings."""
    if not text:
        return ""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if lines[0].startswith(">>>"):
            out.append("```pycon\n" + _DIRECTIVE.sub("", block) + "\n```")
        elif all(line.startswith("    ") for line in lines):
            out.append(block)
        elif _ARGUMENT.match(lines[0]):
            out.append(_table(lines))
        else:
            first = next(
                (k for k, line in enumerate(lines) if k and _ARGUMENT.match(line)),
                len(lines),
            )
            out.append(_escaped("\n".join(lines[:first])))
            if first < len(lines):
                out.append(_table(lines[first:]))
    return "\n\n".join(out)


def _table(lines: list[str]) -> str:
    rows: list[list[str]] = []
    for line in lines:
        match = _ARGUMENT.match(line)
        if match:
            rows.append([match[1], match[2]])
        else:
            rows[-1][1] += " " + line.strip()
    cells = [
        f"| `{name}` | {_escaped(words).replace('|', chr(92) + '|')} |"
        for name, words in rows
    ]
    return "\n".join(["| | |", "|---|---|", *cells])


def _escaped(text: str) -> str:
    """Text in which only backticks have a meaning."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(x if x.startswith("`") else _plain(x) for x in parts)


def _plain(text: str) -> str:
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    return linked(re.sub(r"([*_\[\]])", r"\\\1", text))


def linked(text: str) -> str:
    """Text in which mentions of pages, such as docs/events.md, are links."""
    return _PAGE.sub(r"[\1](../\1.md)", text)
