"""`supple report`: one HTML page about a run, or several side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from supple.dynamics.step import Facts
    from supple.recording.folder import RunFolder
    from supple.render.report.account import Account

NAME = "report.html"


def report(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="Folders that `supple run` or `supple compare` wrote.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help=f"Default: {NAME} in the folder of the run, or here for several."),
    ] = None,
    film: Annotated[bool, typer.Option("--film", help="Embed a film instead of stills.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Write a page about one or several runs that opens in any browser, without a network."""
    from supple.cli.output import new_console, print_json
    from supple.render.report.page import write_report

    console = new_console(as_json)
    file = out or (folders[0] / NAME if len(folders) == 1 else Path(NAME))
    runs = [run for folder in folders for run in runs_in(folder)]
    accounts = [account_of(run) for run in runs]
    _check(file, overwrite)
    write_report(accounts, file, film)
    console.print(f"report       {file}", markup=False)
    if as_json:
        print_json({"report": str(file), "runs": [str(run) for run in runs], "bytes": file.stat().st_size})


def runs_in(folder: Path) -> list[Path]:
    """The folder itself, or the runs in it: `supple compare` makes such folders."""
    inside = sorted(record.parent for record in folder.glob("*/run.json"))
    return inside if inside and not (folder / "run.json").exists() else [folder]


def report_beside(folder: RunFolder) -> Path:
    """Write the report of a run into its folder, where an older one is replaced."""
    from supple.render.report.page import write_report

    file = folder.path / NAME
    write_report([account_of(folder.path)], file)
    return file


def account_of(path: Path) -> Account:
    """All that the page tells of a run; what cannot be read any more is noted, only a history is needed."""
    from supple.errors import SceneError
    from supple.recording.folder import RunFolder
    from supple.recording.history import read_history
    from supple.render.report.account import Account
    from supple.scene.text.load import parse_toml

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
        notes.append("this version of supple does not know the integrator of this run with these options")
    return Account(
        folder, folder.status, folder.record, scene, facts, read_history(folder.history), tuple(filter(None, notes))
    )


def _facts(scene: dict[str, Any]) -> Facts | None:
    """What the method states; its table alone is read, so that a mesh which has moved does no harm."""
    from pydantic import TypeAdapter, ValidationError

    from supple.scene.tables.integrator import IntegratorTable

    try:
        table = TypeAdapter(IntegratorTable).validate_python(scene.get("integrator", {}))
    except ValidationError:
        return None
    made: Facts = table.make().facts
    return made


def _check(file: Path, overwrite: bool) -> None:
    """Refuse what cannot be written before anything is drawn."""
    from supple.cli.analyse.output import check_places
    from supple.errors import SuppleError

    if file.suffix.lower() not in (".html", ".htm"):
        raise SuppleError(f"--out {file}: found '{file.suffix}'; a report is a page: give a name that ends in .html")
    check_places(file)
    if file.exists() and not overwrite:
        raise SuppleError(f"{file}: is there already; replace it with --overwrite, or choose another --out")
