"""Options with numbers that Python cannot convert, or that leave no step in double precision."""

from pathlib import Path

import pytest
from command import here

from supple.errors import SuppleError
from supple.render.cameras.turntable import check_period

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
        (["coarsen", "bar.vtu", "--cells", "1,1,1", "--young", "inf"], "bar.vtu: a mesh file requires --young above 0"),
        (
            ["coarsen", "bar.vtu", "--cells", "1,1,1", "--young", "1e5", "--density", "nan"],
            "--density: found nan; give",
        ),
        (["coarsen", "cantilever", "--cells", "1,1,1", "--density", "-1"], "--density: a scene has its own materials"),
        (["coarsen", "cantilever", "--cells", "1,1,1", "--poisson", "9"], "--poisson: a scene has its own materials"),
        (["mesh", "bar", "--envelope", "-1"], "--envelope: requires --tetrahedralise OUT"),
        (["mesh", "bar", "--group", "a=nearest:0,0,0:1e400"], "--group: 'a=nearest:0,0,0:1e400': nearest.count: input"),
        (["mesh", "bar", "--group", "a=vertices:nan"], "--group: 'a=vertices:nan': vertices[0]: input should be"),
        (["export", "run", "--to", "obj", "--skin-scale", "-1"], "--skin-scale: requires --skin FILE"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_refused(in_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    here(*arguments, code=2)
    message = capsys.readouterr().err
    assert message.startswith(words)
    assert len(message) < 600
    assert not list(in_folder.iterdir())


@pytest.mark.parametrize("period", [5e-324, float("nan"), float("inf"), 0.0])
def test_turntables_turn_in_a_finite_time(period: float) -> None:
    with pytest.raises(SuppleError, match=r"--turntable: found .*; give the seconds of film per revolution, above 0"):
        check_period(period)
