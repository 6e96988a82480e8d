"""Access check of a page: host name, origin of the request, and token in the path.

A foreign page in the same browser could reach this one by a host name that resolves here, by a request from its own
origin, or by guessing the port. The checks are Host, Origin with Sec-Fetch-Site, and the token. This
module is independent of sockets: it maps a path and headers to a refusal or None.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")
ELSEWHERE = ("cross-site", "same-site")
"""Values of Sec-Fetch-Site for other origins; another port of this machine is the same site."""


@dataclass(frozen=True)
class Refusal:
    """A status and a sentence."""

    status: HTTPStatus
    sentence: str


@dataclass(frozen=True)
class Gate:
    """Rules of one page."""

    names: tuple[str, ...] = ()
    """Accepted host names, in addition to the listening address and this machine's names."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    """First path component of every address of the page."""

    def refusal(self, path: str, headers: Mapping[str, str], at: str) -> Refusal | None:
        """Refusal of a request to the address `at` of this machine; None if it is accepted."""
        host = headers.get("Host", "")
        if not self._known(host, at):
            return Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                "This host name is not allowed: open the address that supple printed, or allow the name with --allow-host.",
            )
        if not _from_here(headers, host):
            return Refusal(HTTPStatus.FORBIDDEN, "Pages from other origins have no access to this one.")
        if not self._has_token(path):
            return Refusal(
                HTTPStatus.FORBIDDEN,
                "Open the complete address that supple printed: its last part is the access key.",
            )
        return None

    def rest(self, path: str) -> str:
        """The path of a request after the token, without a query."""
        return path.partition("?")[0].lstrip("/").partition("/")[2].strip("/")

    def _known(self, host: str, at: str) -> bool:
        """The port is not checked: a tunnel may use another one, and foreign names are refused anyway."""
        name = _name(host)
        if name is None:
            return False
        if name == _plain(at) or name in self.names:
            return True
        return name in LOOPBACK and ipaddress.ip_address(_plain(at)).is_loopback

    def _has_token(self, path: str) -> bool:
        given = path.partition("?")[0].lstrip("/").partition("/")[0]
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def _from_here(headers: Mapping[str, str], host: str) -> bool:
    """Whether the request is not from another page: browsers send the origin, other programs need the token anyway."""
    origin = headers.get("Origin")
    if origin is not None:
        return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
    if headers.get("Sec-Fetch-Mode") == "navigate":
        return headers.get("Sec-Fetch-Dest", "document") == "document"
    return headers.get("Sec-Fetch-Site") not in ELSEWHERE


def _name(host: str) -> str | None:
    """The name in a Host header, without the port; None if it is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # a port that is not a number is an error only when it is read
    except ValueError:
        return None
    strange = parts.path or parts.query or parts.fragment or parts.username is not None
    return None if strange or not parts.hostname else parts.hostname.rstrip(".")


def _plain(at: str) -> str:
    """An address without its zone; IPv4-mapped IPv6 addresses become IPv4."""
    address = ipaddress.ip_address(at.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
