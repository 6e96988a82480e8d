"""Contact sheets of sweeps: places of runs, labels, grey cells, and refusals. Runs are recorded without
simulating."""

import json
import resource
from itertools import product
from pathlib import Path
from typing import Any

import imageio.v3 as iio
import numpy as np
import pytest
from PIL import Image
from render_runs import record

from supple.cli import main
from supple.errors import SuppleError
from supple.render.camera import CAMERAS
from supple.render.drawing.pieces import Stage, cut_pieces
from supple.render.drawing.shadow import LightPicture
from supple.render.films import open_films
from supple.render.sheet import CELL, Cell, Sheet, sheet_layout, width_of
from supple.render.shot import film_times, make_shot
from supple.render.style import BLANK
from supple.sweeps.manifest import Manifest, Row, State
from supple.sweeps.pictures.arrange import arrange
from supple.sweeps.results import Sweep

YOUNG, DAMPING, NAME = "body.0.material.young", "body.0.damping", "integrator.name"
STOPPED = "step 12: Newton's method did not converge; try a smaller time.step"


def make(folder: Path, *values: dict[str, Any], failed: int = -1, waiting: int = -1) -> Manifest:
    """A sweep with a run of a box per set of values, each faster than the one before."""
    rows = []
    for k, some in enumerate(values):
        state = State.FAILED if k == failed else State.WAITING if k == waiting else State.FINISHED
        if state is State.FINISHED:
            record(folder / f"runs/{k}", 3, move=0.5 * k, strain=1.0 + k)
        rows.append(Row(k, f"runs/{k}", some, state, error=STOPPED if k == failed else None))
    folder.mkdir(exist_ok=True)
    manifest = Manifest(folder, {"measures": {}}, rows)
    manifest.write()
    return manifest


def grid(**keys: tuple[Any, ...]) -> list[dict[str, Any]]:
    names = {"young": YOUNG, "damping": DAMPING, "name": NAME}
    return [dict(zip((names[key] for key in keys), some, strict=True)) for some in product(*keys.values())]


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make(Path("sweep"), *grid(young=(1e4, 1e5, 1e6), name=("avf", "bdf2")), failed=3, waiting=5).folder


def render(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["render", *map(str, arguments), "--renderer", "plain", "--size", "80x64", "--overwrite"])
    assert int(left.value.code or 0) == code


def pixels(file: str) -> np.ndarray:
    with Image.open(file) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def test_columns_and_rows_by_the_values_of_keys(sweep):
    sheet = arrange(Manifest.read(sweep), "young", NAME)
    assert sheet.columns == ("young = 1e+04", "young = 1e+05", "young = 1e+06")
    assert sheet.rows == ("name = avf", "name = bdf2")
    assert [(cell.row, cell.column) for cell in sheet.cells] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert [cell.run and cell.run.name for cell in sheet.cells] == ["0", "1", "2", None, "4", None]
    assert [cell.note for cell in sheet.cells if cell.run is None] == [
        "failed: step 12: Newton's method did not converge", "waiting",
    ]  # fmt: skip
    assert not any(cell.label for cell in sheet.cells)


def test_without_keys_runs_stand_in_a_near_square_with_their_values_below(sweep):
    sheet = arrange(Manifest.read(sweep))
    assert (len(sheet.columns), len(sheet.rows)) == (3, 2)
    assert [(cell.row, cell.column) for cell in sheet.cells] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert sheet.cells[4].label == "4: young=1e+06, name=avf"


def test_further_keys_join_the_rows_or_the_columns(tmp_path):
    manifest = make(tmp_path / "s", *grid(young=(1e4, 1e5), damping=(0.0, 0.1), name=("avf", "bdf2")))
    both = arrange(manifest, "young", "damping")
    assert both.columns == ("young = 1e+04", "young = 1e+05")
    assert both.rows[:2] == ("damping = 0\nname = avf", "damping = 0\nname = bdf2")
    assert len({(cell.row, cell.column) for cell in both.cells}) == 8
    down = arrange(manifest, None, "damping")
    assert down.rows == ("damping = 0", "damping = 0.1")
    assert down.columns[1] == "young = 1e+04\nname = bdf2"


def test_values_that_go_together_stand_in_one_row_with_labels(tmp_path):
    manifest = make(tmp_path / "s", *({YOUNG: 10.0**k, DAMPING: 0.1 * k} for k in range(5)))
    sheet = arrange(manifest, "young")
    assert (len(sheet.columns), sheet.rows) == (5, ("",))
    assert sheet.cells[2].label == "2: young=100, damping=0.2"
    with pytest.raises(SuppleError, match="5 columns and 5 rows for 5 runs leave most of the sheet empty"):
        arrange(manifest, "young", "damping")


@pytest.mark.parametrize(
    ("columns", "rows", "said"),
    [
        ("yung", None, "--columns: unknown key 'yung'; did you mean 'young'? the sweep varies: body.0.material.young"),
        (None, "time.step", "--rows: unknown key 'time.step'"),
        ("young", YOUNG, "both are body.0.material.young"),
    ],
)
def test_keys_that_are_refused(sweep, columns, rows, said):
    with pytest.raises(SuppleError) as found:
        arrange(Manifest.read(sweep), columns, rows)
    assert said in str(found.value)


def test_runs_with_the_same_values_are_refused(tmp_path):
    manifest = make(tmp_path / "s", {YOUNG: 1.0}, {YOUNG: 1.0})
    with pytest.raises(SuppleError, match="runs 0 and 1 have the same values"):
        arrange(manifest, "young")
    assert len(arrange(manifest).cells) == 2


def test_a_sweep_without_a_finished_run_is_refused(tmp_path):
    with pytest.raises(SuppleError, match="none of its 1 runs is finished"):
        arrange(make(tmp_path / "s", {YOUNG: 1.0}, failed=0))


def test_cells_do_not_overlap_and_writing_keeps_to_its_place():
    cells = tuple(
        Cell(r, c, Path("x") if r else None, "a long label of a run " * 3, "note " * 90)
        for r, c in product(range(2), range(3))
    )
    layout = sheet_layout(Sheet(cells, ("one", "two", "a heading " * 9), ("r", "a row " * 30)), CELL, True)
    taken = np.zeros((layout.height, layout.width), dtype=int)
    for area in (*layout.panels, *layout.blanks):
        taken[area.slices] += 1
    assert taken.max() == 1
    assert taken.sum() == 6 * CELL[0] * CELL[1]
    assert layout.width % 2 == layout.height % 2 == 0
    for text in layout.writings:
        assert width_of(text.text, text.size) <= (1.5 if text.x < 20 else 1.0) * CELL[0]
        assert 0 <= text.y < layout.height


def test_a_sheet_too_large_for_a_picture_is_refused(sweep):
    with pytest.raises(SuppleError, match="3 columns and 2 rows of 8000x64 make a sheet of"):
        sheet_layout(arrange(Manifest.read(sweep)), (8000, 64), True)


def test_more_runs_than_files_may_be_open(sweep, monkeypatch):
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 110))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    runs = arrange(Manifest.read(sweep)).runs
    with open_films(runs) as films:
        assert len(films) == 4
    assert asked == [(104, 110)]
    with (
        pytest.raises(SuppleError, match="12 runs at once need 112 open files, and this system allows 110"),
        open_films(3 * runs),
    ):
        pass


def test_shadows_of_small_cells_are_as_dark_as_those_of_large_ones(tmp_path):
    """They are on a coarser grid, from fewer points."""
    sheet = arrange(make(tmp_path / "s", {YOUNG: 1.0}))
    grids, dark = [], []
    with open_films(sheet.runs) as films:
        for size in ((120, 96), (480, 384)):
            shot = make_shot(sheet.runs, films, film_times(films, 10), size, CAMERAS["iso"], "none", sheet=sheet)
            (ground,) = shot.grounds
            stage = Stage(shot, cut_pieces(films[0], shot, ground), LightPicture(shot.light, np.zeros(3), 1.0))
            grids.append(ground.grid)
            dark.append(ground.shadow(Stage.throws(stage.place(films[0].frame(0)))).mean())
    assert grids == [110, 220]
    assert dark[0] == pytest.approx(dark[1], rel=0.1)


def test_picture_of_a_sheet(sweep, capsys):
    render(sweep, "--to", "sheet.png", "--columns", "young", "--rows", "name", "--json")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    shown = pixels("sheet.png")
    assert list(shown.shape[1::-1]) == told["size"]
    layout = sheet_layout(arrange(Manifest.read(sweep), "young", "name"), (80, 64), True)
    grey = int(BLANK[1:3], 16)
    for area in layout.blanks:
        inside = shown[area.slices][2:-2, 2:-2]
        assert (np.abs(inside - grey).max(axis=2) <= 1).mean() > 0.5
        assert inside.min() < 100  # the message
    for area in layout.panels:
        assert (np.ptp(shown[area.slices], axis=2) > 40).mean() > 0.05
    first = [shown[area.slices] for area in layout.panels]
    assert not np.array_equal(first[0], first[1])  # each its own run


def test_one_camera_and_one_scale(sweep):
    """At the start all boxes are the same, so all cells are."""
    render(sweep, "--to", "sheet.png", "--columns", "young", "--rows", "name", "--time", 0)
    layout = sheet_layout(arrange(Manifest.read(sweep), "young", "name"), (80, 64), True)
    shown = pixels("sheet.png")
    middle = [shown[area.slices][2:-2, 2:-2] for area in layout.panels]
    for other in middle[1:]:
        np.testing.assert_array_equal(other, middle[0])


def test_films_of_a_sheet_move(sweep):
    render(sweep, "--to", "sheet.mp4", "--columns", "young", "--fps", 10)
    frames = iio.imread("sheet.mp4", plugin="FFMPEG").astype(int)
    assert len(frames) == 3
    assert np.abs(frames[2] - frames[0]).max() > 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--with", "sweep/runs/0"], "--with, --label: apply to runs"),
        (["--label", "x"], "--with, --label: apply to runs"),
        (["--rows", "nme"], "did you mean 'name'"),
        (["--time", "9"], "the runs cover 0 to 0.2 s"),
    ],
)
def test_refusals_of_the_command(sweep, capsys, arguments, said):
    render(sweep, "--to", "a.png", *arguments, code=2)
    assert said in " ".join(capsys.readouterr().err.split())
    assert not Path("a.png").exists()


def test_columns_are_for_sweeps(sweep, capsys):
    render(sweep / "runs/0", "--to", "a.png", "--columns", "young", code=2)
    assert "sweep/runs/0 is not one" in " ".join(capsys.readouterr().err.split())


def test_from_python_as_by_the_command(sweep):
    render(sweep, "--to", "sheet.png", "--columns", "young", "--rows", "name")
    found = Sweep(sweep)
    made = found.sheet("own.png", "young", "name", size=(80, 64), renderer="plain")
    np.testing.assert_array_equal(pixels(str(made)), pixels("sheet.png"))
    with pytest.raises(SuppleError, match="already exists"):
        found.sheet("own.png")
    with pytest.raises(SuppleError, match=r"time: applies to a .png, and own.gif is a film"):
        found.sheet("own.gif", time=0.1)
