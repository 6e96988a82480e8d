"""Small films of runs side by side, with a still for pages that cannot play them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from supple.interruption.placing import placed
from supple.recording.files import trouble
from supple.render.cameras.reading import read_camera
from supple.render.colouring import check_quantity
from supple.render.films import open_films
from supple.render.frames import draw_frames
from supple.render.gl import probe
from supple.render.pictures import Picture
from supple.render.shot import film_times, make_shot
from supple.render.video import write_film
from supple.runs.results import Run

FPS = 25.0


def write_clip(
    target: Path, runs: Mapping[str, Run], size: tuple[int, int], camera: str, colour: str, slow: float
) -> None:
    """The film as MP4, and its middle frame as a PNG beside it."""
    places = [run.path for run in runs.values()]
    with open_films(places) as films:
        times = film_times(films, FPS * slow)
        view, quantity = read_camera(camera), check_quantity(colour)
        shot = make_shot(places, films, times, size, view, quantity, labels=list(runs), slow=slow)
    drawing = probe()
    renderer = "vtk" if drawing.works else "plain"
    with closing(draw_frames(shot, [float(t) for t in times], renderer, drawing)) as pictures:
        poster = target.with_suffix(".png")
        write_film(_with_poster(pictures, len(times) // 2, poster), target, FPS, lambda k: None)


def _with_poster(pictures: Iterator[Picture], middle: int, poster: Path) -> Iterator[Picture]:
    from PIL import Image

    for k, picture in enumerate(pictures):
        if k == middle:
            try:
                with placed(poster) as new:
                    Image.fromarray(picture).save(new, optimize=True)
            except OSError as error:
                raise trouble(poster, "write", error) from error
        yield picture
