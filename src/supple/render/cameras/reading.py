"""The text of `--camera`: a name, an orbit, a position and a target, or a camera from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.render.camera import CAMERAS, HALF_ANGLE, Aims, Camera
from supple.render.cameras.file_camera import SUFFIXES, FileCamera
from supple.render.cameras.placed import PlacedCamera

ORBIT = "orbit:"
WORDS = ("at", "to", "fov")
FORMS = (
    f"{', '.join(CAMERAS)}; azimuth,elevation[,zoom] in degrees, such as 30,20 or 30,20,1.5; "
    "orbit:azimuth,elevation[,distance factor]; at=x,y,z [to=x,y,z] [fov=degrees]; or a USD or glTF file[:camera]"
)


def read_camera(given: str | Aims) -> Aims:
    """A camera from its text; cameras made in Python pass through."""
    if not isinstance(given, str):
        return given
    text = given.strip()
    if text in CAMERAS:
        return CAMERAS[text]
    if text.startswith(ORBIT):
        return _orbit(text)
    file = _file(text)
    if file is not None:
        return file
    if "=" in text:
        return _placed(text)
    return _directed(text)


def _directed(text: str) -> Camera:
    numbers = _numbers(text)
    if numbers is None or len(numbers) not in (2, 3):
        raise SuppleError(f"--camera: found '{text}'{did_you_mean(text, CAMERAS)} give {FORMS}")
    return _checked(text, Camera(*numbers))


def _orbit(text: str) -> Camera:
    numbers = _numbers(text[len(ORBIT) :])
    if numbers is None or len(numbers) not in (2, 3):
        raise SuppleError(
            f"--camera: found '{text}'; give {ORBIT}azimuth,elevation[,distance factor], such as {ORBIT}30,20,1.5"
        )
    away = numbers[2] if len(numbers) == 3 else 1.0
    if not away > 0:
        raise SuppleError(f"--camera: found '{text}'; the distance factor must be above 0; 1 shows all of the film")
    return _checked(text, Camera(numbers[0], numbers[1], 1.0 / away))


def _checked(text: str, camera: Camera) -> Camera:
    if abs(camera.elevation) > 90 or not camera.zoom > 0:
        raise SuppleError(f"--camera: found '{text}'; the elevation must be from -90 to 90, the zoom above 0")
    return camera


def _placed(text: str) -> PlacedCamera:
    found: dict[str, list[float]] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        numbers = _numbers(value)
        count = 1 if key == "fov" else 3
        if key not in WORDS or not equals:
            raise SuppleError(f"--camera: found '{word}' in '{text}'{did_you_mean(key, WORDS)} known: at=, to=, fov=")
        if key in found:
            raise SuppleError(f"--camera: found {key}= twice in '{text}'; give it once")
        if numbers is None or len(numbers) != count:
            example = "fov=35" if key == "fov" else f"{key}=1,2,3"
            raise SuppleError(
                f"--camera: found '{word}'; give {key}= and {count} number{'s'[: count - 1]}, such as {example}"
            )
        found[key] = numbers
    if "at" not in found:
        raise SuppleError(f"--camera: found '{text}' without a position; add at=x,y,z")
    (fov,) = found.get("fov", [2 * HALF_ANGLE])
    if not 0 < fov < 180:
        raise SuppleError(
            f"--camera: found fov={fov:g}; the vertical angle of view must be above 0 and below 180 degrees"
        )
    to = found.get("to")
    return PlacedCamera(_point(found["at"]), None if to is None else _point(to), fov)


def _file(text: str) -> FileCamera | None:
    """None if the text is not a file name."""
    if Path(text).suffix.lower() in SUFFIXES:
        return FileCamera(Path(text))
    # the last colon, unless the name of the file itself has one
    for place in (k for k, sign in enumerate(text) if sign == ":"):
        if Path(text[:place]).suffix.lower() in SUFFIXES:
            if not text[place + 1 :]:
                raise SuppleError(
                    f"--camera: found '{text}' without a camera after the colon; omit the colon, or name a camera"
                )
            return FileCamera(Path(text[:place]), text[place + 1 :])
    return None


def _numbers(text: str) -> list[float] | None:
    """Finite numbers separated by commas; None for any other text."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        return None
    return numbers if np.all(np.isfinite(numbers)) else None


def _point(numbers: list[float]) -> tuple[float, float, float]:
    x, y, z = numbers
    return x, y, z
