"""The page on every command, from the command line itself."""

from __future__ import annotations

import re

import typer
from interface import linked  # a neighbour: MkDocs loads hooks from this folder
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from typer.cli import get_docs_for_click

from grashof.cli.app import app

_EMPTY = re.compile(r"\*\*Options\*\*:\s*(?=\n#|\Z)")

HEAD = """# Commands

Every command explains itself: `grashof --help` lists them, `grashof simulate --help` shows one. Exit codes are 0 if all is well, 1 if a run failed or a
result does not pass, 2 for input that cannot be used (with one sentence on standard error), and 130 after an interruption.
Where a command takes `{NAME|FILE}`, the name is one of the [gallery](../gallery.md) or of the [benchmark problems](../validation/index.md), and the file a
[mechanism file](../file-format.md) or one of [another program](../exchange.md).

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the page."""
    files.append(File.generated(config, "reference/commands.md", content=text()))
    return files


def text() -> str:
    """The page."""
    group = typer.main.get_command(app)
    outer = typer.Context(group, info_name="grashof")
    parts = []
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        context = typer.Context(command, info_name=name, parent=outer)
        parts.append(
            get_docs_for_click(
                obj=command, ctx=context, name=name, call_prefix="grashof", indent=1
            ).strip()
        )
    whole = "\n\n".join(parts).replace("* `--help`: Show this message and exit.", "")
    return HEAD + linked(_EMPTY.sub("", whole)) + "\n"
