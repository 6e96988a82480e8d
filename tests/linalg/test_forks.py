"""A process forked after a run reports the remedy, and a new process computes."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import multiprocessing
import supple
from supple.errors import SuppleError

def work(_):
    setup = supple.load({scene!r})
    return [f.step for f in supple.simulate(setup.assemble(), setup.method, h=setup.h, steps=1)]

if __name__ == "__main__":
    work(0)
    for how in ("fork", "spawn"):
        with multiprocessing.get_context(how).Pool(1) as pool:
            try:
                print(pool.map(work, [0]), flush=True)
            except SuppleError as problem:
                print("refused:", problem, flush=True)
"""
SCENE = """
[time]
step = 0.01
[[body]]
mesh = { shape = "cube", cells = 1 }
material = { name = "stvk", young = 1e5, poisson = 0.3 }
"""


def test_a_forked_process_is_told_to_spawn_and_a_spawned_one_computes(tmp_path: Path) -> None:
    (tmp_path / "cube.toml").write_text(SCENE)
    (tmp_path / "work.py").write_text(SCRIPT.format(scene=str(tmp_path / "cube.toml")))
    done = subprocess.run(
        [sys.executable, "work.py"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    *forked, spawned = done.stdout.splitlines()
    found = " ".join(forked)
    assert found.startswith(("refused: this process was forked", "[[0, 1]]"))  # the latter where threads survive a fork
    assert "spawn" in found or "[[0, 1]]" in found
    assert spawned == "[[0, 1]]"
