"""Work in a child with limits: whatever it does, the caller learns how it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, os, sys, time, warnings
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from dataclasses import asdict
from fuzz.worker import Limits, command, limited, prepare_process
prepare_process()
from supple.errors import SuppleError

def spin():
    while True: pass
def grow(): return len([bytearray(1 << 28) for _ in range(64)])
def refuse(): raise SuppleError("no")
def warn(): warnings.warn("odd", RuntimeWarning)

works = {
    "returned": lambda: 3, "spin": spin, "grow": grow, "refuse": refuse, "warn": warn, "leave": lambda: sys.exit(5),
    "killed": lambda: os.kill(os.getpid(), 11), "wait": lambda: time.sleep(60), "divide": lambda: 1 / 0,
    "unknown": command(["run", "no-such-scene"]),
}
limits = Limits(seconds=1, wall=4.0, memory=0.5)
folder = Path(sys.argv[2])
print(json.dumps({name: asdict(limited(work, folder / name, limits)) for name, work in works.items()}))
"""


def test_every_end_is_told(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[1]), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    ends = json.loads(done.stdout)
    assert (ends["returned"]["exit"], ends["returned"]["result"]) == (0, 3)
    assert ends["spin"]["hung"]
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
