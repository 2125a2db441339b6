"""Refusals that have an HTTP status of their own; any other ModelError is answered with 400."""

from __future__ import annotations

from grashof.common.errors import ModelError


class Forbidden(ModelError):
    """Something that a page of another site asks for."""

    status = 403


class Missing(ModelError):
    """Something that does not exist."""

    status = 404


class TooSlow(ModelError):
    """A request that takes too long to arrive."""

    status = 408


class TooLarge(ModelError):
    """A request with too many bytes."""

    status = 413


class Misdirected(ModelError):
    """A request for a name that is not this server's."""

    status = 421


class TooMany(ModelError):
    """Too much that one client asks for."""

    status = 429


class Busy(ModelError):
    """There is too much to do."""

    status = 503


class Unavailable(ModelError):
    """Something that the operator has to mend; what it is stands in the server's log."""

    status = 503


class Full(ModelError):
    """There is no room for something."""

    status = 507
