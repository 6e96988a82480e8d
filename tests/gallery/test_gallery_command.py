"""`supple gallery` on real workers: page, exit codes, and going on after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from supple.cli import main


def run(*words: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["gallery", *words])
    assert (left.value.code or 0) == code


def test_unknown_panels_name_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    run("K2,4", code=2)
    assert "unknown panel 'K2,4'; did you mean 'K2.4'?" in " ".join(capsys.readouterr().err.split())


def test_listing(capsys: pytest.CaptureFixture[str]) -> None:
    run("K", "--list", "--json")
    out = capsys.readouterr().out
    assert "K2.4" in out
    assert json.loads(out.strip().splitlines()[-1])[0]["id"].startswith("K")


@pytest.mark.study
def test_killed_and_started_again(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "supple", "gallery", "K2.4", "--out", "all", "--workers", "1", "--check", "--json"]
    first = subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    history = tmp_path / "all/panels/K2.4/runs/bar/history.csv"
    until = time.monotonic() + 200
    while not (history.exists() and history.read_bytes().count(b"\n") > 50):
        assert first.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert (found["reproduced"], found["failed"]) == (1, 0)
    assert set(found["panels"][0]) >= {"measured", "bound", "verdict", "seconds"}
    page = (tmp_path / "all/index.html").read_text(encoding="utf-8")
    assert "A damped bar in free flight" in page
    assert "http" not in page.replace("http-equiv", "")
    again = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert "1 of 1 panels are already done" in again.stdout + again.stderr
