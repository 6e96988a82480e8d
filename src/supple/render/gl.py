"""Whether VTK can draw here. Importing it proves nothing, and a missing GL library is a crash, not an error, so a child
process draws a ball and looks at the pixels."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

WINDOW = "VTK_DEFAULT_OPENGL_WINDOW"
"""Environment variable that says by which interface VTK gets its drawing surface."""
TIMEOUT = 60.0
"""Seconds that the child may take."""

# EGL needs no display; what VTK takes by itself may work where EGL does not
_WINDOWS = ("vtkEGLRenderWindow", None)
_BLANK = 3  # what the child returns when the picture is not as it should be
_MISSING = 4
_BALL = f"""
import sys
try:
    import pyvista
except ImportError:
    sys.exit({_MISSING})
plotter = pyvista.Plotter(off_screen=True, window_size=(32, 32), lighting="none")
plotter.set_background("red")
plotter.add_mesh(pyvista.Sphere(), color="blue", lighting=False)
pixels = plotter.screenshot(None, return_img=True)
sys.exit(0 if pixels[..., 2].max() > 200 and pixels[..., 0].max() > 200 else {_BLANK})
"""


@dataclass(frozen=True)
class Drawing:
    """The probe's answer."""

    works: bool
    window: str | None = None
    """Value for the variable WINDOW with which it works; None: as it is."""
    reason: str = ""
    """Why it does not work and what helps, in one line."""

    def prepare(self) -> None:
        """Let VTK take the window that works, in this process and its children."""
        if self.window is not None:
            os.environ[WINDOW] = self.window


@cache
def probe() -> Drawing:
    """Try it; the answer holds for the life of this process."""
    asked = os.environ.get(WINDOW)
    reason = ""
    for window in _WINDOWS if asked is None else (asked,):
        code = _draw(window)
        if code == 0:
            return Drawing(True, window)
        reason = _explain(code)
        if code == _MISSING:
            break
    return Drawing(False, reason=reason)


def _draw(window: str | None) -> int | None:
    """The child's return code; None if it took too long."""
    environment = dict(os.environ) if window is None else {**os.environ, WINDOW: window}
    try:
        return subprocess.run(
            [sys.executable, "-c", _BALL], capture_output=True, timeout=TIMEOUT, env=environment, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def _explain(code: int | None) -> str:
    if code == _MISSING:
        return "pyvista is not installed; get it with: pip install 'supple[render]'"
    if code is None:
        what = f"no picture after {TIMEOUT:.0f} s"
    elif code < 0:
        what = f"signal {-code}"
    elif code == _BLANK:
        what = "the picture stays empty"
    else:
        what = f"exit code {code}"
    return f"VTK cannot draw here ({what}); install a GL library, on Debian: apt install libegl1 libgl1"
