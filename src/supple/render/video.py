"""Writes pictures to files: MP4 (H.264, which browsers play), GIF, PNG, numbered PNGs. A file appears when it is complete."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from supple.errors import BackendMissing, SuppleError, did_you_mean
from supple.interruption.children import deaf_children
from supple.interruption.placing import put, under_way
from supple.recording.files import trouble, unwritten
from supple.render.pictures import Picture
from supple.render.sequence import check_sequence, in_a_row, is_sequence, open_sequence

if TYPE_CHECKING:
    from PIL.Image import Image

SEQUENCE = "%d.png"
"""File kind: a sequence with one picture per file."""
FPS = {".mp4": 30.0, ".gif": 20.0, ".png": 1.0, SEQUENCE: 30.0}
"""Default frames per second of each kind of file."""
_PALETTE = 12  # pictures sampled for the palette of a GIF
_STAYS = 255  # colour index of unchanged pixels

Add = Callable[[Picture], None]


def check_target(path: Path, overwrite: bool = False) -> str:
    """The kind of file, by its suffix; all refusals happen here, before anything is drawn."""
    kind = kind_of(path)
    if kind not in FPS:
        found = f"'{path.suffix}'" if path.suffix else "no suffix"
        raise SuppleError(
            f"--to {path}: {found}{did_you_mean(kind, FPS)} known: .mp4, .gif, .png, and numbered pictures such as "
            "frames.%04d.png"
        )
    if not path.parent.is_dir():
        raise SuppleError(
            f"--to {path}: the folder {path.parent} does not exist; create it first, or choose another path"
        )
    if kind == SEQUENCE:
        check_sequence(path, overwrite)
        return kind
    if path.is_dir():
        raise SuppleError(f"--to {path}: is a folder; give a file name")
    if path.exists() and not overwrite:
        raise SuppleError(f"--to {path}: already exists; choose another name, or replace it with --overwrite")
    if kind == ".mp4" and find_spec("imageio_ffmpeg") is None:
        raise BackendMissing("MP4 needs imageio-ffmpeg: pip install 'supple[render]'; GIF and PNG work without")
    return kind


def kind_of(path: Path) -> str:
    """The suffix, or SEQUENCE."""
    return SEQUENCE if is_sequence(path) else path.suffix.lower()


def even_size(width: int, height: int) -> tuple[int, int]:
    """The next smaller size that H.264 with halved colour resolution can have."""
    return width - width % 2, height - height % 2


def played_fps(kind: str, fps: float) -> float:
    """Actual frame rate: a GIF times frames in hundredths of a second, at least two."""
    return 100.0 / _hundredths(fps) if kind == ".gif" else fps


@contextmanager
def open_video(path: Path, fps: float) -> Iterator[Add]:
    """Yields a function that adds a picture; an error or interruption inside leaves no file behind."""
    kind = kind_of(path)
    if kind == SEQUENCE:
        with open_sequence(path) as add:
            yield add
        return
    new = path.with_name(f".{path.stem}.part{kind}")
    write = {".mp4": _mp4, ".gif": _gif, ".png": _png}[kind]
    try:
        with under_way(new):
            with write(new, fps) as add:
                yield add
            put(new, path)
    except OSError as error:
        raise trouble(path, "write", error) from error


def write_film(pictures: Iterable[Picture], to: Path, fps: float, drawn: Callable[[int], None]) -> None:
    """All pictures into a file; several for one .png are placed side by side. `drawn` is called with the number of each; an
    exception in it leaves no file behind."""
    row: list[Picture] = []
    with open_video(to, fps) as add:
        for k, picture in enumerate(pictures):
            (row.append if kind_of(to) == ".png" else add)(picture)
            drawn(k)
        if row:
            add(in_a_row(row))


@contextmanager
def _mp4(path: Path, fps: float) -> Iterator[Add]:
    """The path is absolute: ffmpeg takes the word before a colon for a protocol, such as `pipe`."""
    import imageio_ffmpeg

    writer = None

    def add(picture: Picture) -> None:
        nonlocal writer
        if writer is None:
            height, width, _ = picture.shape
            writer = imageio_ffmpeg.write_frames(
                str(path.absolute()), (width, height), fps=fps, codec="libx264", pix_fmt_out="yuv420p", macro_block_size=2,
                output_params=["-crf", "20", "-movflags", "+faststart"], ffmpeg_log_level="error",
            )  # fmt: skip
            with deaf_children():
                writer.send(None)
        writer.send(np.ascontiguousarray(picture))

    try:
        yield add
    finally:
        if writer is not None:
            writer.close()
    if writer is not None and not _is_whole(path):
        raise unwritten(path, "ffmpeg")


def _is_whole(path: Path) -> bool:
    """Whether the boxes of an MP4 fill it, and its index is among them: ffmpeg may fail after the last picture."""
    if not path.is_file():
        return False
    found, place, size = set(), 0, path.stat().st_size
    with path.open("rb") as file:
        while place < size:
            file.seek(place)
            head = file.read(16)
            length, kind = int.from_bytes(head[:4], "big"), head[4:8]
            length = int.from_bytes(head[8:16], "big") if length == 1 else length  # beyond 4 GiB
            if length < 8:
                return False
            found.add(kind)
            place += length
    return place == size and {b"moov", b"mdat"} <= found


@contextmanager
def _png(path: Path, _: float) -> Iterator[Add]:
    from PIL.Image import fromarray

    yield lambda picture: fromarray(picture).save(path)


@contextmanager
def _gif(path: Path, fps: float) -> Iterator[Add]:
    """One palette for all pictures, so static parts keep their colours; pictures wait in a file until it is known."""
    with tempfile.TemporaryFile() as heap:
        shape: tuple[int, ...] = ()
        count = 0

        def add(picture: Picture) -> None:
            nonlocal shape, count
            shape, count = picture.shape, count + 1
            heap.write(picture.tobytes())

        yield add
        frames = _changes(heap, shape, count)
        # disposal 1 keeps the previous picture below the next one
        next(frames).save(
            path, save_all=True, append_images=frames, duration=10 * _hundredths(fps), loop=0, disposal=1,
            transparency=_STAYS, optimize=False,
        )  # fmt: skip


def _changes(heap: IO[bytes], shape: tuple[int, ...], count: int) -> Iterator[Image]:
    """The pictures in the colours of one palette; from the second on only the differences from the previous one."""
    from PIL.Image import Dither, fromarray

    palette = _palette(heap, shape, count)
    before: Picture | None = None
    for k in range(count):
        now = np.array(_read(heap, shape, k).quantize(palette=palette, dither=Dither.NONE))
        frame = fromarray(now if before is None else np.where(now == before, np.uint8(_STAYS), now))
        frame.putpalette(palette.getpalette() or [])
        before = now
        yield frame


def _read(heap: IO[bytes], shape: tuple[int, ...], k: int) -> Image:
    from PIL.Image import fromarray

    size = int(np.prod(shape))
    heap.seek(k * size)
    return fromarray(np.frombuffer(heap.read(size), dtype=np.uint8).reshape(shape))


def _palette(heap: IO[bytes], shape: tuple[int, ...], count: int) -> Image:
    """255 colours for all pictures, from some of them; one index is reserved for unchanged pixels."""
    from PIL.Image import fromarray

    some = np.unique(np.linspace(0, count - 1, _PALETTE).astype(int))
    rows = np.concatenate([np.asarray(_read(heap, shape, int(k))) for k in some])
    return fromarray(rows).quantize(_STAYS, kmeans=1)


def _hundredths(fps: float) -> int:
    return max(2, round(100 / fps))
