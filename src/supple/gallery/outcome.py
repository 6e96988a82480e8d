"""Outcome of a panel, stored beside its pictures. A finished panel is not repeated."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from supple import __version__
from supple.gallery.desk import Picture
from supple.gallery.panel import Panel
from supple.gallery.verdicts import Bound, Figure, Verdict
from supple.recording.files import replace_bytes

NAME = "panel.json"


@dataclass(frozen=True)
class Outcome:
    """Figures, pictures and verdict of a panel."""

    id: str
    full: bool
    verdict: Verdict
    figures: tuple[Figure, ...] = ()
    pictures: tuple[Picture, ...] = ()
    seconds: float = 0.0
    error: str = ""
    digest: str = ""
    """Digest of the version and the file of the panel."""

    def write(self, folder: Path) -> None:
        replace_bytes(folder / NAME, json.dumps(_plain(asdict(self)), indent=1, allow_nan=False).encode())

    @classmethod
    def read(cls, folder: Path) -> Outcome | None:
        """None if no outcome is readable by this version."""
        try:
            data = json.loads((folder / NAME).read_text(encoding="utf-8"))
            figures = tuple(_figure(figure) for figure in data["figures"])
            pictures = tuple(Picture(**picture) for picture in data["pictures"])
            return cls(**{**data, "verdict": Verdict(data["verdict"]), "figures": figures, "pictures": pictures})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def whole(self, folder: Path) -> bool:
        """Whether all its pictures exist."""
        return all((folder / file).is_file() for picture in self.pictures for file in picture.files)


def digest_of(panel: Panel, full: bool) -> str:
    """Changes with the version, the size and the file of the panel, so an outdated result is not reused."""
    source = inspect.getsource(sys.modules[type(panel).__module__])
    return hashlib.sha256(f"{__version__} {full}\n{source}".encode()).hexdigest()[:16]


def _figure(data: dict[str, Any]) -> Figure:
    bound = data["bound"]
    made = None if bound is None else Bound(float(bound["low"]), float(bound["high"]))
    return Figure(**{**data, "value": float(data["value"]), "bound": made})


def _plain(value: Any) -> Any:
    """JSON has no infinities."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value
