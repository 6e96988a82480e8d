"""Whether VTK can draw on this machine. A successful import proves nothing, and a missing GL library crashes the process, so a
child process draws a ball and checks the pixels."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

WINDOW = "VTK_DEFAULT_OPENGL_WINDOW"
"""Environment variable that selects VTK's window interface."""
TIMEOUT = 60.0
"""Time limit of the child [s]."""

# EGL needs no display; VTK's default may work where EGL does not
_WINDOWS = ("vtkEGLRenderWindow", None)
_BLANK = 3  # exit code of the child for a wrong picture
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
    """Result of the probe."""

    works: bool
    window: str | None = None
    """Working value of the variable WINDOW; None: unchanged."""
    reason: str = ""
    """Why it does not work, with a remedy, in one line."""

    def prepare(self) -> None:
        """Select the working window interface of VTK, in this process and its children."""
        if self.window is not None:
            os.environ[WINDOW] = self.window


@cache
def probe() -> Drawing:
    """Probe once; the result is valid for the life of this process."""
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
            [sys.executable, "-P", "-c", _BALL], capture_output=True, timeout=TIMEOUT, env=environment, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def _explain(code: int | None) -> str:
    if code == _MISSING:
        return "pyvista is not installed; install it with: pip install 'supple[render]'"
    if code is None:
        what = f"no picture after {TIMEOUT:.0f} s"
    elif code < 0:
        what = f"signal {-code}"
    elif code == _BLANK:
        what = "the picture is empty"
    else:
        what = f"exit code {code}"
    return f"VTK cannot draw on this machine ({what}); install a GL library, on Debian: apt install libegl1 libgl1"
