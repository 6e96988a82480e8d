"""Options with numbers that Python cannot convert, or that leave no step in double precision."""

from pathlib import Path

import pytest
from command import here

LONG = "9" * 5000
"""Python converts at most 4,300 digits, and raises a plain ValueError for more."""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analyse", "order", "spring-sheet", "--steps", LONG], "--steps: found '999"),
        (["analyse", "order", "spring-sheet", "--reference", f"avf:{LONG}"], "--reference: found 'avf:999"),
        (["analyse", "transfers", "--cells", f"{LONG},1,1"], "--cells: found '999"),
        (["coarsen", "cantilever", "--cells", f"{LONG},1,1"], "--cells: found '999"),
        (["analyse", "order", "spring-sheet", "--duration", "5e-324"], "--duration: found 4.94066e-324; give a time"),
    ],
    ids=["steps", "steps of the reference", "cells", "cells of a coarse mesh", "a subnormal duration"],
)
def test_refused(in_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    here(*arguments, code=2)
    message = capsys.readouterr().err
    assert message.startswith(words)
    assert len(message) < 600
    assert not list(in_folder.iterdir())
