"""`supple report`, `supple run --report`: place of the page, refusals, output."""

import json

import pytest

from report_runs import Page, make_run
from supple.cli import main


def supple(*arguments, code=0):
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert int(left.value.code or 0) == code


@pytest.mark.usefixtures("no_still_plots")
def test_one_run_has_its_report_beside_it(tmp_path, capsys):
    folder = make_run(tmp_path / "run")
    supple("report", folder, "--json")
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    file = folder / "report.html"
    assert answer == {"report": str(file), "runs": [str(folder)], "bytes": file.stat().st_size}
    Page(file.read_text(encoding="utf-8"))
    supple("report", folder, code=2)
    assert "already exists; replace it with --overwrite" in capsys.readouterr().err
    supple("report", folder, "--overwrite")
    assert capsys.readouterr().out.splitlines()[-1] == f"report       {file}"


@pytest.mark.usefixtures("no_still_plots")
def test_several_runs_have_theirs_here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("avf", "bdf2"):
        make_run(tmp_path / "both" / name, method=name)
    supple("report", "both/avf", "both/bdf2")
    assert "2 runs compared" in (tmp_path / "report.html").read_text(encoding="utf-8")
    # a folder of `supple compare` stands for the runs in it
    supple("report", "both", "--json")
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["runs"] == ["both/avf", "both/bdf2"]
    assert answer["report"] == "both/report.html"


def test_refusals(tmp_path, capsys):
    folder = make_run(tmp_path / "run")
    for arguments, words in (
        (("report", tmp_path / "nowhere"), "not the folder of a run (there is no such folder)"),
        (("report", folder, "--out", tmp_path / "page.pdf"), "give a name that ends in .html"),
        (("report", folder, "--out", tmp_path / "no" / "page.html"), "does not exist; create it first"),
        (("report",), "Missing argument"),
    ):
        supple(*arguments, code=2)
        assert words in capsys.readouterr().err


@pytest.mark.usefixtures("no_still_plots")
def test_a_run_with_its_report(tmp_path, capsys):
    folder = tmp_path / "sheet"
    supple("run", "spring-sheet", "--steps", 3, "--out", folder, "--report", "--json")
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["report"] == str(folder / "report.html")
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    assert "3 steps" in page.words
    supple("run", "--resume", folder, "--steps", 5, "--report")
    assert f"report       {folder / 'report.html'}" in capsys.readouterr().out.splitlines()
    assert "5 steps" in Page((folder / "report.html").read_text(encoding="utf-8")).words


@pytest.mark.usefixtures("no_still_plots")
def test_a_run_that_fails_has_its_report_too(tmp_path, capsys):
    folder = tmp_path / "sheet"
    settings = ("--set", "integrator.name=forward-euler", "--set", "time.step=0.5", "--set", "time.duration=200")
    supple("run", "spring-sheet", *settings, "--out", folder, "--report", code=2)
    assert "not finite" in capsys.readouterr().err
    assert "stopped by an error" in Page((folder / "report.html").read_text(encoding="utf-8")).words
