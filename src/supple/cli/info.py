"""`supple info`: the installation, the contents of a motion file, or the properties of a material."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from supple.kernel_cache import Kept

LIBRARIES = ("numpy", "scipy", "numba", "h5py", "meshio", "pydantic", "mkl", "pypardiso", "cvxopt", "pytetwild")


def info(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="Motion file: abc, usd, usda, usdc, glb, gltf, pc2, mdd, npz, or a pattern such as 'frames/*.obj'."
        ),
    ] = None,
    material: Annotated[
        str, typer.Option("--material", metavar="NAME|FORMULA", help="Show the properties of a solid material instead.")
    ] = "",
    constant: Annotated[
        list[str] | None,
        typer.Option("--constant", metavar="KEY=VALUE", help="A constant of the material, such as mu=1e5. Repeatable."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """Show sparse solver, thread counts and versions; objects, frames, units, skeletons and cameras of a motion file; or
    formula, degree, domain and stiffness of a material."""
    import json

    from supple.cli.output import say

    if file is not None:
        _show_file(file, bool(material or constant), as_json)
        return
    if material or constant:
        _show_material(material, constant or [], as_json)
        return
    facts = gather()
    if as_json:
        say(json.dumps(facts))
        return
    say(f"supple {facts['supple']}, Python {facts['python']}")
    say(f"\nsparse solver: {facts['backend']}")
    say(f"\nkernels: {facts['kernels']}")
    for title in ("backends", "threads", "libraries"):
        say(f"\n{title}")
        width = max(map(len, facts[title]), default=0)
        for name, value in facts[title].items():
            say(f"  {name:<{width}}  {value}")


def _show_file(file: Path, other: bool, as_json: bool) -> None:
    import json

    from supple.cli.output import say
    from supple.clips.contents import contents
    from supple.errors import SuppleError

    if other:
        raise SuppleError(f"{file}: found both a file and --material; give one of them")
    found = contents(file)
    say(json.dumps(found.table()) if as_json else "\n".join([found.file, *found.lines()]))


def _show_material(material: str, constants: list[str], as_json: bool) -> None:
    import json

    from supple.cli.output import say
    from supple.errors import SuppleError
    from supple.materials import MATERIALS
    from supple.materials.rest.facts import class_facts, material_facts
    from supple.scene.tables.named_material import named_material
    from supple.scene.text.field_docs import field_docs
    from supple.scene.text.override import toml_value

    if not material:
        raise SuppleError("--constant: give the material too, such as --material neo-hookean")
    given = {}
    for text in constants:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise SuppleError(f"--constant {text}: give KEY=VALUE, such as mu=1e5")
        given[key] = toml_value(value)
    cls = None if given else MATERIALS.lookup(material)
    facts = material_facts(named_material(material, given)) if cls is None else class_facts(cls, field_docs(cls))
    say(json.dumps(facts.table()) if as_json else "\n".join([facts.name, *facts.lines()]))


def gather() -> dict[str, Any]:
    """The facts that `info` shows."""
    import platform

    from supple import __version__, kernel_cache
    from supple.linalg.factors.factorisation import available_backends, best_backend
    from supple.linalg.threads import thread_counts

    kernel_cache.choose()
    return {
        "supple": __version__,
        "python": platform.python_version(),
        "backend": best_backend(),
        "backends": available_backends(),
        "kernels": _kernels(kernel_cache.kept()),
        "threads": thread_counts(),
        "libraries": {name: version_of(name) for name in LIBRARIES},
    }


def _kernels(kept: Kept) -> str:
    if kept.folder is None:
        return "recompiled in every process, because no cache folder is writable; set one with NUMBA_CACHE_DIR"
    if kept.warm:
        return f"all compiled, {kept.kernels} in {kept.folder}"
    return f"{kept.kernels} compiled in {kept.folder}; `supple warm` compiles the others"


def version_of(library: str) -> str:
    """Version of an installed library, read without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
