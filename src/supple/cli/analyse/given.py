"""Material constants on the command line: `mu=1e5` for all solids, `gent.mu=1e5` for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Given:
    """Constants by name: for one solid, or for every solid that has them."""

    option: str
    values: dict[str, float]
    """`mu` or `gent.mu` -> value."""

    def of(self, label: str, names: Iterable[str]) -> dict[str, float]:
        """Constants of one solid; specific ones take precedence."""
        found = {name: self.values[name] for name in names if name in self.values}
        return found | {name: self.values[f"{label}.{name}"] for name in names if f"{label}.{name}" in self.values}

    def demand_used(self, solids: dict[str, Sequence[str]]) -> None:
        """Refuse constants that no solid has."""
        from supple.errors import SuppleError

        known = {name for names in solids.values() for name in names}
        known |= {f"{label}.{name}" for label, names in solids.items() for name in names}
        if unknown := sorted(set(self.values) - known):
            parts = "; ".join(f"{label} has {', '.join(names)}" for label, names in solids.items())
            raise SuppleError(f"{self.option}: unknown constant {', '.join(unknown)}; {parts}")


def read_given(option: str, texts: list[str] | None) -> Given:
    """`mu=1e5` or `gent.mu=1e5`, several separated by commas."""
    from supple.errors import SuppleError

    values: dict[str, float] = {}
    for text in (part for one in texts or [] for part in one.split(",") if part.strip()):
        name, equals, value = text.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not (equals and name.strip() and abs(number) < float("inf")):
            raise SuppleError(f"{option}: found '{text.strip()}'; give NAME=NUMBER, such as mu=1e5 or gent.mu=1e5")
        values[name.strip()] = number
    return Given(option, values)
