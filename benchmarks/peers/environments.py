"""Environments of the peers: one each, in a cache folder, with pinned versions.

    python benchmarks/peers/environments.py --environments FOLDER --peers mujoco,taichi

The folder is that of the option, else of the variable SUPPLE_PEERS, else `supple-peers` below the user's cache folder.
An environment is complete when it holds a file with the requirements that it was made from; any other is made anew.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

VARIABLE = "SUPPLE_PEERS"
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "supple": (),
    "mujoco": ("mujoco-core==4.0.0", "numpy==2.4.6"),
    "newton": ("newton==1.8.0", "warp-lang==1.19.0", "numpy==2.4.6"),
    "taichi": ("taichi==1.7.4", "numpy==2.4.6"),
    "pybullet": ("pybullet==3.2.7", "numpy==2.4.6"),
    "simkit": ("simkit==0.1.8", "numpy==2.4.6", "scipy==1.17.1"),
}
"""Packages that pip installs for each peer; supple runs in the environment of this script."""
MADE = "requirements.txt"
PATIENCE = 900.0
"""Longest time for an environment [s]."""


class NotInstallable(Exception):
    """Pip could not install a peer; the message is the last line with a reason."""


def default_folder() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get(VARIABLE) or cache / "supple-peers")


def interpreter(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment(peer: str, folder: Path) -> Path:
    """The Python of a peer, whose environment is made if it is missing or of other versions."""
    wanted = REQUIREMENTS[peer]
    if not wanted:
        return Path(sys.executable)
    place = folder / peer
    made, text = place / MADE, "\n".join(wanted) + "\n"
    if made.exists() and made.read_text(encoding="utf-8") == text:
        return interpreter(place)
    if place.exists():
        shutil.rmtree(place)
    venv.create(place, with_pip=True)
    install(interpreter(place), wanted)
    made.write_text(text, encoding="utf-8")
    return interpreter(place)


def install(python: Path, wanted: Sequence[str]) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise NotInstallable(f"pip took longer than {PATIENCE:.0f} s") from None
    if done.returncode:
        raise NotInstallable(reason(done.stderr))


def reason(output: str) -> str:
    """The last line of pip's output that reports an error."""
    errors = [line.strip() for line in output.splitlines() if "error" in line.lower()]
    return (errors or ["pip failed without a message"])[-1].removeprefix("ERROR: ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--environments", type=Path, default=default_folder(), metavar="FOLDER")
    parser.add_argument("--peers", default=",".join(REQUIREMENTS))
    options = parser.parse_args()
    for peer in options.peers.split(","):
        try:
            environment(peer, options.environments)
            print(f"{peer}: ready")
        except NotInstallable as problem:
            print(f"{peer}: {problem}")


if __name__ == "__main__":
    main()
