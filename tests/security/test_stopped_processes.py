"""A process that is stopped for a while (Ctrl-Z, SIGSTOP) and continues: its time limit ends it in order."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from cli.command import write_scene
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history

LIMIT = 6.0
"""Long enough to reach the step [s]."""
STOPPED = """
import time
from supple import loop
from supple.runs.stopping.budget import Budget
Budget.grace = 1.5
real = loop.attempt
def attempt(system, integrator, progress, *rest):
    if progress.step == 3:
        print("amid a step", flush=True)
        time.sleep(0.3)
    return real(system, integrator, progress, *rest)
loop.attempt = attempt
from supple.cli import main
main(["run", "bar.toml", "--out", "run", "--steps", "20000", "--time-limit", "{limit}s"])
"""


def test_the_step_is_finished_when_the_limit_passed_meanwhile(tmp_path: Path) -> None:
    """It was interrupted at once, with the words that the step had taken too long."""
    write_scene(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED.format(limit=LIMIT)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        while "amid a step" not in child.stdout.readline():
            assert child.poll() is None
        child.send_signal(signal.SIGSTOP)
        time.sleep(LIMIT + 2.0)
        child.send_signal(signal.SIGCONT)
        out, err = child.communicate(timeout=100)
    assert child.returncode == 3, err
    assert "longer" not in err
    assert out.splitlines()[-1] == "continue with: supple run --resume run"
    assert list(read_history(tmp_path / "run/history.csv")["step"]) == [0, 1, 2, 3, 4]
    assert RunFolder.open(tmp_path / "run").status is RunStatus.INTERRUPTED
