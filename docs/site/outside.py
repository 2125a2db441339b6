"""Takes what lies outside docs/ into the site: other pages of the repository as pages, linked source files as listings.

Links stay as they are in the repository, relative to the file that contains them; here they become links of the site.
A link to a file that does not exist stops the build.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "validation/benchmarks.md",
    "campaign/README.md": "validation/campaign.md",
    "examples/README.md": "studies/scripts.md",
    "src/grashof/bench/README.md": "validation/measuring.md",
    "src/grashof/problems/andrews/README.md": "validation/problems/andrews.md",
    "src/grashof/problems/four_bar/README.md": "validation/problems/four-bars.md",
    "src/grashof/problems/multiple_four_bar/README.md": "validation/problems/multiple-four-bar.md",
    "src/grashof/problems/car_axis/README.md": "validation/problems/car-axis.md",
    "src/grashof/problems/bicycle/README.md": "validation/problems/uncontrolled-bicycle.md",
    "src/grashof/problems/bricard/README.md": "validation/problems/bricard-mechanism.md",
    "src/grashof/problems/cart_pole/README.md": "validation/problems/light-cart-pole.md",
    "src/grashof/problems/clearance/README.md": "validation/problems/slider-crank-clearance.md",
    "src/grashof/problems/coin/README.md": "validation/problems/spinning-coin.md",
    "src/grashof/problems/five_bar_linear/README.md": "validation/problems/five-bar-linearisation.md",
    "src/grashof/problems/four_bar_linear/README.md": "validation/problems/four-bar-linearisation.md",
    "src/grashof/problems/governor/README.md": "validation/problems/stiff-governor.md",
    "src/grashof/problems/heavy_top/README.md": "validation/problems/heavy-top.md",
    "src/grashof/problems/pendulum/README.md": "validation/problems/simple-pendulum.md",
    "src/grashof/problems/slider_crank/README.md": "validation/problems/slider-crank.md",
    "src/grashof/problems/woodpecker/README.md": "validation/problems/woodpecker-toy.md",
    "src/grashof/references/README.md": "validation/references.md",
}
"""Pages outside docs/, and where they are in the site."""

HOME = {"README.md": "index.md"}

ASSETS = {".png", ".svg", ".gif", ".ipynb", ".csv"}
"""Files that are linked as they are; of others, the site has a listing."""

LANGUAGES = {
    ".py": "python",
    ".toml": "toml",
    ".json": "json",
    ".ts": "typescript",
    ".txt": "text",
}

_LINK = re.compile(r"(\]\(|<a href=\"|<img src=\")([^)\s\"]+)")
_FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages outside docs/, and every file that some page links to."""
    for path, uri in PAGES.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    found: set[Path] = set()
    for file in files.documentation_pages():
        if file.abs_src_path is not None:
            found |= set(_linked(Path(file.abs_src_path)))
    for path in sorted(found):
        uri = _uri(path)
        if files.get_file_from_path(uri) is None:
            files.append(_added(config, path, uri))
    return files


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Turns links of the repository into links of the site."""
    if page.file.abs_src_path is None:
        return markdown
    origin = Path(page.file.abs_src_path)

    def changed(match: re.Match[str]) -> str:
        path = _target(origin, match[2])
        if path is None:
            return match[0]
        here = posixpath.dirname(page.file.src_uri)
        anchor = urlsplit(match[2]).fragment
        return (
            match[1]
            + posixpath.relpath(_uri(path), here or ".")
            + (f"#{anchor}" if anchor else "")
        )

    parts = _FENCE.split(markdown)
    return "".join(
        part if part.startswith("```") else _LINK.sub(changed, part) for part in parts
    )


def _linked(origin: Path) -> list[Path]:
    """The files outside docs/ that a page links to, or that a page outside docs/ does."""
    text = _FENCE.sub("", origin.read_text(encoding="utf-8"))
    return [
        path
        for match in _LINK.finditer(text)
        if (path := _target(origin, match[2])) is not None
    ]


def _target(origin: Path, link: str) -> Path | None:
    """The file that a link leads to; None for addresses and for places in the same page. Links within docs/ are left
    to MkDocs."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path = (origin.parent / parts.path).resolve()
    if origin.is_relative_to(DOCS) and path.is_relative_to(DOCS):
        return None
    if path.is_dir():
        path = path / "README.md"
    if not path.is_file() or not path.is_relative_to(ROOT):
        raise PluginError(
            f"{origin.relative_to(ROOT)} links to {link}, which does not exist."
        )
    return path


def _uri(path: Path) -> str:
    """Where a file is in the site."""
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    name = path.relative_to(ROOT).as_posix()
    known = PAGES | HOME
    if name in known:
        return known[name]
    return f"source/{name}" if path.suffix in ASSETS else f"source/{name}.md"


def _added(config: MkDocsConfig, path: Path, uri: str) -> File:
    if path.suffix in ASSETS:
        return File.generated(config, uri, abs_src_path=str(path))
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8").rstrip("\n")
    head = f"---\ntitle: {name}\nsearch:\n  exclude: true\n---\n\n# {name}\n\n"
    return File.generated(
        config,
        uri,
        content=f"{head}````{LANGUAGES.get(path.suffix, 'text')}\n{text}\n````\n",
    )
