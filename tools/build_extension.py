"""Build the Blender extension: a zip with the manifest at its top, as Blender's preferences install it.

    python tools/build_extension.py [FOLDER]        # FOLDER/supple-VERSION.zip; build/ if absent

The files have a fixed date and order, so that the same sources give the same bytes.
"""

import sys
import tomllib
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "integrations" / "blender"
DATE = (2026, 1, 1, 0, 0, 0)


def build(folder: Path) -> Path:
    """The path of the zip."""
    manifest = tomllib.loads((SOURCE / "blender_manifest.toml").read_text(encoding="utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"{manifest['id']}-{manifest['version']}.zip"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(SOURCE.rglob("*")):
            if file.is_file() and (file.suffix in (".py", ".toml") or file.name == "LICENSE"):
                entry = zipfile.ZipInfo(file.relative_to(SOURCE).as_posix(), DATE)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, file.read_bytes())
    return out


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1] if len(sys.argv) > 1 else 'build'))}\n")
