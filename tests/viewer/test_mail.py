"""Messages that clients may send: the camera, drags and values that can be chosen; nothing else does anything."""

import asyncio
import socket as sockets
import time
from contextlib import suppress
from typing import Any

import pytest
from page_client import camera, joined, page, said, update
from websockets.exceptions import ConnectionClosed

from supple.viewer.door.limits import Allowance, Limits, Pacing
from supple.viewer.door.mail import Garbage, Refused, read_mail
from supple.viewer.page.server import guard

DRAG: dict[str, Any] = {
    "type": "SceneNodeDragMessage", "phase": "start", "name": "/body", "instance_index": None,
    "start_position": [0.0, 0.0, 0.0], "start_screen_pos": [0.5, 0.5], "end_position": [1.0, 0.0, 0.0],
    "end_screen_pos": [0.6, 0.5], "button": "left", "modifier": "shift", "owner": "",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Any:
    with page() as opened:
        yield opened


def until(found: Any, what: str) -> None:
    end = time.monotonic() + 20.0
    while not found():
        assert time.monotonic() < end, f"waited in vain for: {what}"
        time.sleep(0.02)


def code(socket: Any) -> int:
    """With which a connection is ended."""
    try:
        while True:
            socket.recv(10)
    except ConnectionClosed as closed:
        return int(closed.rcvd.code) if closed.rcvd is not None else 0


def test_messages_of_pages_are_read() -> None:
    assert type(read_mail(camera())).__name__ == "ViewerCameraMessage"
    assert type(read_mail(said(**DRAG))).__name__ == "SceneNodeDragMessage"


@pytest.mark.parametrize(
    "kind",
    ["ShareUrlRequest", "FileTransferStartUpload", "RunJavascriptMessage", "SceneNodeUpdateMessage", "object", ""],
)
def test_other_kinds_mean_nothing(kind: str) -> None:
    assert read_mail(said(type=kind, anything=1)) is None


@pytest.mark.parametrize(
    "raw",
    [
        "text",
        b"",
        b"\xc1",
        b"garbage",
        said(x=1),
        said(type=3),
        b"\x91" * 5000,
        b"\xa6C\xf0\xf8\x1b\xb6\x86",  # a text that is not UTF-8
        camera()[:-5],
        said(type="GuiUpdateMessage"),
    ],
)
def test_garbage(raw: Any) -> None:
    with pytest.raises(Garbage):
        read_mail(raw)


@pytest.mark.parametrize(
    "changes",
    [
        {"position": [float("nan"), 0.0, 0.0]}, {"position": [1e300, 0.0, 0.0]}, {"position": [0.0, 0.0]},
        {"position": "abc"}, {"position": None}, {"fov": "wide"}, {"fov": float("inf")}, {"image_width": True},
        {"wxyz": [[1.0], 0.0, 0.0, 0.0]},
    ],
)  # fmt: skip
def test_cameras_that_cannot_be(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        read_mail(camera(**changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"end_position": [float("inf"), 0.0, 0.0]}, {"start_position": [0.0] * 4}, {"phase": "middle"},
        {"name": "x" * 1000}, {"name": "\x1b[2J"}, {"instance_index": 1.5},
    ],
)  # fmt: skip
def test_drags_that_cannot_be(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        read_mail(said(**(DRAG | changes)))


def test_values_that_nobody_can_choose_change_nothing(server: Any) -> None:
    slider = server.gui.add_slider("stiffness", 0.0, 2.0, 0.1, 1.0)
    choice = server.gui.add_dropdown("method", ("avf", "bdf2"))
    text = server.gui.add_text("name", "wobble")
    switch = server.gui.add_checkbox("real time", True)
    heard: list[Any] = []
    for handle in (slider, choice, text, switch):
        handle.on_update(lambda event: heard.append(event.target.value))
    with joined(server) as socket:
        socket.send(camera())
        wrong: Any
        for wrong in (float("nan"), float("inf"), -1.0, 1e300, "1", None, [1.0], True):
            socket.send(update(slider, wrong))
        for wrong in ("avf2", 1, None, ["avf"], {"a": 1}):
            socket.send(update(choice, wrong))
        for wrong in ("x" * 10_000, "a\x00b", "a\u202eb", 3, None):
            socket.send(update(text, wrong))
        for wrong in (0, "false", None):
            socket.send(update(switch, wrong))
        for wrong in ({"sync_cb": None}, {"update_cb": []}, {"removed": True}, {}, {"value": 1.0, "min": 0}, [1]):
            socket.send(said(type="GuiUpdateMessage", uuid=slider._impl.uuid, updates=wrong))
        socket.send(said(type="GuiUpdateMessage", uuid="nobody", updates={"value": 1}))
        socket.send(update(slider, 1.5))
        until(lambda: slider.value == 1.5, "the value that is allowed")
        assert (choice.value, text.value, switch.value) == ("avf", "wobble", True)
        until(lambda: heard == [1.5], "one update")
        told = b"".join(_received(socket))
        assert told


def _received(socket: Any) -> Any:
    try:
        while True:
            yield socket.recv(0.2)
    except TimeoutError:
        return


def test_garbage_ends_the_connection_and_no_other(server: Any) -> None:
    with joined(server) as good, joined(server) as bad:
        good.recv(5)
        bad.send(b"\xc1\xff garbage")
        assert code(bad) == 1008
        server.gui.add_markdown("still here")
        assert good.recv(10)
    until(lambda: guard(server).clients == 0, "the farewell")


def test_a_message_that_is_too_long(server: Any) -> None:
    with joined(server) as socket:
        socket.send(b"\x00" * (Limits().message + 1))
        assert code(socket) == 1009


def test_callers_who_say_nothing_are_counted_and_leave_room() -> None:
    with page(clients=1) as server:
        limit = guard(server).limits.connections
        mute = [sockets.create_connection(("127.0.0.1", server.get_port())) for _ in range(limit)]
        until(lambda: guard(server)._count.open == limit, "the callers")
        with sockets.create_connection(("127.0.0.1", server.get_port())) as one_more:
            one_more.settimeout(20.0)
            with suppress(ConnectionResetError):
                assert one_more.recv(1) == b""
        for caller in mute:
            caller.close()
        until(lambda: guard(server)._count.open == 0, "their end")
        with joined(server) as socket:
            assert socket.recv(5)


def test_an_allowance_lets_a_second_pass_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("supple.viewer.door.limits.time.monotonic", lambda: now[0])
    allowance = Allowance(10.0)
    assert [allowance.wait() for _ in range(10)] == [0.0] * 10
    assert allowance.wait() == pytest.approx(0.1)
    now[0] += 1.0
    assert allowance.wait() == 0.0


def test_pauses_grow_while_serving_costs_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    now, spent = [0.0], [0.0]
    monkeypatch.setattr("supple.viewer.door.limits.time.monotonic", lambda: now[0])
    monkeypatch.setattr("supple.viewer.door.limits.time.thread_time", lambda: spent[0])
    pacing = Pacing(0.2)
    for _ in range(20):
        now[0] += 1.0
        spent[0] += min(1.0, 0.02 / pacing.pause)  # 20 ms for every window
        pacing.adapt()
    assert pacing.pause == pytest.approx(0.1, rel=0.05)
    for _ in range(20):
        now[0] += 1.0
        pacing.adapt()
    assert pacing.pause == pacing.SHORTEST


def test_all_who_keep_up_get_the_same_bytes(server: Any) -> None:
    from supple.viewer.door.packets import Packets

    packets = Packets()
    window = list(guard(server).get_message_buffer().message_from_id.values())[:3]
    assert packets.pack(window) is packets.pack(list(window))
    assert packets.made == 1


def test_what_is_used_of_the_library_is_there(server: Any) -> None:
    """The page's library may change the meaning of its public names: then this fails, and pages do not open."""
    import inspect

    from viser.infra import WebsockClientConnection, WebsockServer
    from viser.infra._async_message_buffer import AsyncMessageBuffer

    assert list(inspect.signature(WebsockServer._background_worker).parameters) == ["self", "ready_sem"]
    for name in ("_handle_incoming_message", "queue_message", "get_message_buffer"):
        assert hasattr(WebsockServer, name)
        assert hasattr(WebsockClientConnection, name)
    listening = guard(server)
    for name in (
        "_client_connect_cb", "_client_disconnect_cb", "_client_state_from_id", "_live_connections", "_host", "_port",
        "_stop_event", "_background_event_loop", "_broadcast_buffer", "_backlog_done_message", "_http_server_root",
    ):  # fmt: skip
        assert hasattr(listening, name), name
    assert server._websock_server is listening
    assert isinstance(server.gui._gui_input_handle_from_uuid, dict)
    buffer = AsyncMessageBuffer(asyncio.new_event_loop(), persistent_messages=True)
    assert buffer.window_duration_sec > 0.0
    assert buffer.generator_cursors == {}
    buffer.event_loop.close()
