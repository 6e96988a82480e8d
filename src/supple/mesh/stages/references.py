"""What the layers of a USD stage refer to, looked at before the stage is composed: composing reads all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from supple.errors import MeshError
from supple.paths import PathRefused, is_address, refusal

CLIPS = ("assetPaths", "manifestAssetPath", "templateAssetPath")
"""Keys of value clips that name layers."""


def check_references(path: Path) -> None:
    """Refuse a stage with a layer that leads out of its folder: sublayers, references, payloads and value clips, in variants
    too, and those of the layers that they name."""
    from pxr import Sdf

    seen: set[str] = set()
    waiting = [str(path)]
    while waiting:
        name = waiting.pop()
        layer = Sdf.Layer.FindOrOpen(name)
        if layer is None or layer.identifier in seen:  # composing reports what is missing
            continue
        seen.add(layer.identifier)
        layer.Reload()  # this process may have read it before
        for asset in _assets(layer):
            reason = _refused(layer, asset, path)
            if reason:
                raise PathRefused(f"{path}: refers to '{asset}', which {reason}")
            waiting.append(Sdf.ComputeAssetPathRelativeToLayer(layer, asset))


def check_used(path: Path, stage: Any) -> None:
    """Refuse a composed stage with a layer from elsewhere, however it was named."""
    for layer in stage.GetUsedLayers():
        if layer.realPath and (reason := refusal(_file(layer.realPath), path.parent)):
            raise PathRefused(f"{path}: refers to '{layer.realPath}', which {reason}")


def _refused(layer: Any, asset: str, path: Path) -> str:
    from pxr import Sdf

    if asset.startswith("`"):
        return "is an expression; write the path itself"
    if is_address(asset):
        return refusal(asset, path.parent)
    return refusal(_file(Sdf.ComputeAssetPathRelativeToLayer(layer, asset)), path.parent)


def _file(name: str) -> str:
    """The file of a layer: without arguments for its format, and without a place inside a package."""
    from pxr import Ar, Sdf

    bare = Sdf.Layer.SplitIdentifier(name)[0]
    return str(Ar.SplitPackageRelativePathOuter(bare)[0]) if Ar.IsPackageRelativePath(bare) else str(bare)


def _assets(layer: Any) -> Iterator[str]:
    yield from filter(None, layer.GetCompositionAssetDependencies())
    found: list[str] = []

    def look(at: Any) -> None:
        spec = layer.GetPrimAtPath(at) if at.IsPrimPath() or at.IsPrimVariantSelectionPath() else None
        if spec is not None and spec.HasInfo("clips"):
            found.extend(_clip_assets(spec.GetInfo("clips")))

    layer.Traverse(layer.pseudoRoot.path, look)
    yield from found


def _clip_assets(clips: Any) -> Iterator[str]:
    try:
        for one in dict(clips).values():
            for key in CLIPS:
                value = dict(one).get(key, ())
                several = [value] if isinstance(value, str) or hasattr(value, "path") else value
                yield from filter(None, (str(getattr(asset, "path", asset)) for asset in several))
    except (TypeError, ValueError) as error:
        raise MeshError(f"value clips cannot be understood: {error}; export the stage again") from error
