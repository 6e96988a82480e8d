"""A process forked after a run says what to do, and one that is started afresh computes."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import multiprocessing, sys
import supple
from supple.errors import SuppleError

def work(_):
    setup = supple.load({scene!r})
    return [f.step for f in supple.simulate(setup.assemble(), setup.method, h=setup.h, steps=1)]

if __name__ == "__main__":
    work(0)
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        try:
            print(pool.map(work, [0]))
        except SuppleError as problem:
            print("refused:", problem)
"""
SCENE = """
[time]
step = 0.01
[[body]]
mesh = { shape = "cube", cells = 1 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""


def said(how: str, folder: Path) -> str:
    (folder / "cube.toml").write_text(SCENE)
    (folder / "work.py").write_text(SCRIPT.format(scene=str(folder / "cube.toml")))
    done = subprocess.run(
        [sys.executable, "work.py", how], cwd=folder, capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def test_a_forked_process_is_told_to_spawn(tmp_path: Path) -> None:
    found = said("fork", tmp_path)
    assert found.startswith(("refused: this process was forked", "[[0, 1]]"))  # the latter where threads survive a fork
    assert "spawn" in found or "[[0, 1]]" in found


def test_a_spawned_process_computes(tmp_path: Path) -> None:
    assert said("spawn", tmp_path) == "[[0, 1]]\n"
