"""The material of a region: the law of the body's material with other moduli, or a hole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Len

from supple.checks import checked
from supple.errors import SuppleError
from supple.model.presets.preset import Word
from supple.values import Poisson, Positive, Read

HOLE = "none"


@checked
@dataclass(frozen=True)
class RegionMaterial:
    """The material of a region: the law of `body.material` with other moduli; absent values are those of the body."""

    young: Positive | None = None
    """Young's modulus [Pa]."""
    poisson: Poisson | None = None
    """Poisson's ratio [-]."""
    density: Positive | None = None
    """Density [kg/m^3]."""
    removed: bool = False
    """Whether the tets of the region are removed from the mesh; equivalent to `"none"` instead of a table."""
    name: Word | None = None
    """A preset such as `fat`, which provides default moduli and density."""
    stiffer: Positive = 1.0
    """Factor on Young's modulus of the preset [-]."""
    denser: Positive = 1.0
    """Factor on the density of the preset [-]."""

    def __post_init__(self) -> None:
        given = [key for key in ("name", "young", "poisson", "density") if getattr(self, key) is not None]
        if self.removed and given:
            raise SuppleError(f"a hole has no {', '.join(given)}")
        factors = [key for key in ("stiffer", "denser") if getattr(self, key) != 1.0]
        if self.name is None and factors:
            raise SuppleError(
                f"{', '.join(factors)}: factors on the values of a preset; give name, or young and density"
            )

    @property
    def has_density(self) -> bool:
        """Whether its density differs from the body's."""
        return self.density is not None or self.name is not None


def _word(value: Any) -> Any:
    if value == HOLE:
        return {"removed": True}
    return {"name": value} if isinstance(value, str) else value


Made = Annotated[RegionMaterial, Read(_word, RegionMaterial | Literal["none"] | str)]
ByNumber: TypeAlias = Annotated[dict[str, Made], Len(1)]


def check_numbers(materials: dict[str, RegionMaterial]) -> None:
    """Check that keys of materials by tag or value are whole numbers."""
    for key in materials:
        try:
            int(key)
        except ValueError:
            raise SuppleError(
                f"materials: keys are whole numbers in quotes or bare, found '{key}'; for names see `tag`"
            ) from None
