"""Work in a child with limits: whatever it does, the caller learns how it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from child import environment

SCRIPT = """
import json, os, signal, sys, time, warnings
from pathlib import Path
from dataclasses import asdict
from fuzz.worker import Limits, command, limited, prepare_process
prepare_process()
from supple.errors import SuppleError

def spin():
    while True: pass
def compiles():  # as if its time were over
    exec(compile("os.kill(os.getpid(), signal.SIGXCPU); time.sleep(60)", "/numba/core/lowering.py", "exec"))
def grow(): return len([bytearray(1 << 28) for _ in range(64)])
def refuse(): raise SuppleError("no")
def warn(): warnings.warn("odd", RuntimeWarning)

works = {
    "returned": lambda: 3, "spin": spin, "compiles": compiles, "grow": grow, "refuse": refuse, "warn": warn,
    "leave": lambda: sys.exit(5),
    "killed": lambda: os.kill(os.getpid(), 11), "wait": lambda: time.sleep(60), "divide": lambda: 1 / 0,
    "unknown": command(["run", "no-such-scene"]), "long": lambda: "x" * (1 << 21),
}
limits = Limits(seconds=1, wall=60.0, memory=0.5)
special = {"wait": Limits(wall=0.3), "compiles": Limits(wall=1.0)}
special["unknown"] = Limits()  # a command imports much before it refuses
folder = Path(sys.argv[1])
ends = {name: limited(work, folder / name, special.get(name, limits)) for name, work in works.items()}
print(json.dumps({name: asdict(end) for name, end in ends.items()}))
"""


def test_every_end_is_told(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment())
    ends = json.loads(done.stdout)
    assert (ends["returned"]["exit"], ends["returned"]["result"]) == (0, 3)
    assert len(ends["long"]["result"]) == 1 << 21
    assert (ends["spin"]["hung"], ends["spin"]["compiling"]) == (True, False)
    assert (ends["compiles"]["hung"], ends["compiles"]["compiling"]) == (True, True)
    assert "most recent call first" in ends["spin"]["stderr"]
    assert ends["grow"]["error"] == "MemoryError"
    assert (ends["refuse"]["exit"], ends["refuse"]["stderr"]) == (2, "no\n")
    assert [word.partition(" at ")[0] for word in ends["warn"]["warnings"]] == ["RuntimeWarning"]
    assert ends["leave"]["exit"] == 5
    assert (ends["killed"]["signal"], ends["killed"]["hung"]) == (11, False)
    assert ends["wait"]["hung"]
    assert (ends["divide"]["error"], ends["divide"]["exit"]) == ("ZeroDivisionError", None)
    assert ends["unknown"]["exit"] == 2
    assert "unknown scene 'no-such-scene'" in ends["unknown"]["stderr"]
