"""The page of a sweep: contents, size, and refusals."""

import base64
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from report_runs import Page
from supple.cli import main
from supple.recording.folder import RunFolder
from supple.render.camera import CAMERAS
from supple.sweeps.manifest import Manifest
from supple.sweeps.report import curves, strips
from supple.sweeps.report.columns import alike
from supple.sweeps.report.curves import read_curves
from supple.sweeps.report.framing import Framing, Sight, frame, look
from supple.sweeps.report.page import write_sweep_report
from supple.sweeps.results import Sweep
from sweep_runs import FAILED, MESSAGE, SMALL, WAITING, make_sweep

GRADES = strips.GRADES


def supple(*arguments: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert int(left.value.code or 0) == code


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no plots for browsers without scripts, which take most of the time of a page."""
    monkeypatch.setattr(strips, "GRADES", SMALL)
    monkeypatch.setattr("supple.render.report.plots.picture", lambda panel: "data:image/svg+xml;base64,")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sweep(tmp_path_factory.mktemp("sweep") / "sweep")


def data(html: str) -> dict:
    page = Page(html)
    return next(json.loads(text) for values, text in page.scripts if values.get("id") == "sweep")


def test_the_page_has_every_run(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write_sweep_report(Manifest.read(folder), out)
    html = out.read_text(encoding="utf-8")
    page, told = Page(html), data(html)
    assert html.count('class="tile"') == len(told["runs"]) == 6
    assert [run["state"] for run in told["runs"]] == ["finished"] * 4 + ["failed", "waiting"]
    assert told["runs"][FAILED]["error"] == MESSAGE
    assert MESSAGE in page.words  # as text, with its angle brackets
    assert "1 of 6 runs are not finished" in page.words
    assert "1 of 6 runs failed" in page.words
    names = {column["title"]: column for column in told["columns"]}
    assert list(names) == ["young", "name", "state", "loss", "total@end", "seconds"]
    assert names["young"]["cells"][:3] == [1e5, 1e5, 4e5]
    assert names["young"]["log"]
    assert names["loss"]["cells"][FAILED:] == [None, None]
    assert names["name"]["colours"]["avf"] == "#0072b2"
    # nothing is loaded: pictures are data, and no run has a page to link to
    assert all(address.startswith("data:") for address in page.addresses)


def test_pictures_show_all_runs_at_the_same_times(folder: Path, tmp_path: Path) -> None:
    from PIL import Image

    found = write_sweep_report(Manifest.read(folder), tmp_path / "page.html")
    assert found.times[0] == 0.0
    assert found.times[-1] == pytest.approx(7 / 8)
    pictures = []
    for entry in found.entries[:WAITING]:
        picture = Image.open(io.BytesIO(base64.b64decode(entry.strip.partition(",")[2])))
        assert picture.size == (found.grade.moments * found.grade.width, found.grade.height)
        pictures.append(np.asarray(picture, dtype=float))
    assert found.entries[WAITING].strip == ""
    width = found.grade.width
    # runs that move alike look alike; the failed one stands still after its last frame
    assert np.abs(pictures[0] - pictures[1]).mean() < 1.0
    first, last = pictures[0][:, :width], pictures[0][:, -width:]
    assert np.abs(first - last).mean() > 2.0
    stopped = pictures[FAILED]
    assert np.abs(stopped[:, -width:] - stopped[:, -2 * width : -width]).mean() < 0.5
    assert found.entries[FAILED].end == pytest.approx(2 / 8)


def test_a_run_that_explodes_does_not_decide_what_is_seen(folder: Path) -> None:
    sights = [look(folder / f"runs/{k:03d}") for k in range(4)]
    assert all(sights)
    far = sights[0].__class__(
        sights[0].path, (0, 1), 100 * sights[0].bodies, 100 * sights[0].points, sights[0].values, "J"
    )
    calm = frame(sights, [s.path for s in sights], CAMERAS["iso"])
    wild = frame([*sights, far], [s.path for s in sights], CAMERAS["iso"])
    assert np.ptp(wild.points, axis=0) == pytest.approx(np.ptp(calm.points, axis=0))
    assert look(folder / "runs/005") is None


def test_many_runs_have_smaller_pictures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, real = {}, strips.strip

    def strip(framing: Framing, sight: Sight, grade: strips.Grade, times: np.ndarray) -> str:
        """Each picture is drawn once."""
        key = sight.path, grade, tuple(times)
        if key not in drawn:
            drawn[key] = real(framing, sight, grade, times)
        return drawn[key]

    monkeypatch.setattr(strips, "strip", strip)
    monkeypatch.setattr(strips, "GRADES", GRADES)
    sights = [look(folder / "runs/000")]
    framing = frame(sights, [], CAMERAS["iso"])
    assert strips.choose_grade(framing, sights) == GRADES[0]
    chosen = []
    for count in (60, 500, 3000, 10_000):
        grade = strips.choose_grade(framing, (sights * count)[:count])
        one = strips.strip(framing, sights[0], grade, grade.times(framing.span))
        assert count * len(one) < 20e6
        assert count * grade.pixels <= strips.PIXELS
        chosen.append(grade)
    assert chosen == sorted(chosen, key=GRADES.index)
    assert len(set(chosen)) == 4


def test_long_histories_are_thinned(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = read_curves([(0, folder / "runs/000")])
    assert few.every == 1
    assert len(few.histories[0]["time"]) == 21
    assert few.names == ["total", "kinetic", "elastic", "potential", "residual"]
    # so many runs share the points of a page; those without a history have no curve
    many = read_curves([(0, folder / "runs/000"), *((k, folder / "none") for k in range(1, 6000))])
    assert list(many.histories) == [0]
    assert many.every == 1
    monkeypatch.setattr(curves, "LEAST", 5)
    thin = read_curves([(0, folder / "runs/000"), *((k, folder / "none") for k in range(1, 6000))])
    assert thin.every == 3
    assert thin.histories[0]["time"].tolist() == pytest.approx([0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0])


def test_columns_of_words_and_numbers() -> None:
    assert alike([1, 2.5]) == (1.0, 2.5)
    assert alike([1, "fine"]) == ("1", "fine")
    assert alike([True, False]) == ("true", "false")
    assert alike([[0, 1], [2, 3]]) == ("[0, 1]", "[2, 3]")


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = shutil.copytree(folder, tmp_path / "sweep")
    supple("report", here, "--json")
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["report"] == str(here / "report.html")
    assert answer["runs"] == [str(here / f"runs/{k:03d}") for k in range(5)]
    supple("report", here, code=2)
    assert "already exists; replace it with --overwrite" in capsys.readouterr().err
    # pages of runs are written on demand, and linked
    for k in (1, 2, 3):
        shutil.rmtree(here / f"runs/{k:03d}")
    out = tmp_path / "elsewhere.html"
    supple("report", here, "--pages", "--out", out)
    links = [run["link"] for run in data(out.read_text(encoding="utf-8"))["runs"]]
    assert links == ["sweep/runs/000/report.html", "", "", "", "sweep/runs/004/report.html", ""]
    assert all((tmp_path / link).is_file() for link in links if link)
    assert '<a href="sweep/runs/004/report.html">' in out.read_text(encoding="utf-8")


def test_refusals(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        ((folder, "--film"), "--film: the pictures of a sweep are already animated"),
        ((folder / "runs/000", "--pages"), "--pages: applies to the folder of one sweep"),
        ((folder, folder / "runs/000", "--pages"), "--pages: applies to the folder of one sweep"),
    ):
        supple("report", *arguments, code=2)
        assert words in capsys.readouterr().err


def test_a_sweep_beside_other_runs_stands_for_its_runs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    here = shutil.copytree(folder, tmp_path / "sweep")
    for k in (1, 2, 3):
        shutil.rmtree(here / f"runs/{k:03d}")
    supple("report", here, folder / "runs/000", "--json")
    assert len(json.loads(capsys.readouterr().out.splitlines()[-1])["runs"]) == 3


def test_from_python(folder: Path, tmp_path: Path) -> None:
    here = shutil.copytree(folder, tmp_path / "sweep")
    for k in (1, 2, 3):
        shutil.rmtree(here / f"runs/{k:03d}")
    assert Sweep(here).report(progress=False) == here / "report.html"
    told = data((here / "report.html").read_text(encoding="utf-8"))
    # a folder that was taken away leaves a row without pictures and curves
    assert told["runs"][3]["end"] is None
    assert "3" not in told["curves"]["runs"]
    file = Sweep(here).report(tmp_path / "other.html", pages=True, progress=False)
    assert data(file.read_text(encoding="utf-8"))["runs"][0]["link"] == "sweep/runs/000/report.html"
    assert RunFolder.open(here / "runs/000").path.joinpath("report.html").is_file()


def test_a_sweep_before_its_first_run(folder: Path, tmp_path: Path) -> None:
    here = shutil.copytree(folder, tmp_path / "sweep")
    shutil.rmtree(here / "runs")
    manifest = Manifest.read(here)
    html = (Sweep(here).report(progress=False)).read_text(encoding="utf-8")
    assert "No run has recorded a picture yet." in Page(html).words
    assert html.count('class="tile"') == len(manifest.rows)
