"""Displayed formulas: a fenced block `math`, as GitHub shows it, becomes MathML, which browsers draw without a script."""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_BLOCK = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts MathML in place of the blocks."""
    return _BLOCK.sub(
        lambda match: f'<div class="formula">{convert(match[1].strip(), display="block")}</div>\n', markdown
    )
