"""Pages of other origins in a real browser: they reach neither the page nor its socket, with its token or without."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import viser
from playwright.sync_api import Browser

from supple.viewer.page.server import address, close_server, guard, open_server

pytestmark = pytest.mark.browser

SOCKET = f"""url => new Promise(done => {{
    const socket = new WebSocket(url, "viser-v{viser.__version__}");
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
}})"""
FETCH = """([url, mode]) => fetch(url, {mode}).then(
    answer => answer.type === "opaque" ? "opaque" : String(answer.status), () => "refused")"""
FRAME = """url => new Promise(done => {
    const frame = document.createElement("iframe");
    frame.src = url;
    frame.onload = () => { try { done(String(frame.contentDocument)); } catch (error) { done("shut"); } };
    document.body.append(frame);
})"""


class Stranger(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another page</title>")

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def stranger() -> Iterator[str]:
    """The address of a page of another origin on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_another_page_reaches_nothing(browser: Browser) -> None:
    server = open_server("127.0.0.1", None, "test")
    context = browser.new_context()
    try:
        with stranger() as elsewhere:
            page = context.new_page()
            page.goto(elsewhere)
            own, bare = address(server), f"http://127.0.0.1:{server.get_port()}/"
            for url in (own, bare):
                assert page.evaluate(SOCKET, url.rstrip("/").replace("http:", "ws:")) == "refused"
                assert page.evaluate(FETCH, [url, "cors"]) == "refused"
                assert page.evaluate(FETCH, [url, "no-cors"]) == "refused"
                assert page.evaluate(FRAME, url) in ("shut", "null")
            page.goto(elsewhere.replace("127.0.0.1", "localhost"))
            assert page.evaluate(SOCKET, own.rstrip("/").replace("http:", "ws:")) == "refused"
            assert guard(server).clients == 0
            # only the page itself has access
            mine = context.new_page()
            mine.goto(own)
            assert mine.evaluate(SOCKET, own.rstrip("/").replace("http:", "ws:")) == "open"
            assert mine.evaluate(FETCH, [own, "cors"]) == "200"
            assert mine.evaluate("() => fetch('https://example.com/').then(() => 'out', () => 'kept in')") == "kept in"
    finally:
        context.close()
        close_server(server)
