"""Who may open a page: the address it is asked for by, the page that asks, and the token in the path.

The checks are those against the three ways by which a stranger's page in the same browser could reach this one: a name of
its own that resolves to this machine (Host), a request from its own origin (Origin and Sec-Fetch-Site), and a guess of the
port (token). Nothing here knows sockets: a request comes in as a path and headers, and a refusal goes out.
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
"""What browsers call requests from other origins; another port of this machine is the same site."""


@dataclass(frozen=True)
class Refusal:
    """A status and a sentence."""

    status: HTTPStatus
    sentence: str


@dataclass(frozen=True)
class Gate:
    """Rules of one page."""

    names: tuple[str, ...] = ()
    """Names by which the page may be asked for, besides the address that it listens at and this machine's own."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16), repr=False)
    """First part of the path of every address of the page."""

    def refusal(self, path: str, headers: Mapping[str, str], at: str) -> Refusal | None:
        """What is wrong with a request that came to the address `at` of this machine; None if it may pass."""
        host = headers.get("Host", "")
        if not self._known(host, at):
            return Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                "This page is not known by that name: open the address that supple printed, or name it by --allow-host.",
            )
        if not _from_here(headers, host):
            return Refusal(HTTPStatus.FORBIDDEN, "Pages of other origins have no access to this one.")
        if not self._has_token(path):
            return Refusal(
                HTTPStatus.FORBIDDEN,
                "Open the whole address that supple printed: its last part is the key to this page.",
            )
        return None

    def rest(self, path: str) -> str:
        """The path of a request behind the token, without a query."""
        return path.partition("?")[0].lstrip("/").partition("/")[2].strip("/")

    def _known(self, host: str, at: str) -> bool:
        """The port is left open: a tunnel may have another one, and a name that somebody else owns is refused by itself."""
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
    """Whether no other page asks: browsers say who does, and other programs need the token anyway."""
    origin = headers.get("Origin")
    if origin is not None:
        return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")
    if headers.get("Sec-Fetch-Mode") == "navigate":
        return headers.get("Sec-Fetch-Dest", "document") == "document"
    return headers.get("Sec-Fetch-Site") not in ELSEWHERE


def _name(host: str) -> str | None:
    """The name in a Host header, without the port; None if it is not one."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # a port that is not a number is an error only when it is read
    except ValueError:
        return None
    strange = parts.path or parts.query or parts.fragment or parts.username is not None
    return None if strange or not parts.hostname else parts.hostname.rstrip(".")


def _plain(at: str) -> str:
    """An address without its zone; one of version 4 that came by version 6 is one of version 4."""
    address = ipaddress.ip_address(at.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
