"""Kernels for random scenes: what is compiled or loaded here once need not be in every child."""

from __future__ import annotations

from functools import cache
from typing import Any


def warm_command() -> None:
    """Import all modules that a run of the command line imports."""
    import rich.progress  # noqa: F401

    import supple.cli.output
    import supple.cli.run
    import supple.interruption.command
    import supple.runs.stopping.carrying
    import supple.runs.stopping.guard  # noqa: F401

    _warm("avf")


def warm(tables: dict[str, Any]) -> None:
    """Run the trials of the method and the materials that a scene names, each once per process."""
    names = [tables["integrator"].get("name"), *(_material(body) for body in tables["body"])]
    for name in names:
        if isinstance(name, str):
            _warm(name)


def warm_contact(tables: dict[str, Any]) -> None:
    """Let surfaces touch and rub once per process if a scene has contact: those of the scene may be far apart at first."""
    if "contact" in tables:
        for method in ("backward-euler", "avf"):
            _touch(method)


@cache
def _touch(method: str) -> None:
    from supple.runs.trials.trial import Trial, try_out

    cube, soft = (
        {"shape": "cube", "cells": 1, "size": 0.1},
        {"name": "stable-neo-hookean", "young": 1e4, "poisson": 0.3},
    )
    sideways = {"translate": [0.01, 0.1005, 0.02], "velocity": [0.1, -0.1, 0.0]}
    bodies = [{"mesh": cube, "material": soft}, {"mesh": cube, "material": soft, "initial": sideways}]
    contact = {"distance": 1e-3, "friction": 0.2}
    tables = {
        "time": {"step": 0.01, "duration": 0.01},
        "integrator": {"name": method},
        "contact": contact,
        "body": bodies,
    }
    try_out(Trial(f"contact by {method}", tables=tables))


def _material(body: dict[str, Any]) -> Any:
    material = body.get("material")
    return material.get("name") if isinstance(material, dict) else material


@cache
def _warm(name: str) -> None:
    from supple.runs.trials.trial import try_out

    for trial in _trials().get(name, ()):
        try:
            try_out(trial)
        except Exception:  # a bug is found by the cases, which report more about it
            continue


@cache
def _trials() -> dict[str, list[Any]]:
    from supple.runs.trials.listing import all_trials

    found: dict[str, list[Any]] = {}
    for trial in all_trials():
        if not trial.scene:
            name = trial.name.removeprefix("material ").partition(" on a ")[0]
            found.setdefault(name, []).append(trial)
    return found
