"""An installed wheel in an empty virtual environment, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from archives import ROOT

SNIPPET = """
from importlib.metadata import version
from pathlib import Path

import supple as sp

assert version("supple") == sp.__version__
assert Path(sp.__file__).is_relative_to(Path.cwd()), f"{sp.__file__} is not the installed package"
bar = sp.Body(sp.Bar(cells=(4, 1, 1), size=(0.4, 0.1, 0.1)), "rubber", pin="left")
*_, last = sp.simulate(sp.assemble(sp.World([bar])), sp.AVF(), h=1 / 60, steps=5)
assert abs(last.ledger.residual) < 1e-10, last.ledger.residual
print(f"5 steps of a bar, energy residual {last.ledger.residual:.0e} J")
"""
COMMANDS = (
    ("supple", "--version"),
    ("supple", "run", "three-masses", "--steps", "3"),
    ("supple", "scenes"),
    ("supple", "run", "jelly", "--steps", "2"),
    ("supple", "schema"),
    ("supple", "presets"),
    ("python", "-c", SNIPPET),
)
SHOWN = 100
"""Characters of a line of output."""


class Failed(Exception):
    """A command ended with another code than 0; the message is its output."""


def install(wheel: Path, folder: Path) -> Path:
    """A new environment in a folder with the locked requirements and the wheel; gives its folder of programs."""
    place = folder / "venv"
    venv.create(place, with_pip=True)
    programs = place / "bin"
    pip = ("python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(
        programs, folder, (*pip, "install", "--require-hashes", "--requirement", str(ROOT / "requirements" / "run.txt"))
    )
    run(programs, folder, (*pip, "install", "--no-deps", str(wheel)))
    run(programs, folder, (*pip, "check"))
    return programs


def run(programs: Path, folder: Path, command: Sequence[str]) -> str:
    """Standard output of a command of the environment, called in a folder without the paths of the caller."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }
    done = subprocess.run(
        [str(programs / command[0]), *command[1:]], cwd=folder, env=kept, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"`{shown(command)}` ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def try_commands(programs: Path, folder: Path) -> None:
    """Run every command and print it with the last line of its output."""
    for command in COMMANDS:
        lines = run(programs, folder, command).strip().splitlines()
        if not lines:
            raise Failed(f"`{shown(command)}` printed nothing")
        print(f"  {shown(command)}: {lines[-1].strip()[:SHOWN]}")
        sys.stdout.flush()


def shown(command: Sequence[str]) -> str:
    """A command as one line."""
    return " ".join("..." if "\n" in word else word for word in command)
