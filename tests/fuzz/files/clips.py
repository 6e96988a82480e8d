"""Cases of files with motion."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.files.case import Case
from fuzz.files.clip_samples import document, frames_beside, samples
from fuzz.files.garbling import garbled

ODD: tuple[Any, ...] = (
    None, -1, 0, 1, 10**9, 10**12, 1e300, "a", "", [], {}, [0, 0, 0, 0], True, float("nan"), "../secret.bin", 1.5, 2**64,
)  # fmt: skip
OUTSIDE = (
    "http://127.0.0.1:9/a.bin",
    "file:///etc/passwd",
    "../secret.bin",
    "/etc/passwd",
    "link.bin",
    "..%2Fsecret.bin",
)


@cache
def known() -> dict[str, bytes]:
    return samples()


def clip_case(random: Random, folder: Path) -> Case:
    """A damaged file with motion in the folder."""
    place = folder / "in"
    place.mkdir(parents=True)
    (folder / "secret.bin").write_bytes(b"\0" * 4000)
    (place / "link.bin").symlink_to("../secret.bin")
    name = random.choice(sorted(known()))
    data, label = known()[name], f"{name}, garbled"
    chance = random.random()
    if name.endswith(".gltf") and chance < 0.7:
        data, label = json.dumps(_changed(random)).encode(), f"{name}, changed"
    elif name.endswith(".npz") and chance < 0.6:
        data, label = _member_garbled(data, random), f"{name}, a member garbled"
    elif name.endswith(".usda") and chance < 0.15:
        data, label = _referring(data, random), f"{name}, with references"
    elif chance < 0.97:
        data = garbled(data, random)
    (place / name).write_bytes(data)
    path = place / name
    if name == "walk_1.obj":
        frames_beside(place)
        path = place / "walk_*.obj"
    return Case(label, lambda: follow(path), "walk_" if name == "walk_1.obj" else name)


def _changed(random: Random) -> dict[str, Any]:
    """A document some of whose entries are odd."""
    made = document(embedded=True)
    for _ in range(random.choice((1, 1, 2, 3))):
        at: Any = made
        while isinstance(at, dict | list) and at:
            key = random.choice(list(at)) if isinstance(at, dict) else random.randrange(len(at))
            if not isinstance(at[key], dict | list) or not at[key] or random.random() < 0.2:
                if isinstance(at, dict) and random.random() < 0.3:
                    del at[key]
                else:
                    at[key] = random.choice(ODD)
                break
            at = at[key]
    if random.random() < 0.25 and isinstance(made.get("buffers"), list) and made["buffers"]:
        made["buffers"][0] = {"byteLength": 500, "uri": random.choice(OUTSIDE)}
    return made


def _member_garbled(data: bytes, random: Random) -> bytes:
    """One array of an archive damaged, the archive itself sound."""
    made = io.BytesIO()
    packing = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", packing) as new:
        chosen = random.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name == chosen:
                if random.random() < 0.2:
                    continue
                content = garbled(content, random)
            new.writestr(name, content)
    return made.getvalue()


def _referring(data: bytes, random: Random) -> bytes:
    """A stage that names other files."""
    uri = random.choice(("../secret.usda", "/etc/passwd", "http://127.0.0.1:9/a.usda", "a.usda", "missing.usda", "@"))
    arc = random.choice(("references", "payload"))
    extra = f'def Xform "More" (prepend {arc} = @{uri}@</Walker>)\n{{\n}}\n'.encode()
    return (
        data + extra if random.random() < 0.5 else data.replace(b"(\n", f"(\n    subLayers = [@{uri}@]\n".encode(), 1)
    )


def follow(path: Path) -> str:
    """Use of such a file by commands and scenes: list it, follow its objects and its skeletons."""
    from supple.clips.contents import contents
    from supple.clips.reading import open_clip_file, read_clip, read_rig

    found = contents(path)
    found.lines()
    file = open_clip_file(path)
    for name in file.objects[:3]:
        clip, _ = read_clip(path, name)
        clip.mesh()
        clip.seconds(24.0)
    for name in list(file.skeletons)[:2]:
        read_rig(path, name)
        if file.objects:
            read_rig(path, name, file.objects[-1])
    return found.file
