"""Solids named on the command line: a registered name, a formula, or the body of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple.materials.material import Material

YOUNG, POISSON = 1e6, 0.45
"""Default moduli of named solids."""


@dataclass(frozen=True)
class Subject:
    """A solid under study."""

    label: str
    names: tuple[str, ...]
    """Values of its constants."""
    law: Any
    """A class of materials, or the text of a formula."""
    made: Material | None = None
    """The material of a scene; a formula there takes its constants from the scene alone."""

    def member(self, given: dict[str, float], young: float | None, poisson: float | None) -> Material:
        """The solid with these constants or moduli."""
        if self.made is not None:
            return self._of_scene(self.made, given, young, poisson)
        if isinstance(self.law, str):
            return self._of_formula(given, young, poisson)
        return self._of_class(given, young, poisson)

    def _of_scene(
        self, made: Material, given: dict[str, float], young: float | None, poisson: float | None
    ) -> Material:
        """The material of a scene with other constants or moduli."""
        from supple.errors import SuppleError
        from supple.materials.options import with_values

        changed = with_values(made, **given) if given else made
        if young is None and poisson is None:
            return changed
        if isinstance(self.law, str):
            raise SuppleError(f"{self.label}: a formula has no moduli to choose; change its constants with --set")
        old = changed.moduli or (YOUNG, POISSON)
        return changed.with_moduli(old[0] if young is None else young, old[1] if poisson is None else poisson)

    def _of_formula(self, given: dict[str, float], young: float | None, poisson: float | None) -> Material:
        """Constants without a value follow from the moduli, where these are given."""
        from supple.errors import SuppleError
        from supple.materials.formula_material import material
        from supple.materials.lame import bulk_and_shear, lame

        missing = [name for name in self.names if name not in given]
        known = set(missing) <= {"mu", "lam", "bulk"}
        if missing and (young is None or not known):
            hint = " (--young and --poisson give mu, lam and bulk)" if known else ""
            raise SuppleError(
                f"{self.label}: no value for {', '.join(missing)}; give --constant {missing[0]}=1e5{hint}"
            )
        if missing:
            both = young, POISSON if poisson is None else poisson
            moduli = dict(zip(("mu", "lam"), lame(*both), strict=True)) | {"bulk": bulk_and_shear(*both)[0]}
            given = {**{name: moduli[name] for name in missing}, **given}
        return material(self.label, self.law, **given)

    def _of_class(self, given: dict[str, float], young: float | None, poisson: float | None) -> Material:
        import dataclasses

        from supple.errors import SuppleError
        from supple.materials.options import fields_of, with_values

        required = [f.name for f in fields_of(self.law) if f.default is dataclasses.MISSING]
        direct = [name for name in required if name in given]
        moduli = {"--young": young, "--poisson": poisson}
        found = [option for option, value in moduli.items() if value is not None] + direct
        if direct and (len(direct) < len(required) or len(found) > len(direct)):
            raise SuppleError(
                f"{self.label}: give either all of {', '.join(required)} by --constant, or --young and --poisson; "
                f"found {', '.join(found)}"
            )
        if direct:
            made: Material = self.law(**given)
        else:
            made = self.law.from_young(YOUNG if young is None else young, POISSON if poisson is None else poisson)
            made = with_values(made, **given) if given else made
        return made


def read_subjects(texts: Sequence[str], settings: list[str]) -> list[Subject]:
    """All solids of the command, with unique labels."""
    subjects: list[Subject] = []
    for text in texts:
        one = _subject(text, settings, len([s for s in subjects if isinstance(s.law, str) and s.made is None]))
        if one.label not in [s.label for s in subjects]:
            subjects.append(one)
    return subjects


def _subject(text: str, settings: list[str], formulas: int) -> Subject:
    from supple.analysis.materials.family import is_name
    from supple.materials import MATERIALS
    from supple.materials.options import fields_of

    scene = _scene_of(text)
    if scene is not None:
        return _body(text, *scene, settings)
    if is_name(text):
        cls = MATERIALS.find(text)
        return Subject(text, tuple(f.name for f in fields_of(cls)), cls)
    label = f"formula {formulas + 1}" if formulas else "formula"
    return Subject(label, constants_of(text), text)


def _scene_of(text: str) -> tuple[str, str] | None:
    """Scene and body, if the text names a scene; a material of the same name takes precedence."""
    from supple.materials import MATERIALS
    from supple.scene.text.shipped import shipped_scenes

    name, _, body = text.rpartition(":") if ":" in text and not text.endswith(".toml") else (text, "", "")
    if text in MATERIALS.names() or not (name.endswith(".toml") or name in shipped_scenes()):
        return None
    return name, body


def _body(label: str, scene: str, body: str, settings: list[str]) -> Subject:
    from supple.errors import SuppleError, did_you_mean
    from supple.materials.material import Material
    from supple.materials.options import fields_of
    from supple.scene.text.load import load_scene

    bodies = load_scene(scene, settings).make().world.bodies
    known = {one.name or str(k): one for k, one in enumerate(bodies)}
    if not body and len(known) > 1:
        raise SuppleError(f"{label}: the scene has several bodies; give one, such as {scene}:{next(iter(known))}")
    found = next(iter(known.values())) if not body else known.get(body)
    if found is None:
        raise SuppleError(f"{label}: unknown body '{body}'{did_you_mean(body, known)} known: {', '.join(known)}")
    material = found.material
    if not isinstance(material, Material):
        name = getattr(material, "name", type(material).__name__)
        raise SuppleError(f"{label}: the body is made of '{name}', which is not a material for tets")
    if "energy" in [f.name for f in fields_of(material)]:
        return Subject(label, (), getattr(material, "energy", ""), material)
    return Subject(label, tuple(f.name for f in fields_of(material)), type(material), material)


def constants_of(formula: str) -> tuple[str, ...]:
    """Names in a formula that are neither variables nor functions, in the order in which they occur."""
    import ast

    from supple.errors import SuppleError
    from supple.formulas.operations import FUNCTIONS
    from supple.formulas.source import Source
    from supple.materials.formula import NAMES

    try:
        tree = Source(formula).tree()
    except ValueError as error:
        raise SuppleError(f"formula: {error}") from None
    words = sorted((n for n in ast.walk(tree) if isinstance(n, ast.Name)), key=lambda n: n.col_offset)
    return tuple(dict.fromkeys(n.id for n in words if n.id not in NAMES and n.id not in FUNCTIONS))
