"""Every Python block and every command of the documentation runs as it stands there, and prints what the page shows.

The blocks of a page are run one after the other, as a reader would, in an empty folder. A block `text` directly behind
shows what was printed.
"""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from tests.docs.pages import DOCS, PAGES, Block, agrees, blocks, commands, name_of

ELSEWHERE = {
    "gallery.md": (1, "tests/gallery/test_page.py"),
    "pictures.md": (1, "tests/show/test_documents.py"),
    "sensitivities.md": (None, "tests/sensitivity/test_documents.py"),
    "sweeps.md": (None, "tests/sweeps/test_documents.py"),
}
"""Pages whose examples take long, and the tests that run them, all of them or as many as are given."""

BEFORE = {
    'rod = m.bar("rod", length="120 mm"': 'm = gr.Mechanism("units")\ncrank = m.bar("crank", length=0.1, mass=1.0)\n',
}
"""What a block that begins so needs before it, where the page does not show it."""

NOT_RUN = ("grashof demo", "grashof serve", "grashof bench", "grashof second-opinion")
"""Commands that do not end, or that need packages which are not installed for the tests."""


def ran(block: Block, page: str, names: dict[str, Any]) -> str:
    for begin, code in BEFORE.items():
        if block.text.startswith(begin):
            exec(code, names)
    source = "\n" * (block.line - 1) + block.text  # so that errors have the lines of the page
    with redirect_stdout(io.StringIO()) as said:
        exec(compile(source, page, "exec"), names)
    return said.getvalue()


def run_command(command: str) -> str:
    """What a command prints; one with `> file` writes it there."""
    words = shlex.split(command, comments=True)
    target = None
    if ">" in words:
        target = Path(words[words.index(">") + 1])
        words = words[: words.index(">")]
    result = CliRunner().invoke(app, words[1:], env={"COLUMNS": "100"})
    assert result.exit_code in (0, 1), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    if target is not None:
        target.write_text(result.stdout, encoding="utf-8")
        return ""
    return result.stdout


def follow(page: Path, folder: Path, names: dict[str, Any]) -> None:
    """Does what a page shows, in the current folder."""
    matplotlib.use("agg")
    printed: str | None = None
    for block in blocks(page):
        where = f"{name_of(page)}, line {block.line}"
        if block.language == "python":
            printed = ran(block, name_of(page), names)
        elif block.language == "text" and printed is not None and not block.after:
            assert agrees(block.text, printed), f"{where}: printed was\n{printed}"
        elif block.language == "console":
            for command, said in commands(block):
                if command.startswith("grashof ") and not command.startswith(NOT_RUN):
                    printed = run_command(command)
                    assert not said.strip() or agrees(said, printed), f"{where}: {command} printed\n{printed}"
        elif block.language == "toml" and (
            name := re.search(r"written to `([\w.-]+\.toml)`|Save .*`([\w.-]+\.toml)`", block.after)
        ):
            Path(name[1] or name[2]).write_text(block.text, encoding="utf-8")
    figures = {path.name for path in folder.iterdir()}
    shown = re.findall(r"\]\(\S*images/(?:tutorial|studies|faq)/([\w.-]+)\)", page.read_text(encoding="utf-8"))
    assert figures >= set(shown), "the page shows pictures that its code does not make"


TUTORIAL = [page for page in PAGES if name_of(page).startswith("tutorial/")]


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages go on where those before ended."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for page in TUTORIAL:
        follow(page, tmp_path, names)


LISTED = [page for page in PAGES if name_of(page).startswith("gallery/")]
"""Pages of mechanisms, whose listings are run by tests/gallery/test_python.py."""

ALONE = [page for page in PAGES if name_of(page) not in ELSEWHERE and page not in (*TUTORIAL, *LISTED)]


@pytest.mark.parametrize("page", ALONE, ids=name_of)
def test_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    follow(page, tmp_path, {})


@pytest.mark.parametrize("page", ELSEWHERE)
def test_what_other_tests_run_is_run_by_them(page: str) -> None:
    count, test = ELSEWHERE[page]
    code = [block for block in blocks(DOCS / page) if block.language == "python"]
    assert page in (DOCS.parent / test).read_text(encoding="utf-8")
    assert count is None or len(code) == count


COMMAND = re.compile(r"^(?:    |\$ |    \$ )(grashof [a-z][^\n]*)|`(grashof [a-z][^`\n]*)`", re.MULTILINE)


@pytest.mark.parametrize("page", [DOCS.parent / "README.md", *PAGES], ids=lambda path: path.name)
def test_every_command_named_on_a_page_exists_with_its_options(page: Path) -> None:
    """Inline and in listings: each option is in the command's help."""
    helps: dict[str, str] = {}
    for found in COMMAND.finditer(page.read_text(encoding="utf-8")):
        words = re.split(r"\s+#\s|&&|[;|>]", found[1] or found[2])[0].replace("[", " ").replace("]", " ").split()
        name = words[1]
        if name not in helps:
            result = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200"})
            assert result.exit_code == 0, f"there is no command '{name}'"
            helps[name] = result.output
        for word in words[2:]:
            if re.fullmatch(r"-{1,2}[a-z][a-z-]*(=.*)?", word):
                assert re.search(rf"(?<![\w-]){re.escape(word.partition('=')[0])}(?![\w-])", helps[name]), (
                    f"{name} {word}"
                )
