"""Takes docs/images/report.png: the report of a run of `jelly`, as a browser shows it.

    python tools/draw_report.py

It needs Chromium; the environment variable CHROMIUM names one that is not on the path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "report.png"
WIDTH, HEIGHT = 1180, 1190
"""Of the window [px]; the top of the page, down to the plots of energy."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=5000",
)


def chromium() -> str:
    """The browser."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return found or sys.exit("no Chromium here: install it, or name one with CHROMIUM=/path")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = [sys.executable, "-m", "supple", "run", "jelly", "--out", "jelly", "--report"]
        subprocess.run(run, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        shot = folder / "shot.png"
        page = (folder / "jelly" / "report.html").as_uri()
        command = [chromium(), *FLAGS, f"--user-data-dir={folder / 'profile'}"]
        command += [f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={shot}", page]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        # few colours, so that the picture stays small
        Image.open(shot).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
