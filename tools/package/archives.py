"""The archives of a release: their build, their required contents and files that must be absent."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = {".py", ".pyi", ".typed", ".toml", ".js", ".css", ".csv", ".npz", ".obj", ".mtl"}
"""Suffixes of files in the package; a new kind of data belongs on this list."""
ABOUT = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
"""Files of a wheel about itself."""
BESIDE = {
    "CHANGELOG.md",
    "CITATION.cff",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    "PKG-INFO",
    ".gitignore",
}
"""Files of a source archive beside the package and its scenes."""
ESSENTIAL = {
    "supple/py.typed": "types for checkers and editors",
    "supple/__init__.pyi": "public names",
    "supple/model/presets/words.toml": "materials by words",
    "supple/gallery/page/gallery.css": "page of the gallery",
    "supple/render/report/plot.js": "page of a run",
    "supple/sweeps/report/table.js": "page of a sweep",
    "supple/scenes/jelly.toml": "default scene",
    "supple/scenes/potted-plant.obj": "meshes of scenes",
    "supple/scenes/fit-soft-part.npz": "data of scenes",
}
"""Files without which an installed command fails, and their purpose."""
STRAY = re.compile(
    r"(^|/)(tests?|benchmarks|integrations|\.venv[^/]*|__pycache__|\.numba_cache|\.[a-z]+_cache)/|\.(pyc|nbi|nbc)$"
)
"""Paths that no archive contains."""


def build(kind: str, folder: Path, source: Path = ROOT) -> Path:
    """The archive of a kind (`wheel` or `sdist`), built by the installed hatchling without a network."""
    folder.mkdir(parents=True, exist_ok=True)
    hook = f"import sys, hatchling.build; print(hatchling.build.build_{kind}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", hook, str(folder)], cwd=source, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{kind}: the build failed\n{done.stderr}")
    return folder / done.stdout.split()[-1]


def files(archive: Path) -> dict[str, bytes]:
    """Contents of an archive by path; those of a source archive without its outer folder."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    with tarfile.open(archive) as source:
        members = [(member.name.partition("/")[2], source.extractfile(member)) for member in source if member.isfile()]
        return {name: stream.read() for name, stream in members if stream}


def expected(source: Path = ROOT) -> set[str]:
    """Paths in a wheel, without those about itself: every file of the package and every scene."""
    found = set()
    for folder, prefix in ((source / "src" / "supple", "supple"), (source / "scenes", "supple/scenes")):
        kept = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
        found |= {f"{prefix}/{file.relative_to(folder).as_posix()}" for file in kept}
    return found


def problems(archive: Path) -> list[str]:
    """Sentences on missing and stray files; empty if the archive is right."""
    names = set(files(archive))
    if archive.suffix == ".whl":
        about = {name.partition(".dist-info/")[2] for name in names if ".dist-info/" in name}
        inside = {name for name in names if ".dist-info/" not in name}
        said = [f"no {name} in the dist-info" for name in sorted(ABOUT - about)]
    else:
        inside = {_installed(name) for name in names - BESIDE}
        said = [f"no {name}" for name in sorted(BESIDE - names)]
    said += [f"no {name} ({use})" for name, use in ESSENTIAL.items() if name not in inside]
    said += [f"no {name}" for name in sorted(expected() - inside - ESSENTIAL.keys())]
    said += [f"{name} does not belong here" for name in sorted(inside - expected())]
    said += [f"{name} is a cache or a test" for name in sorted(names) if STRAY.search(name.removeprefix("src/"))]
    said += [
        f"{name} is of an unknown kind: add it to KINDS" for name in sorted(inside) if Path(name).suffix not in KINDS
    ]
    return said


def _installed(name: str) -> str:
    """Path in the wheel of a file in the source archive."""
    return f"supple/{name}" if name.startswith("scenes/") else name.removeprefix("src/")


def differences(one: Path, other: Path) -> list[str]:
    """Paths whose contents differ between two archives of a kind."""
    first, second = files(one), files(other)
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
