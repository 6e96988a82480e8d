"""Strips of pictures: a labelled row per run, a column per time, all from the same camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.errors import SuppleError
from supple.interruption.placing import placed
from supple.recording.files import trouble
from supple.render.cameras.reading import read_camera
from supple.render.colouring import check_quantity
from supple.render.films import open_films
from supple.render.gl import probe
from supple.render.pictures import Picture, Pictures
from supple.render.sheet import Cell, Sheet
from supple.render.shot import make_shot
from supple.runs.results import Run

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

GAP = 2
"""Pixels between pictures."""
FONT = 17
INK = (34, 34, 34)


def write_strip(
    target: Path, runs: Mapping[str, Run], times: Sequence[float], size: tuple[int, int], camera: str, colour: str
) -> None:
    """Runs that ended early show their last frame."""
    if not runs or not times:
        raise SuppleError("strip: give at least one run and one time")
    drawn = _drawn([run.path for run in runs.values()], times, size, camera, colour)
    labels = list(runs) if len(runs) > 1 else []
    try:
        with placed(target) as new:
            _arranged(drawn, labels, [f"{t:.3g} s" for t in times], size).save(new, optimize=True)
    except OSError as error:
        raise trouble(target, "write", error) from error


def _drawn(
    places: list[Path], times: Sequence[float], size: tuple[int, int], camera: str, colour: str
) -> list[list[Picture]]:
    """Pictures by run and time."""
    row = Sheet(tuple(Cell(0, k, place) for k, place in enumerate(places)), ("",) * len(places), ("",))
    with open_films(places) as films:
        shot = make_shot(places, films, np.array(times), size, read_camera(camera), check_quantity(colour), sheet=row)
    drawing = probe()
    drawing.prepare()
    with Pictures(shot, "vtk" if drawing.works else "plain") as pictures:
        return [[pictures.panel(k, t) for t in times] for k in range(len(places))]


def _arranged(drawn: list[list[Picture]], labels: list[str], heads: list[str], size: tuple[int, int]) -> Image:
    from PIL import Image as images
    from PIL import ImageDraw

    font = _font()
    left = max((int(font.getlength(line)) for label in labels for line in label.split("\n")), default=-12) + 12
    top, (wide, high) = int(1.6 * FONT), size
    sheet = images.new("RGB", (left + len(heads) * (wide + GAP) - GAP, top + len(drawn) * (high + GAP) - GAP), "white")
    pen = ImageDraw.Draw(sheet)
    for column, head in enumerate(heads):
        pen.text((left + column * (wide + GAP) + wide // 2, top // 2), head, INK, font, anchor="mm")
    for row, pictures in enumerate(drawn):
        down = top + row * (high + GAP)
        if labels:
            pen.multiline_text((4, down + high // 2), labels[row], INK, font, anchor="lm")
        for column, picture in enumerate(pictures):
            sheet.paste(images.fromarray(picture), (left + column * (wide + GAP), down))
    return sheet


def _font() -> FreeTypeFont:
    from matplotlib.font_manager import findfont
    from PIL import ImageFont

    return ImageFont.truetype(findfont("DejaVu Sans"), FONT)
