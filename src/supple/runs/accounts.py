"""Contents of the report of a run, read from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from supple.dynamics.step import Facts
from supple.errors import SceneError, SuppleError
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.render.report.account import Account, Expected
from supple.render.report.page import write_report
from supple.runs.judge import judge
from supple.scene.tables.integrator import IntegratorTable
from supple.scene.text.load import parse_toml

PAGE = "report.html"
"""Name of the report in the folder of a run."""


def write_page(folder: Path, film: bool = False) -> Path:
    """Write the report of a run into its folder, replacing an older one."""
    file = folder / PAGE
    write_report([account_of(folder)], file, film)
    return file


def account_of(path: Path) -> Account:
    """All data of a run for the page; unreadable parts are noted, only the history is required."""
    folder = RunFolder.open(path)
    notes = []
    if folder.log.is_file():
        notes = folder.log.read_text(encoding="utf-8", errors="replace").splitlines()
    try:
        scene: dict[str, Any] = parse_toml(folder.scene)
    except SceneError as problem:
        scene = {}
        notes.append(str(problem))
    facts = _facts(scene)
    if scene and facts is None:
        notes.append("this version of supple does not support the integrator of this run with these options")
    expected: tuple[Expected, ...] = ()
    try:
        expected = _expected(folder, scene)
    except SuppleError as problem:  # a mesh that has moved, a plugin that is not loaded
        notes.append(f"the expectations of the scene cannot be checked: {problem}")
    history = read_history(folder.history)
    return Account(folder, folder.status, folder.record, scene, facts, history, tuple(filter(None, notes)), expected)


def _expected(folder: RunFolder, scene: dict[str, Any]) -> tuple[Expected, ...]:
    """Verdicts on a finished run; unfinished runs cannot be judged."""
    if folder.status is not RunStatus.FINISHED or not scene.get("expect"):
        return ()
    return tuple(Expected(verdict.name, verdict.passes, verdict.found) for verdict in judge(folder.path))


def _facts(scene: dict[str, Any]) -> Facts | None:
    """Properties of the method; only its table is read, so a missing mesh does no harm."""
    try:
        table = TypeAdapter(IntegratorTable).validate_python(scene.get("integrator", {}))
    except ValidationError:
        return None
    made: Facts = table.make().facts
    return made
