"""What `supple render` does once all is settled: choose a renderer, draw, and say what was made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.render.gl import Drawing
    from supple.render.pictures import Picture
    from supple.render.shot import Shot
    from supple.types import Array


def choose_renderer(renderer: str, console: Console) -> tuple[str, Drawing]:
    """The renderer to take; the better one only after it has drawn something in a process of its own."""
    from supple.errors import BackendMissing
    from supple.render.gl import Drawing, probe

    if renderer == "plain":
        return "plain", Drawing(False)
    drawing = probe()
    if drawing.works:
        return "vtk", drawing
    if renderer == "vtk":
        raise BackendMissing(f"--renderer vtk: {drawing.reason}; or take --renderer plain")
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
    console: Console,
) -> dict[str, Any]:
    """Draw all pictures into the file, unless Ctrl-C comes first; then no file is left behind."""
    from contextlib import closing
    from time import perf_counter

    from supple.cli.analyse.output import progress
    from supple.cli.output import stop_requests
    from supple.render.frames import draw_frames, good_workers
    from supple.render.sequence import in_a_row, is_sequence
    from supple.render.video import kind_of, open_video, played_fps

    workers = min(workers or good_workers(len(times)), len(times))
    began = perf_counter()
    drawn = draw_frames(shot, [float(t) for t in times], renderer, drawing, workers)
    with (
        stop_requests() as asked,
        progress(console, to.name, len(times)) as show,
        open_video(to, fps) as add,
        closing(drawn) as pictures,
    ):
        row = len(times) > 1 and kind_of(to) == ".png" and not is_sequence(to)
        kept: list[Picture] = []
        for k, picture in enumerate(pictures):
            (kept.append if row else add)(picture)
            show(k + 1, f"t {times[k]:.2f} s")
            if asked and k + 1 < len(times):
                raise typer.Exit(130)
        if row:
            add(in_a_row(kept))
    seconds = perf_counter() - began
    played = played_fps(kind_of(to), fps)
    console.print(
        f"{to}: {len(times)} picture{'' if len(times) == 1 else 's'} of {shot.width}x{shot.height} by the "
        f"{renderer} renderer in {seconds:.1f} s", markup=False,
    )  # fmt: skip
    if abs(played - fps) > 1e-3 * fps:
        console.print(f"a GIF counts hundredths of a second: it plays {played:.3g} pictures a second", markup=False)
    return {
        "file": str(to),
        "frames": len(times),
        "fps": fps,
        "slow": shot.slow,
        "size": [shot.width, shot.height],
        "renderer": renderer,
        "workers": workers,
        "seconds": seconds,
        "colour_top": shot.colouring.top if shot.colouring.shown else None,
    }
