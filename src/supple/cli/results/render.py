"""The work of `supple render` after all checks: choose a renderer, draw, and report the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.render.gl import Drawing
    from supple.render.looks.look import Look
    from supple.render.shot import Shot
    from supple.types import Array


def choose_renderer(renderer: str, console: Console, look: Look | None = None) -> tuple[str, Drawing]:
    """The renderer to use. VTK is better for the scientific look, but must first pass a test drawing in a separate process. The
    built-in renderer is better for the soft shadows and clear bodies of the shaded looks."""
    from supple.errors import BackendMissing
    from supple.render.gl import Drawing, probe

    if renderer == "plain" or (renderer == "auto" and look is not None and look.shaded):
        return "plain", Drawing(False)
    drawing = probe()
    if drawing.works:
        return "vtk", drawing
    if renderer == "vtk":
        raise BackendMissing(f"--renderer vtk: {drawing.reason}; or use --renderer plain")
    console.print(f"using the plain renderer; for a better one: {drawing.reason}", markup=False)
    return "plain", drawing


def write_pictures(
    shot: Shot,
    times: Array,
    to: Path,
    fps: float,
    renderer: str,
    drawing: Drawing,
    workers: int | None,
    scheduler: str | None,
    console: Console,
) -> dict[str, Any]:
    """Draw all pictures into the file."""
    from time import perf_counter

    from supple.cli.analyse.output import progress
    from supple.render.video import kind_of, played_fps, write_film
    from supple.sweeps.pictures.crew import open_crew

    began, count = perf_counter(), len(times)
    with (
        open_crew(shot, times, renderer, drawing, workers, scheduler) as crew,
        progress(console, to.name, count) as show,
    ):

        def drawn(k: int) -> None:
            show(k + 1, f"{k + 1} of {count}, t {times[k]:.2f} s")

        write_film(crew.pictures, to, fps, drawn)
    seconds = perf_counter() - began
    played = played_fps(kind_of(to), fps)
    console.print(
        f"{to}: {count} picture{'' if count == 1 else 's'} of {shot.layout.width}x{shot.layout.height} by the "
        f"{renderer} renderer in {seconds:.1f} s", markup=False,
    )  # fmt: skip
    if abs(played - fps) > 1e-3 * fps:
        console.print(f"a GIF times frames in hundredths of a second: it plays at {played:.3g} fps", markup=False)
    return {
        "file": str(to),
        "frames": count,
        "fps": fps,
        "slow": shot.slow,
        "look": shot.look.name,
        "size": [shot.layout.width, shot.layout.height],
        "renderer": renderer,
        "workers": crew.workers,
        "seconds": seconds,
        "colour_top": shot.colouring.top if shot.colouring.shown else None,
    }
