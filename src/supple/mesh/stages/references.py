"""References in the layers of a USD stage, checked before the stage is composed: composing reads all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from supple.errors import MeshError
from supple.mesh.stages.composed import demand_few_prims
from supple.mesh.stages.tried import demand_readable
from supple.paths import PathRefused, is_address, refusal

CLIPS = ("assetPaths", "manifestAssetPath", "templateAssetPath")
"""Keys of value clips that name layers."""


def check_references(path: Path) -> None:
    """Reject a stage with a layer outside its folder: sublayers, references, payloads and value clips, also in
    variants, and recursively in the layers that they name."""
    from pxr import Sdf

    seen: dict[str, Any] = {}
    named: dict[str, Any] = {}
    waiting = [str(path)]
    while waiting:
        name = waiting.pop()
        demand_readable(name, _file(name))
        layer = Sdf.Layer.FindOrOpen(name)
        if layer is None:  # composing reports missing layers
            continue
        named[name] = layer
        if layer.identifier in seen:
            continue
        seen[layer.identifier] = layer
        layer.Reload()  # this process may have read it before
        for asset in _assets(layer):
            reason = _refused(layer, asset, path)
            if reason:
                raise PathRefused(f"{path}: refers to '{asset}', which {reason}")
            waiting.append(str(Sdf.ComputeAssetPathRelativeToLayer(layer, asset)))
    demand_few_prims(path, named)


def check_used(path: Path, stage: Any) -> None:
    """Reject a composed stage with a layer from elsewhere, however it was named."""
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
    """The file of a layer: without format arguments, and without a path inside a package."""
    from pxr import Ar, Sdf

    bare = Sdf.Layer.SplitIdentifier(name)[0]
    return str(Ar.SplitPackageRelativePathOuter(bare)[0]) if Ar.IsPackageRelativePath(bare) else str(bare)


def _assets(layer: Any) -> list[str]:
    """Files that a layer names. First its entries are looked at: pxr ends the process at a child that is not there."""
    found: list[str] = []
    broken: list[str] = []

    def look(at: Any) -> None:
        is_prim = at.IsPrimPath() or at.IsPrimVariantSelectionPath()
        if at.isEmpty or ((is_prim or at.IsPropertyPath()) and layer.GetObjectAtPath(at) is None):
            broken.append(str(at))
            return
        spec = layer.GetPrimAtPath(at) if is_prim else None
        if spec is not None and spec.HasInfo("clips"):
            found.extend(_clip_assets(spec.GetInfo("clips")))

    layer.Traverse(layer.pseudoRoot.path, look)
    if broken:
        raise MeshError(
            f"{layer.GetDisplayName()}: its table of contents names {len(broken)} prims or properties that it does not have "
            f"(first: '{broken[0]}'); it is damaged, export it again"
        )
    return [*filter(None, layer.GetCompositionAssetDependencies()), *found]


def _clip_assets(clips: Any) -> Iterator[str]:
    try:
        for one in dict(clips).values():
            for key in CLIPS:
                value = dict(one).get(key, ())
                several = [value] if isinstance(value, str) or hasattr(value, "path") else value
                yield from filter(None, (str(getattr(asset, "path", asset)) for asset in several))
    except (TypeError, ValueError) as error:
        raise MeshError(f"value clips cannot be understood: {error}; export the stage again") from error
