"""The names under which the server may be asked for.

A page of another site can lead a browser to this server under a name of its own (DNS rebinding), and would then be
allowed to read the answers. So requests for names that nobody has allowed are refused.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from grashof.common.errors import ModelError

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::\d+)?", re.ASCII)

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Hosts:
    """What `Host` may name.

    names    of this machine
    given    names that the operator has given, such as that of a proxy
    numbers  whether any IP address is allowed: nobody can give a number to another machine
    """

    names: frozenset[str] = LOCAL
    given: frozenset[str] = frozenset()
    numbers: bool = False

    @classmethod
    def of(cls, listening: str, more: Iterable[str] = ()) -> Hosts:
        """Those of a server that listens at an address, and more names.

        >>> Hosts.of("192.0.2.1").allow("192.0.2.1:8765"), Hosts.of("127.0.0.1").allow("example.org")
        (True, False)
        """
        anywhere = listening in ("", "0.0.0.0", "::")
        own = (socket.gethostname(), f"{socket.gethostname()}.local") if anywhere else (listening,)
        return cls(LOCAL | set(map(_known, own)), frozenset(map(_known, more)), anywhere)

    def allow(self, host: str) -> bool:
        """Whether a request with this `Host` is answered."""
        name = name_in(host)
        return name is not None and (name in self.names | self.given or (self.numbers and _is_number(name)))

    def allow_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may send something: one that the server has delivered itself, as far as `Host`
        tells, or one of a name that the operator has allowed, because a proxy may give its own `Host`.

        >>> Hosts().allow_origin("http://localhost:8765", "localhost:8765")
        True
        >>> Hosts().allow_origin("http://localhost:3000", "localhost:8765"), Hosts().allow_origin("null", "localhost")
        (False, False)
        """
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and (place.lower() == host.lower() or name_in(place) in self.given)


def name_in(host: str) -> str | None:
    """The name in `Host`, which may have a port; None if there is none.

    >>> name_in("Example.org.:80"), name_in("[::1]:8765"), name_in("a/b"), name_in("")
    ('example.org', '::1', None, None)
    """
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]).lower().rstrip(".") or None if found else None


def _known(name: str) -> str:
    """A name as the operator writes it, in the form in which names are compared."""
    found = name_in(f"[{name}]" if name.count(":") > 1 else name)
    if found is None or found != name.lower().rstrip("."):
        raise ModelError(f"'{name}' is not the name of a host; give it without scheme, port and path.")
    return found


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
