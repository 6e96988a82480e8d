"""Builds the archives of a release and tries them as a user would.

    python tools/package [FOLDER]

Writes the source archive and the wheel to FOLDER (dist) and checks their contents. Builds a wheel from the unpacked source
archive and compares it. Installs the wheel into an empty environment outside the checkout and runs commands there.
Exits with 1 and the reasons if anything is wrong. Requires the package index or a mirror for the requirements of supple.
"""

from __future__ import annotations

import sys
import tarfile
import tempfile
from pathlib import Path

from archives import ROOT, build, differences, files, problems
from fresh import Failed, install, try_commands


def check_archives(folder: Path) -> tuple[Path, list[str]]:
    """Both archives, checked; gives the wheel and sentences on problems."""
    wheel, source = build("wheel", folder), build("sdist", folder)
    said = []
    for archive in (source, wheel):
        found = problems(archive)
        size = archive.stat().st_size / 1e6
        print(f"{archive.name}: {size:.1f} MB, {len(files(archive))} files, {len(found)} problems")
        said += [f"{archive.name}: {sentence}" for sentence in found]
    return wheel, said


def check_rebuild(folder: Path, wheel: Path) -> list[str]:
    """A wheel from the source archive, compared with the one from the checkout."""
    (source,) = folder.glob(f"{wheel.name.split('-py3')[0]}.tar.gz")
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(source) as archive:
            archive.extractall(place, filter="data")
        (unpacked,) = Path(place).iterdir()
        found = differences(wheel, build("wheel", Path(place) / "dist", unpacked))
    print(f"wheel from the source archive: {'the same contents' if not found else f'{len(found)} files differ'}")
    return [f"{name} differs in the wheel that the source archive builds" for name in found]


def main(words: list[str]) -> int:
    folder = Path(words[0] if words else ROOT / "dist").resolve()
    wheel, said = check_archives(folder)
    said += check_rebuild(folder, wheel)
    if not said:
        with tempfile.TemporaryDirectory(prefix="supple-package-") as place:
            print("installed into an empty environment:", flush=True)
            try:
                try_commands(install(wheel, Path(place)), Path(place))
            except Failed as failure:
                said.append(str(failure))
    print(*said, sep="\n", end="\n" if said else "", file=sys.stderr)
    print("not ready" if said else f"ready: {wheel.parent}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
