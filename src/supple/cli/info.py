"""`supple info`: what this installation computes with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from supple.kernel_cache import Kept

LIBRARIES = ("numpy", "scipy", "numba", "h5py", "meshio", "pydantic", "mkl", "pypardiso", "cvxopt", "pytetwild")


def info(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """Show the sparse solver in use, thread counts and versions."""
    import json

    facts = gather()
    if as_json:
        typer.echo(json.dumps(facts))
        return
    typer.echo(f"supple {facts['supple']}, Python {facts['python']}")
    typer.echo(f"\nsparse solver: {facts['backend']}")
    typer.echo(f"\nkernels: {facts['kernels']}")
    for title in ("backends", "threads", "libraries"):
        typer.echo(f"\n{title}")
        width = max(map(len, facts[title]), default=0)
        for name, value in facts[title].items():
            typer.echo(f"  {name:<{width}}  {value}")


def gather() -> dict[str, Any]:
    """All that `info` shows."""
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
        return "compiled anew in every process: no folder to keep them in; name one with NUMBA_CACHE_DIR"
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
