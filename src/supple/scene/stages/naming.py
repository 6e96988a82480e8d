"""Names of bodies and obstacles, from those of their prims."""

from __future__ import annotations

from typing import Any


class Names:
    """Names already in use."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, prim: Any) -> str:
        """The name of a prim; with that of its parent, or a number, where the name is already used."""
        own, parent = str(prim.GetName()), prim.GetParent()
        longer = f"{parent.GetName()}-{own}" if parent and not parent.IsPseudoRoot() else own
        found, k = own if own not in self._taken else longer, 1
        while found in self._taken:
            k += 1
            found = f"{longer}-{k}"
        self._taken.add(found)
        return found
