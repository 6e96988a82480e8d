"""The current folder may be a stranger's: no command imports a module from it, and no library takes its settings from it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import write_scene

COMMAND = "from supple.cli import script\nscript()\n"
MODULES = ("multiprocessing", "signal", "pickle", "random", "numpy", "pyvista", "distributed", "sitecustomize", "evil")
"""Names of modules that Python and libraries import first."""
MARK = "caught.txt"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A folder whose modules leave a mark when they are imported."""
    folder = tmp_path / "trap"
    folder.mkdir()
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / MARK)!r}, 'a').write({name!r} + ' ')\n")
    (folder / ".numba_config.yaml").write_text("disable_jit: 1\n")
    (folder / "matplotlibrc").write_text("backend: module://evil\ntext.usetex: True\n")
    write_scene(folder)
    return folder


def carried_out(trap: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command as it is installed: its own folder is searched for modules, not the current one."""
    place = trap.parent / "bin"
    place.mkdir(exist_ok=True)
    (place / "supple").write_text(COMMAND)
    command = [sys.executable, str(place / "supple"), *words]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(command, cwd=trap, env=clean, capture_output=True, text=True, timeout=300, check=False)
    caught = trap.parent / MARK
    assert not caught.exists(), caught.read_text()
    assert done.returncode == 0, done.stderr
    return done


def test_children_of_commands_import_nothing_from_it(trap: Path) -> None:
    """Python searches the current folder first when it starts a process, for its own modules too."""
    words = ("--vary", "body.0.material.young=1e4,2e4", "--steps", "2", "--workers", "1", "--out", "out")
    carried_out(trap, "sweep", "bar.toml", *words)


def test_the_probe_of_the_graphics_imports_nothing_from_it(trap: Path) -> None:
    program = "from supple.render.gl import probe; probe()"
    subprocess.run([sys.executable, "-P", "-c", program], cwd=trap, check=True, timeout=120)
    assert not (trap.parent / MARK).exists()


def test_settings_of_libraries_there_have_no_say(trap: Path) -> None:
    """Kernels that are not compiled cannot be called, and figures would be set by LaTeX."""
    program = (
        "import os, sys\n"
        "from supple.surroundings import distrust_folder\n"
        "distrust_folder()\n"
        "import matplotlib, supple.linalg, numba.core.config as config\n"
        "from numba.core.config import reload_config\n"
        "reload_config()\n"
        "print(matplotlib.rcParams['text.usetex'], config.DISABLE_JIT, os.getcwd())\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=trap, check=True, timeout=120, capture_output=True, text=True
    )
    assert done.stdout.split() == ["False", "0", str(trap.resolve())]
    carried_out(trap, "run", "bar.toml", "--steps", "2", "--out", "run")


def test_settings_of_figures_in_a_program_of_the_user_count(trap: Path) -> None:
    """The file is the user's own then."""
    program = "import supple.render, matplotlib; print(matplotlib.rcParams['text.usetex'])"
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=trap, env=clean, check=True, timeout=120, capture_output=True, text=True
    )  # fmt: skip
    assert done.stdout.split() == ["True"]
