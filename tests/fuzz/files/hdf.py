"""Damage inside sound containers: arrays of an animation, entries of a checkpoint whose digest is right."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz.files.garbling import garbled

MAGIC = b"supple checkpoint 1\n"
ODD: tuple[Any, ...] = (-1, 10**12, 2**31, np.nan, np.inf, 1e300, 0, 7)


def changed_animation(file: Path, folder: Path, random: Random) -> str:
    """Change one array or attribute; returns what."""
    import h5py

    with h5py.File(file, "r+", libver=("earliest", "latest")) as root:
        names: list[str] = []
        root.visit(names.append)
        name = random.choice(names)
        entry = root[name]
        kind = random.choice(
            ("gone", "shape", "type", "values", "huge", "outside", "text", "attribute", "group", "objects")
        )
        if kind == "attribute":
            owner = random.choice([root["supple"], root["VTKHDF"], root["VTKHDF/Steps"]])
            key = random.choice(list(owner.attrs) or ["a"])
            del owner.attrs[key]
            value = random.choice(
                (
                    None,
                    "",
                    "x" * 1000,
                    -1,
                    10**15,
                    [1, 2],
                    "9999999999 bar",
                    "bar",
                    "-3 bar",
                    '{"keys": 3}',
                    "[[",
                    "[" * 3000,
                )
            )
            if value is not None:
                owner.attrs[key] = value
            return f"{key} = {str(value)[:20]}"
        if kind == "values" and isinstance(entry, h5py.Dataset) and entry.size:
            with np.errstate(all="ignore"):
                rows = entry[...]
                rows.flat[random.randrange(rows.size)] = np.array(random.choice(ODD)).astype(rows.dtype)
            entry[...] = rows
            return f"{name}: an odd value"
        del root[name]
        _replace(root, name, kind, folder)
        return f"{name}: {kind}"


def _replace(root: Any, name: str, kind: str, folder: Path) -> None:
    import h5py

    if kind == "shape":
        root[name] = np.zeros((3, 2, 1))
    elif kind == "type":
        root[name] = np.array([b"abc", b"de"])
    elif kind == "huge":
        root.create_dataset(name, (10**11, 3), "<f4", chunks=(1000, 3), compression="gzip")
    elif kind == "outside":
        root[name] = h5py.ExternalLink(str(folder / "secret.txt"), "/")
    elif kind == "text":
        root[name] = "a text"
    elif kind == "group":
        root.create_group(name)
    elif kind == "objects":
        root.create_dataset(name, (3,), h5py.vlen_dtype(np.int32))


def resealed(data: bytes, random: Random) -> bytes:
    """A checkpoint with other content and the digest of that."""
    body = data[len(MAGIC) + 32 :]
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(made, "w") as new:
        chosen = random.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            if name == chosen:
                if random.random() < 0.2:
                    continue
                content = _other_meta(content, random) if name == "meta.npy" else garbled(content, random)
            new.writestr(name, content)
    body = made.getvalue()
    return MAGIC + blake2b(body, digest_size=32).digest() + body


def _other_meta(content: bytes, random: Random) -> bytes:
    meta = json.loads(np.load(io.BytesIO(content)).tobytes())
    key = random.choice(list(meta))
    if random.random() < 0.3:
        del meta[key]
    else:
        meta[key] = random.choice((None, -1, 10**9, "a", [], {}, 1e300, float("nan")))
    made = io.BytesIO()
    np.save(made, np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8))
    return made.getvalue()
