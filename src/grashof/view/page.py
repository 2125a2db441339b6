"""Self-contained pages: the viewer, its style and the content to be shown, compressed. Nothing is loaded from
elsewhere."""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from html import escape
from importlib.resources import files

import msgspec

from grashof.common.errors import ModelError
from grashof.scene import Scene

_LOADER = """\
(async () => {
  const packed = document.getElementById("grashof-viewer").textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
})();"""
"""Unpacks the viewer and starts it; the content security policy contains the digests of both scripts."""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="Grashof">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="grashof"><p>Loading …</p><noscript><p>This page shows a moving mechanism, for which it needs JavaScript.</p></noscript></main>
<script type="application/octet-stream" id="grashof-data">{data}</script>
<script type="application/octet-stream" id="grashof-viewer">{viewer}</script>
<script>{loader}</script>
</body>
</html>
"""


class MotionPage(msgspec.Struct, frozen=True, tag_field="kind", tag="motion"):
    """A page with one recorded motion."""

    scene: Scene


def page(title: str, content: msgspec.Struct) -> str:
    """A page that shows the content, as HTML."""
    script, style = _bundle()
    policy = (
        f"default-src 'none'; script-src {_digest(_LOADER)} {_digest(script)} 'wasm-unsafe-eval'; "
        f"style-src {_digest(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return _PAGE.format(
        policy=policy,
        title=escape(title),
        style=style,
        data=_pack_data(msgspec.json.encode(content)),
        viewer=_packed_viewer(),
        loader=_LOADER,
    )


def frame_page(html: str, height: int) -> str:
    """A page embedded in another one, such as the output of a notebook, so that neither can access the other."""
    return (
        f'<iframe srcdoc="{escape(html, quote=True)}" sandbox="allow-scripts allow-downloads" title="Mechanism" '
        f'style="width: 100%; height: {height}px; border: 0" loading="lazy"></iframe>'
    )


@cache
def _bundle() -> tuple[str, str]:
    """The viewer and its style."""
    folder = files("grashof.view") / "bundle"
    try:
        return (folder / "viewer.js").read_text("utf-8"), (folder / "viewer.css").read_text("utf-8").strip()
    except OSError:
        raise ModelError(
            "The viewer is missing from this installation. In a clone of the sources it is built by `make viewer`, "
            "which needs the network once; released packages contain it."
        ) from None


@cache
def _packed_viewer() -> str:
    return _pack_data(_bundle()[0].encode())


def _pack_data(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
