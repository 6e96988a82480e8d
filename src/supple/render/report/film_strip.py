"""Pictures of the bodies: a row of stills of each run, or a short film."""

from __future__ import annotations

import base64
import io
import itertools
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import numpy as np

from supple.errors import SuppleError
from supple.escaping import markup as escape
from supple.interruption.placing import scratch
from supple.recording.film import open_film
from supple.render.camera import CAMERAS
from supple.render.colouring import Colouring
from supple.render.pictures import Picture, Pictures
from supple.render.report.account import Account
from supple.render.report.markup import number, paragraph
from supple.render.shot import Shot, make_shot
from supple.render.video import open_video, played_fps

STILLS = 6
SIZE, FILM_SIZE = (360, 240), (480, 320)
FPS, SLOWEST = 20.0, 8.0
"""Frames per second of a film; longer runs have fewer, and very long ones are played faster."""
LEAST_FRAMES, MOST_FRAMES = 20, 120
QUALITY = 90
"""JPEG quality of a still: shading stays smooth at a third of the size of a PNG."""


def films(accounts: Sequence[Account], names: Sequence[str], moving: bool) -> Iterator[str]:
    """A strip or a film for each run; or the reason why a run cannot be shown."""
    for account, name in zip(accounts, names, strict=True):
        heading = f"<h3>{escape(name)}</h3>\n" if len(accounts) > 1 else ""
        try:
            shown = _film(account, name) if moving else _strip(account, name)
        except SuppleError as problem:
            shown = paragraph(f"No pictures: {problem}", "quiet")
        yield heading + shown


def _strip(account: Account, name: str) -> str:
    times, shot = _survey(account, STILLS, SIZE)
    with Pictures(shot, "plain") as pictures:
        stills = [_still(_cropped(pictures.draw(t), shot), name, t) for t in times]
    return f'<div class="strip">{"".join(stills)}</div>\n{_meaning(shot.colouring)}'


def _film(account: Account, name: str) -> str:
    """MP4 where its library is installed, else GIF, which is larger."""
    kind = ".mp4" if find_spec("imageio_ffmpeg") else ".gif"
    times, shot = _survey(account, MOST_FRAMES, FILM_SIZE)
    motion = times[-1] - times[0]
    count = int(np.clip(round(FPS * motion), LEAST_FRAMES, MOST_FRAMES)) if motion else 1
    fps = float(np.clip(count / motion, SLOWEST, FPS)) if motion else FPS
    with scratch() as folder, Pictures(shot, "plain") as pictures:
        file = folder / f"film{kind}"
        drawn = (pictures.draw(float(t)) for t in np.linspace(times[0], times[-1], count))
        with open_video(file, fps) as add:
            poster = next(drawn)
            for picture in itertools.chain([poster], drawn):
                add(picture)
        data = base64.b64encode(file.read_bytes()).decode()
    speed = motion * played_fps(kind, fps) / count
    words = "" if abs(speed - 1.0) < 0.1 else f" Played at {speed:.2g} times real speed."
    return f'<div class="film">{_player(kind, data, poster, name)}</div>\n{_meaning(shot.colouring, words)}'


def _player(kind: str, data: str, poster: Picture, name: str) -> str:
    size = f'width="{poster.shape[1]}" height="{poster.shape[0]}"'
    if kind == ".gif":
        return f'<img alt="Film of {escape(name)}" src="data:image/gif;base64,{data}" {size}>'
    return (
        f'<video controls loop muted playsinline aria-label="Film of {escape(name)}" {size} '
        f'poster="{_address(poster)}" src="data:video/mp4;base64,{data}"></video>'
    )


def _survey(account: Account, count: int, size: tuple[int, int]) -> tuple[list[float], Shot]:
    """Evenly spread recorded times, and the view that shows the body at all of them."""
    with open_film(account.folder) as film:
        times = film.times[np.unique(np.linspace(0, len(film) - 1, count).round().astype(int))]
        shot = make_shot([account.folder.path], [film], times, size, CAMERAS["iso"], "energy", [""])
    return times.tolist(), shot


def _still(picture: Picture, name: str, t: float) -> str:
    return (
        f'<figure><img alt="{escape(name)} at {t:.3g} s" src="{_address(picture)}" '
        f'width="{picture.shape[1]}" height="{picture.shape[0]}"><figcaption>{t:.3g} s</figcaption></figure>'
    )


def _address(picture: Picture) -> str:
    """The picture as a JPEG data URL."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(picture).save(out, "JPEG", quality=QUALITY, subsampling=0, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()


def _cropped(picture: Picture, shot: Shot) -> Picture:
    """Without colour bar and clock, for which a small picture has no room; the page gives both as text."""
    return picture[shot.layout.panels[0].slices]


def _meaning(colouring: Colouring, more: str = "") -> str:
    top = number(colouring.top, colouring.unit)
    return paragraph(f"Colour: strain energy density, from blue (0) to red ({top} and more).{more}", "quiet")
