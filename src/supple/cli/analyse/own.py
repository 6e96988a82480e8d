"""`supple analyse own`: a study from a plugin, on a scene."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supple.cli.analyse.study import AsJson, SceneName, Settings

if TYPE_CHECKING:
    from supple.analysis.own import Analysis


def own(
    study: Annotated[str, typer.Argument(help="Name of a study registered by a --plugin.")],
    scene: SceneName,
    settings: Settings = None,
    options: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="Option of the study; repeatable.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="File for the table; default: NAME.csv.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a study from a plugin on a scene; writes its table."""
    from supple.cli.analyse.output import check_results, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.errors import SuppleError
    from supple.scene.text.load import load_scene

    console = new_console(as_json)
    file = csv or Path(f"{study}.csv")
    check_results(file)
    made = _study(study, options or [])
    setup = load_scene(scene, settings or []).make()
    rows = [dict(row) for row in made.rows(setup.assemble(), setup.method, setup.h, setup.steps)]
    if not rows:
        raise SuppleError(f"{study}: the study returned no rows")
    write_csv(file, tuple(rows[0]), rows)
    for row in rows:
        console.print(", ".join(f"{key} {value}" for key, value in row.items()), markup=False)
    show_files(console, {"table": file})
    if as_json:
        print_json({"csv": str(file), "rows": rows})


def _study(name: str, options: list[str]) -> Analysis:
    """The study with its options, checked as in a scene."""
    from pydantic import ValidationError

    from supple.analysis.own import ANALYSES
    from supple.errors import SuppleError
    from supple.scene.text.override import apply
    from supple.scene.text.problems import problems
    from supple.scene.text.registry_models import options_model

    if not ANALYSES:
        raise SuppleError("analyse own: no study is registered; load the file that defines one with --plugin FILE")
    model = options_model(ANALYSES.find(name))
    table = apply({"study": {}}, [f"study.{option}" for option in options])["study"]
    try:
        made: Analysis = model.model_validate(table).make()
    except ValidationError as error:
        raise SuppleError("\n".join(f"--option: {line}" for line in problems(error, model))) from None
    return made
