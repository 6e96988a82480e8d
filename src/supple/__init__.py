"""supple: simulation of deformable bodies with integrators that conserve energy.

    import supple as sp

    bar = sp.Body(sp.Bar(cells=(8, 2, 2), size=(0.8, 0.2, 0.2)), sp.StVK.from_young(1e6, 0.3), density=500.0, pin="left")
    world = sp.World([bar], gravity=(0, -9.81, 0), damping=[sp.Viscosity(shear=5.0)])
    run = sp.run(world, sp.AVF(), h=1 / 60, steps=60, out="beam")

This module exports the whole public API, one name per object; `docs/reference/api/index.md` lists it by topic. Names are
loaded on first use, which keeps `import supple` fast. The stub `__init__.pyi` records the module behind each name and
also serves type checkers and editors.
"""

from __future__ import annotations

import ast
from pathlib import Path

__version__ = "0.1.0"


def _homes() -> dict[str, tuple[str, str]]:
    """Module and name behind each public name, from the imports in the stub beside this file."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {a.asname or a.name: (str(node.module), a.name) for node in imports for a in node.names}


_HOMES = _homes()
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        from supple.errors import did_you_mean

        raise AttributeError(f"module 'supple' has no attribute '{name}'{did_you_mean(name, _HOMES)}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
