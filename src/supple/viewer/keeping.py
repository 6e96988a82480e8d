"""Files saved by the live page: the current settings as a scene, and recordings as run folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.errors import SuppleError
from supple.escaping import code, markdown
from supple.model.source import CoarseFile
from supple.recording.files import free_path, replace_bytes
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_short
from supple.viewer.messages import Cut, Message, Record

if TYPE_CHECKING:
    from viser import ViserServer

START, END = "record", "stop recording"


class Keeping:
    """A name, and buttons that save and record under it; existing files are never replaced."""

    def __init__(
        self, server: ViserServer, out: Path, name: str, scene: Callable[[], Scene], send: Callable[[Message], None]
    ) -> None:
        self._out, self._scene, self._send = out, scene, send
        self._name = server.gui.add_text("name", name, hint=f"Name of saved files in the folder {out.absolute()}.")
        save = server.gui.add_button("save as scene", hint="A .toml file for `supple run` and `supple live`.")
        save.on_click(lambda _: self._say(self.save))
        self._button: Any = server.gui.add_button(
            START, hint="A folder for `supple view`, `supple render` and `supple export`; a reset stops the recording."
        )
        self._button.on_click(lambda _: self._say(self.record))
        self._told = server.gui.add_markdown("")
        self._recording = False

    def save(self) -> str:
        """Write the scene; returns a message for the user."""
        path = save_scene(self._scene(), self._free(".toml"))
        return f"saved: {code(f'supple run {path}')}"

    def record(self) -> str:
        """Start or stop a recording."""
        if self._recording:
            self._send(Cut())
            return ""
        self._send(Record(str(self._free(""))))
        return ""

    def refresh(self, recorded: int) -> None:
        """`recorded`: frames of the current recording, or -1."""
        recording = recorded >= 0
        if recording is not self._recording:
            self._recording = recording
            self._button.label = END if recording else START
            self._button.color = "red" if recording else None
        if recording:
            self._told.content = f"● recording: {recorded} frames"

    def tell(self, words: str) -> None:
        self._told.content = words

    def _say(self, action: Callable[[], str]) -> None:
        try:
            self.tell(action())
        except SuppleError as problem:
            self.tell(markdown(str(problem)))

    def _free(self, suffix: str) -> Path:
        return free_path(self._out, checked_name(self._name.value), suffix)


LONGEST = 100
"""Largest length of a name: file systems allow 255 bytes, including a suffix."""


def checked_name(text: str) -> str:
    """A plain name; a page may be open to others, who must not write to arbitrary paths."""
    name = text.strip()
    strange = name.startswith((".", "-")) or not name.isprintable() or set(name) & set('/\\:*?"<>|')
    if not name or strange or len(name) > LONGEST:
        raise SuppleError(f"name: found '{text[:LONGEST]}'; give a plain name without slashes, such as wobble")
    return name.removesuffix(".toml")


def save_scene(scene: Scene, path: Path) -> Path:
    """Write a scene file that loads as the same scene from any folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, dump_short(_found_anywhere(scene)).encode())
    return path


def _found_anywhere(scene: Scene) -> Scene:
    """With absolute paths of coarse bodies, which are relative to the scene's folder; other paths are absolute already."""
    sources = [body.mesh for body in scene.make().world.bodies]
    if not any(isinstance(source, CoarseFile) for source in sources):
        return scene
    tables = scene.model_dump(exclude_none=True)["body"]
    for table, source in zip(tables, sources, strict=True):
        if isinstance(source, CoarseFile):
            table["mesh"] = {"coarse": str(Path(source.coarse).resolve())}
    return scene.with_tables({"body": tables})
