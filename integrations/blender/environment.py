# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator: found on this machine, or installed into a separate environment."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import bpy

from .messages import Refusal
from .process import Command, Plan, environment

VARIABLE = "SUPPLE_PYTHON"
"""Names a Python with supple, for machines without a window."""


def command() -> list[str]:
    """The command that starts supple, without arguments."""
    for words in _candidates():
        return words
    raise Refusal(
        "supple is not installed: press Install in the preferences of the extension, or give the path of a Python that has it"
    )


def _candidates() -> Iterator[list[str]]:
    chosen = preferences().python if preferences() is not None else ""
    if chosen:
        path = Path(bpy.path.abspath(chosen))
        if not path.exists():
            raise Refusal(f"preferences: no Python at {path}; correct the path, or empty it to search")
        yield [str(path), "-m", "supple"]
    if os.environ.get(VARIABLE):
        yield [os.environ[VARIABLE], "-m", "supple"]
    own = python_in(own_folder())
    if own.exists():
        yield [str(own), "-m", "supple"]
    found = shutil.which("supple")
    if found:
        yield [found]


def version() -> str:
    """Output of `supple --version`; takes a second."""
    words = [*command(), "--version"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment(), check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Refusal(f"{words[0]}: does not start ({problem}); correct the path in the preferences") from None
    if done.returncode:
        raise Refusal(f"{words[0]}: has no supple; press Install, or give the path of a Python that has it")
    return done.stdout.strip()


def preferences() -> bpy.types.AddonPreferences | None:
    """Of this extension; None where it was loaded without being enabled."""
    found = bpy.context.preferences.addons.get(__package__)
    return None if found is None else found.preferences


def own_folder() -> Path:
    """The environment that the button makes, in the folder that Blender keeps for the extension."""
    if __package__.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(__package__, path="environment"))
    return Path(bpy.utils.user_resource("CONFIG", path="supple")) / "environment"


def python_in(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / "bin" / "python"


def installing(source: str) -> Plan:
    """Make the environment anew and install into it; one that is incomplete is removed."""
    if not bpy.app.online_access and not Path(source.split("[")[0]).exists():
        raise Refusal("online access is off: allow it in Preferences > System, or give a folder or wheel as the source")
    folder = own_folder()
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    complete = False
    try:
        yield Command([sys.executable, "-m", "venv", str(folder)], "making the environment")
        yield Command([str(python_in(folder)), "-m", "pip", "install", "--quiet", source], "installing supple")
        yield Command([str(python_in(folder)), "-m", "supple", "--version"], "starting supple")
        complete = True
    finally:
        if not complete:
            shutil.rmtree(folder, ignore_errors=True)
    return f"supple is installed in {folder}"
