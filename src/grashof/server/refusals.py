"""Refusals that have an HTTP status of their own; any other ModelError is answered with 400."""

from __future__ import annotations

from grashof.common.errors import ModelError


class Missing(ModelError):
    """Something that does not exist."""

    status = 404


class TooSlow(ModelError):
    """A request that takes too long to arrive."""

    status = 408


class TooLarge(ModelError):
    """A request with too many bytes."""

    status = 413


class Busy(ModelError):
    """There is too much to do."""

    status = 503
