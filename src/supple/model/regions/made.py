"""What a region is made of: the law of the body's material with other moduli, or a hole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Len

from supple.checks import checked
from supple.errors import SuppleError
from supple.values import Poisson, Positive, Read

HOLE = "none"


@checked
@dataclass(frozen=True)
class RegionMaterial:
    """What a region is made of: the law of `body.material` with other moduli; what is absent is that of the body."""

    young: Positive | None = None
    """Young's modulus [Pa]."""
    poisson: Poisson | None = None
    """Poisson's ratio [-]."""
    density: Positive | None = None
    """[kg/m^3]"""
    removed: bool = False
    """Whether the tets of the region are taken out of the mesh; `"none"` instead of a table says the same."""

    def __post_init__(self) -> None:
        given = [key for key in ("young", "poisson", "density") if getattr(self, key) is not None]
        if self.removed and given:
            raise SuppleError(f"a hole has no {', '.join(given)}")


def _hole(value: Any) -> Any:
    return {"removed": True} if value == HOLE else value


Made = Annotated[RegionMaterial, Read(_hole, RegionMaterial | Literal["none"])]
ByNumber: TypeAlias = Annotated[dict[str, Made], Len(1)]


def check_numbers(materials: dict[str, RegionMaterial]) -> None:
    """Keys of materials by tag or value are whole numbers."""
    for key in materials:
        try:
            int(key)
        except ValueError:
            raise SuppleError(
                f"materials: keys are whole numbers in quotes or bare, found '{key}'; for names see `tag`"
            ) from None
