"""Access to a page: refused without its token, by a foreign host name, or from a page of another origin."""

from http import HTTPStatus
from typing import Any

import pytest
from page_client import get, joined, page
from websockets.exceptions import ConnectionClosed, InvalidStatus

from supple.viewer.door.gate import Gate
from supple.viewer.page.server import address, guard, open_to_others

GATE = Gate(("workstation.example",), token="secret-token")
PATH = "/secret-token"
OWN = {"Host": "127.0.0.1:8080"}


def admitted(path: str = PATH, at: str = "127.0.0.1", **headers: str) -> bool:
    given = OWN | {name.replace("_", "-"): text for name, text in headers.items()}
    return GATE.refusal(path, given, at) is None


@pytest.mark.parametrize("path", [PATH, PATH + "/", PATH + "?x=1", PATH + "/index.html"])
def test_the_token_opens(path: str) -> None:
    assert admitted(path)


@pytest.mark.parametrize(
    "path",
    ["", "/", "/secret-toke", "/secret-token2", "/?secret-token", "/x/secret-token", "/sécret", "/%73ecret-token"],
)
def test_nothing_else_does(path: str) -> None:
    assert not admitted(path)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:9000", "[::1]:8080", "workstation.example"])
def test_own_names(host: str) -> None:
    assert admitted(Host=host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8080",
        "127.0.0.1:x",
        "localhost@evil.example",
        "a/b",
        "[::",
    ],
)
def test_other_names(host: str) -> None:
    """A name of a stranger may resolve to this machine."""
    assert not admitted(Host=host)


def test_this_machine_is_not_called_localhost_from_outside() -> None:
    assert not admitted(at="192.0.2.7", Host="localhost:8080")
    assert admitted(at="192.0.2.7", Host="192.0.2.7:8080")
    assert admitted(at="::ffff:192.0.2.7", Host="192.0.2.7:8080")
    assert not admitted(at="192.0.2.7", Host="192.0.2.8:8080")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://127.0.0.1:8081",
        "http://127.0.0.1",
        "null",
        "",
        "file://",
        "http://localhost:8080",
    ],
)
def test_other_origins(origin: str) -> None:
    assert not admitted(Origin=origin)
    assert admitted(Origin="http://127.0.0.1:8080")


def test_what_other_pages_fetch_or_frame() -> None:
    assert not admitted(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")
    assert not admitted(Sec_Fetch_Site="same-site", Sec_Fetch_Mode="no-cors")
    assert not admitted(Sec_Fetch_Site="none", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe")
    assert admitted(Sec_Fetch_Site="none", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")


def test_tokens_are_long_and_new() -> None:
    tokens = {Gate().token for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 20
    assert GATE.token not in repr(GATE)


@pytest.fixture(scope="module")
def server() -> Any:
    with page() as opened:
        yield opened


def test_requests(server: Any) -> None:
    port = server.get_port()
    status, text = get(address(server))
    assert status == HTTPStatus.OK
    assert "<html" in text
    status, text = get(f"http://127.0.0.1:{port}/")
    assert status == HTTPStatus.FORBIDDEN
    assert text.startswith("Open the complete address that supple printed")
    assert get(f"http://127.0.0.1:{port}/{'x' * 22}/")[0] == HTTPStatus.FORBIDDEN
    assert get(address(server), Host=f"evil.example:{port}")[0] == HTTPStatus.MISDIRECTED_REQUEST
    assert get(address(server), Origin="http://evil.example")[0] == HTTPStatus.FORBIDDEN
    assert get(address(server) + "../../etc/passwd")[0] == HTTPStatus.NOT_FOUND
    assert not open_to_others(server)


def test_sockets(server: Any) -> None:
    with joined(server) as socket:
        assert socket.recv(5)
    with joined(server, origin=None) as socket:  # not a browser, but it has the token
        assert socket.recv(5)
    for options in (
        {"path": ""},
        {"path": "/wrong"},
        {"origin": "http://evil.example"},
        {"origin": f"http://127.0.0.1:{server.get_port() + 1}"},
        {"additional_headers": {"Host": "evil.example"}},
    ):
        with pytest.raises(InvalidStatus) as refused:
            joined(server, **options)
        assert refused.value.response.status_code in (HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)


def test_a_page_of_another_version(server: Any) -> None:
    with joined(server, subprotocols=["viser-v0.0.0"]) as socket, pytest.raises(ConnectionClosed) as left:
        socket.recv(5)
    assert left.value.rcvd is not None
    assert left.value.rcvd.code == 1002


def test_clients_are_counted() -> None:
    with page(clients=2) as server, joined(server) as first, joined(server):
        first.recv(5)
        with pytest.raises(InvalidStatus) as refused:
            joined(server)
        assert refused.value.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert b"2 clients are already connected" in (refused.value.response.body or b"")
        assert guard(server).clients == 2
