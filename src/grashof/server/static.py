"""Scripts and styles: compressed once, and kept by browsers for as long as they stay the same."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, field
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

BUNDLE = files("grashof") / "view" / "bundle"
"""The folder, found without importing `grashof.view`, which takes a quarter of a second."""

KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".md": "text/plain; charset=utf-8"}

FOREVER = "public, max-age=31536000, immutable"
"""For addresses that hold the digest of the content."""

CHECKED = "no-cache"
"""For addresses without it: browsers ask each time whether the content has changed."""


@dataclass(frozen=True)
class File:
    """A file, its digest, and the same compressed."""

    content: bytes
    packed: bytes
    digest: str
    kind: str


@dataclass(frozen=True)
class Static:
    """The files of the bundle by name; nothing else can be asked for."""

    _files: dict[str, File] = field(default_factory=dict)

    def with_digest(self, path: str) -> str:
        """The path of the app with the digest of the file, if it is one."""
        found = self._file(path.removeprefix("/static/")) if path.startswith("/static/") else None
        return f"{path}?v={found.digest}" if found else path

    async def answer(self, request: Request) -> Response:
        """Answers a request for a file."""
        file = self._file(request.path_params["name"])
        if file is None:
            return Response("There is no such file.", 404, media_type="text/plain")
        headers = {
            "etag": f'"{file.digest}"',
            "vary": "accept-encoding",
            "cache-control": FOREVER if request.query_params.get("v") == file.digest else CHECKED,
        }
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(file.packed, headers=headers, media_type=file.kind)
        return Response(file.content, headers=headers, media_type=file.kind)

    def _file(self, name: str) -> File | None:
        if name not in self._files:
            found = {x.name: x for x in BUNDLE.iterdir()}.get(name)
            kind = next((kind for end, kind in KINDS.items() if name.endswith(end)), None)
            if found is None or kind is None:
                return None
            content = found.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:16]
            self._files[name] = File(content, gzip.compress(content, 9, mtime=0), digest, kind)
        return self._files[name]
