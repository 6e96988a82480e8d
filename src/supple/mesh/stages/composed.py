"""How many prims a stage may have when it is composed, estimated before: references can double it with every line.

A prim has those of its children and of all prims that it refers to, through references, payloads, inherited and specialised
prims, and in all variants. Twenty prims that each refer to the one before twice make a million.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supple.errors import MeshError

MOST_PRIMS = 200_000
"""Largest estimate; pxr takes about 5 kB and 0.1 ms per prim."""
LISTS = ("explicitItems", "addedItems", "prependedItems", "appendedItems")


def demand_few_prims(path: Path, layers: Mapping[str, Any]) -> None:
    """Reject a stage that would have too many prims; `layers`: all layers that it names, by their identifiers, the first
    one being its root."""
    counting = _Counting(dict(layers))
    root = next(iter(layers.values()), None)
    try:
        count = 0 if root is None else sum(counting.size(root, spec.path) for spec in counting.specs(root, "/"))
    except RecursionError:
        raise MeshError(f"{path}: its prims and references are nested too deeply; flatten the stage first") from None
    if count > MOST_PRIMS:
        raise MeshError(
            f"{path}: its references make more than {MOST_PRIMS:,} prims; supple reads smaller stages: export a part of it"
        )


class _Counting:
    """Sizes of prims, each computed once."""

    def __init__(self, layers: dict[str, Any]) -> None:
        self._layers = layers
        self._sizes: dict[tuple[str, str], int] = {}

    def specs(self, layer: Any, path: Any) -> list[Any]:
        """Descriptions of a prim in a layer and in its sublayers."""
        found, seen, waiting = [], set(), [layer]
        while waiting:
            at = waiting.pop()
            if at is None or at.identifier in seen:
                continue
            seen.add(at.identifier)
            spec = at.pseudoRoot if path == "/" else at.GetPrimAtPath(path)
            found += [] if spec is None else list(spec.nameChildren) if path == "/" else [spec]
            waiting += [self._named(at, name) for name in at.subLayerPaths]
        return found

    def size(self, layer: Any, path: Any) -> int:
        """Prims at a path and below it, at most; a prim that refers to itself, which pxr refuses, counts once."""
        key = (layer.identifier, str(path))
        if key not in self._sizes:
            self._sizes[key] = 1
            specs = self.specs(layer, path)
            below = {str(child.path): child.path for spec in specs for child in spec.nameChildren}
            below |= {str(variant): variant for spec in specs for variant in _variants(spec)}
            total = 1 + sum(self.size(layer, child) for child in below.values())
            total += sum(
                self.size(*place)
                for spec in specs
                for target in self._targets(layer, spec)
                for place in self._all(*target)
            )
            self._sizes[key] = min(total, MOST_PRIMS + 1)
        return self._sizes[key]

    def _all(self, layer: Any, path: Any) -> list[tuple[Any, Any]]:
        """A place, and all from which it is made because a prim above it refers to another one."""
        found: dict[tuple[str, str], tuple[Any, Any]] = {}
        waiting = [(layer, path)]
        while waiting:
            at, here = waiting.pop()
            if (at.identifier, str(here)) in found:
                continue
            found[at.identifier, str(here)] = (at, here)
            above = here.GetParentPath()
            while above.IsPrimPath():
                targets = [target for spec in self.specs(at, above) for target in self._targets(at, spec)]
                waiting += [(to, here.ReplacePrefix(above, there)) for to, there in targets]
                above = above.GetParentPath()
        return list(found.values())

    def _targets(self, root: Any, spec: Any) -> Iterator[tuple[Any, Any]]:
        """Layers and paths that a prim refers to."""
        from pxr import Sdf

        for editor in (spec.referenceList, spec.payloadList):
            for arc in _items(editor):
                layer = self._named(spec.layer, arc.assetPath) if arc.assetPath else root
                if layer is None or (arc.primPath.isEmpty and not layer.defaultPrim):
                    continue
                yield layer, Sdf.Path(f"/{layer.defaultPrim}") if arc.primPath.isEmpty else arc.primPath
        for editor in (spec.inheritPathList, spec.specializesList):
            yield from ((root, path) for path in _items(editor))

    def _named(self, layer: Any, asset: str) -> Any:
        from pxr import Sdf

        return self._layers.get(str(Sdf.ComputeAssetPathRelativeToLayer(layer, asset)))


def _items(editor: Any) -> list[Any]:
    return [item for name in LISTS for item in getattr(editor, name)]


def _variants(spec: Any) -> Iterator[Any]:
    for name, variants in spec.variantSets.items():
        for variant in variants.variants:
            yield spec.path.AppendVariantSelection(name, variant.name)
