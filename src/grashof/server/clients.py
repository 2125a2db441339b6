"""Who asks, and how much of the server's room that takes."""

from __future__ import annotations

import ipaddress
from collections import Counter

from starlette.requests import HTTPConnection

from grashof.server.refusals import Busy, TooMany

SHARE = 4
"""One client may take this part of the room, 1 of so many."""


def client_of(request: HTTPConnection) -> str:
    """Who asks, for fair shares: an IP address, or for IPv6 the network of one subscriber.

    The address is that of the connection, or the one that a proxy reports which the operator believes.
    """
    address = request.client.host if request.client else ""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((address, 64), strict=False)) if found.version == 6 else address


class Room:
    """A number of bytes that clients share."""

    def __init__(self, space: int) -> None:
        self.space = space
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Bytes that are in use."""
        return self._taken.total()

    def take(self, client: str, size: int) -> None:
        """Takes some bytes for a client, or refuses them."""
        if self._taken[client] + size > self.space // SHARE:
            raise TooMany("Too much of yours is arriving or kept at the same time; wait until some of it is done.")
        if self.taken + size > self.space:
            raise Busy("The server has too much to do at the moment; try again in a minute.")
        self._taken[client] += size

    def free(self, client: str, size: int) -> None:
        """Gives them back."""
        self._taken[client] -= size
        if not self._taken[client]:
            del self._taken[client]
