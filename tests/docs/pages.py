"""Reads the pages of the documentation: their code, what they say it prints, and their commands."""

from __future__ import annotations

import doctest
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PAGES = sorted(path for path in DOCS.rglob("*.md"))

_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HIDDEN = re.compile(r"^<!-- (python)\n(.*?)^-->$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block, or a hidden one: an HTML comment that begins with `python` prepares what the next blocks use."""

    language: str
    text: str
    line: int
    after: str
    """What stands between the block before and this one."""


def name_of(page: Path) -> str:
    """The page as tests are called."""
    return page.relative_to(DOCS).as_posix()


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found, end = [], 0
    for match in sorted([*_FENCE.finditer(text), *_HIDDEN.finditer(text)], key=lambda x: x.start()):
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(match[1], match[2], line, text[end : match.start()].strip()))
        end = match.end()
    return found


def agrees(said: str, printed: str) -> bool:
    """Whether a page says what was printed; `...` stands for anything, and spaces are not compared."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(said.strip() + "\n", printed.strip() + "\n", flags)


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with the output that is shown for it."""
    found = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, said = part.replace("\\\n", " ").partition("\n")
        found.append((command.strip(), said))
    return found
