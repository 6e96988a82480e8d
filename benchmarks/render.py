"""Cost of a picture: a film of 60 frames at 960x540 of a wobbling ball with 5,120 triangles on its surface.

    python benchmarks/render.py [--frames 60] [--size 960x540] [--renderers vtk,plain] [--workers 1,2] [--json]

Seconds per frame over the whole film, including MP4, without the start: `start_s` is the time until the first picture, and
`probe_s` that of the GL probe. `cpu_s_a_frame` is the CPU time of drawing, without the encoder. The motion is a formula; nothing
is simulated.
With --json the last line is a list of {"renderer", "workers", "frames", "seconds_a_frame", "cpu_s_a_frame", "start_s",
"probe_s"}.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from supple.mesh.shapes.round import Ball
from supple.recording.animation import AnimationWriter
from supple.recording.cells import Cells
from supple.recording.film import body_ranges, open_film
from supple.recording.folder import RunFolder
from supple.render.camera import CAMERAS
from supple.render.frames import draw_frames
from supple.render.gl import Drawing, probe
from supple.render.shot import film_times, make_shot, read_size
from supple.render.video import open_video

FPS = 30.0


def record(path: Path, frames: int) -> RunFolder:
    """A ball that is squeezed and stretched in turns."""
    mesh = Ball(radius=0.1, centre=(0.0, 0.1, 0.0), resolution=16).mesh()
    folder = RunFolder.create(path)
    metadata = {"up": "y", "scene": "wobbling ball", "bodies": body_ranges([("ball", mesh.n)])}
    writer = AnimationWriter.create(folder.animation, Cells.of(mesh), mesh.n, frames, metadata)
    for k in range(frames):
        stretch = 0.25 * np.sin(6 * k / FPS)
        x = mesh.vertices * (1 / np.sqrt(1 + stretch), 1 + stretch, 1 / np.sqrt(1 + stretch))
        writer.record(k / FPS, x, np.zeros_like(x), 100 * abs(stretch) * (0.2 - mesh.vertices[:, 1]))
    writer.close()
    folder.close()
    return folder


def measure(
    folder: RunFolder, size: tuple[int, int], renderer: str, drawing: Drawing, workers: int, out: Path
) -> dict[str, Any]:
    """One film."""
    with open_film(folder) as film:
        times = film_times([film], FPS)
        shot = make_shot([folder.path], [film], times, size, CAMERAS["iso"], "energy")
    began = time.perf_counter()
    first, worked = began, 0.0
    drawn = draw_frames(shot, [float(t) for t in times], renderer, drawing, workers)
    with open_video(out, FPS) as add, closing(drawn) as pictures:
        for k, picture in enumerate(pictures):
            if k == 0:
                first, worked = time.perf_counter(), time.process_time()
            add(picture)
    end, worked = time.perf_counter(), time.process_time() - worked
    return {
        "renderer": renderer,
        "workers": workers,
        "frames": len(times),
        "seconds_a_frame": (end - first) / (len(times) - 1),
        "cpu_s_a_frame": worked / (len(times) - 1) if workers == 1 else None,
        "start_s": first - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--size", default="960x540")
    parser.add_argument("--renderers", default="vtk,plain")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.perf_counter()
    drawing = probe()
    probed = time.perf_counter() - began
    print(f"probe: {'vtk works' if drawing.works else drawing.reason}, {probed:.1f} s")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = record(Path(name) / "run", options.frames)
        for renderer in options.renderers.split(","):
            for workers in map(int, options.workers.split(",")):
                if renderer == "vtk" and not drawing.works:
                    continue
                out = Path(name) / "film.mp4"
                row = measure(folder, read_size(options.size), renderer, drawing, workers, out)
                rows.append({**row, "probe_s": probed})
                print(
                    f"{renderer:<6} {workers} process{'es' if workers > 1 else '  '} "
                    f"{row['seconds_a_frame']:.3f} s per frame, first after {row['start_s']:.1f} s"
                    + (f"; {row['cpu_s_a_frame']:.3f} s of processor" if row["cpu_s_a_frame"] else "")
                )
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
