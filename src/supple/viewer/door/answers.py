"""HTTP responses of a page: its single document, or a refusal in one sentence."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

from websockets import Headers
from websockets.http11 import Response

from supple.viewer.door.gate import Refusal

POLICY = "; ".join(
    (
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:",
        "connect-src 'self' ws: wss: blob: data:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
    )
)
"""Content security policy: no external resources, and no framing by other pages."""
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}
MISSING = Refusal(HTTPStatus.NOT_FOUND, "Nothing exists at this address.")


class Document:
    """The page's document, read and packed once."""

    def __init__(self, file: Path) -> None:
        self._plain = file.read_bytes()
        self._short: bytes | None = None

    def answer(self, headers: Mapping[str, str]) -> Response:
        """The document in an encoding that the browser accepts."""
        packed = "gzip" in headers.get("Accept-Encoding", "")
        if packed and self._short is None:
            self._short = gzip.compress(self._plain, mtime=0)
        body = self._short if packed and self._short is not None else self._plain
        extra = {"Content-Encoding": "gzip"} if packed else {}
        return _answer(HTTPStatus.OK, body, {"Content-Type": "text/html; charset=utf-8", **extra})


def refuse(refusal: Refusal) -> Response:
    """Plain-text response."""
    return _answer(refusal.status, f"{refusal.sentence}\n".encode(), {"Content-Type": "text/plain; charset=utf-8"})


def _answer(status: HTTPStatus, body: bytes, headers: Mapping[str, str]) -> Response:
    length = {"Content-Length": str(len(body))}
    return Response(status.value, status.phrase, Headers(ALWAYS | dict(headers) | length), body)
