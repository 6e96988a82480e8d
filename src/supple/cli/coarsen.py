"""`supple coarsen`: homogenise a heterogeneous fine body into a coarse one, in a file that scenes name as a body."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from supple.cli.analyse.study import AsJson, Settings
from supple.cli.options.coarsen import (
    DENSITY,
    POISSON,
    Body,
    Cells,
    Density,
    DrawHarmonics,
    EdgeLength,
    Fine,
    Method,
    Onto,
    Out,
    Pin,
    Poisson,
    Ratio,
    Steps,
    Validate,
    Young,
)

if TYPE_CHECKING:
    from supple.coarsening.fine_body import FineBody
    from supple.mesh.mesh import Mesh
    from supple.types import Ints


def coarsen(
    fine: Fine,
    onto: Onto = None,
    cells: Cells = None,
    ratio: Ratio = None,
    edge_length: EdgeLength = None,
    method: Method = "average",
    pin: Pin = None,
    body: Body = None,
    young: Young = None,
    poisson: Poisson = None,
    density: Density = None,
    settings: Settings = None,
    out: Out = None,
    validate: Validate = False,
    steps: Steps = 20,
    draw_harmonics: DrawHarmonics = False,
    as_json: AsJson = False,
) -> None:
    """Homogenise a detailed body of many materials into a coarse one with the same motion."""
    import time

    from supple.cli.analyse.output import check_places, progress, show_files
    from supple.cli.coarsening.results import drawn_harmonics, show_summary, summary_of, validated
    from supple.cli.output import new_console, print_json
    from supple.coarsening.coarsen import STAGES
    from supple.coarsening.coarsen import coarsen as coarsened
    from supple.errors import SuppleError

    console = new_console(as_json)
    file = out or Path(f"{Path(fine).stem}.npz")
    check_places(file)
    if file.suffix.lower() != ".npz":
        raise SuppleError(f"--out {file}: found '{file.suffix}'; a coarse body is a file that ends in .npz")
    constants = {"young": young, "poisson": poisson, "density": density}
    detailed, pinned, up = _fine(fine, body, settings or [], constants, pin)
    grid = _coarse(detailed, onto, cells, ratio, edge_length)
    began = time.perf_counter()
    with progress(console, "coarsen", len(STAGES)) as show:
        made = coarsened(detailed, grid, method, pinned, lambda stage: show(STAGES.index(stage), stage))
        show(len(STAGES), "")
    made.save(file)
    summary = summary_of(file, made, time.perf_counter() - began)
    show_summary(console, summary)
    files = {"body": file}
    if validate:
        from supple.coarsening.coarsen import Pair

        files["picture"] = file.with_suffix(".png")
        pair = Pair(detailed, grid, pinned)
        summary |= validated(console, pair, made, steps, files["picture"], Path(fine).stem)
    if draw_harmonics:
        files["harmonics"] = file.with_name(f"{file.stem}-harmonics.png")
        drawn_harmonics(detailed, pinned, files["harmonics"], Path(fine).stem, up)
    show_files(console, files)
    if as_json:
        print_json(summary)


def _fine(
    source: str,
    name: str | None,
    settings: list[str],
    constants: dict[str, float | None],
    pin: str | None,
) -> tuple[FineBody, Ints | None, str]:
    """The fine body, the vertices of a group of it, and the axis that points up."""
    from supple.errors import SuppleError, did_you_mean
    from supple.model.fine_body import fine_body, fine_mesh
    from supple.scene.text.load import load_scene
    from supple.scene.text.shipped import shipped_scenes

    if source.endswith(".toml") or source in shipped_scenes():
        for key, value in constants.items():
            if value is not None:
                raise SuppleError(f"--{key}: a scene has its own materials; give --{key} with a mesh file only")
        world = load_scene(source, settings).make().world
        fine, (_, mesh), up = fine_body(world, name), fine_mesh(world, name), str(world.up)
    else:
        (fine, mesh), up = _of_mesh(source, **constants), "y"
    if pin is None:
        return fine, None, up
    if pin not in mesh.groups:
        known = ", ".join(sorted(mesh.groups)) or "none"
        raise SuppleError(f"--pin: unknown group '{pin}'{did_you_mean(pin, mesh.groups)} known: {known}")
    return fine, mesh.groups[pin], up


def _of_mesh(source: str, young: float | None, poisson: float | None, density: float | None) -> tuple[FineBody, Mesh]:
    import numpy as np

    from supple.coarsening.fine_body import FineBody, isotropic
    from supple.errors import SuppleError
    from supple.mesh.formats import load_mesh
    from supple.values import LARGEST, SMALLEST

    poisson, density = POISSON if poisson is None else poisson, DENSITY if density is None else density
    if not SMALLEST <= density <= LARGEST:
        raise SuppleError(
            f"--density: found {density:g}; give a number above 0, from {SMALLEST:g} to {LARGEST:g} [kg/m^3]"
        )
    if young is None or not SMALLEST <= young <= LARGEST or not -1.0 < poisson < 0.5:
        raise SuppleError(
            f"{source}: a mesh file requires --young above 0 [Pa] and --poisson above -1 and below 0.5, found {young} and "
            f"{poisson:g}; bodies of many materials are described by scenes (body.regions)"
        )
    mesh, _ = load_mesh(source)
    if not mesh.is_solid:
        raise SuppleError(
            f"{source}: contains no tets; fill its surface with `supple mesh {source} --tetrahedralise OUT`"
        )
    m = len(mesh.tets)
    return FineBody(mesh.vertices, mesh.tets, isotropic(np.full(m, young), poisson), np.full(m, density)), mesh


def _coarse(
    fine: FineBody, onto: Path | None, cells: str | None, ratio: float | None, edge_length: float | None
) -> Mesh:
    from supple.coarsening.cage import cage, cells_for_ratio
    from supple.errors import SuppleError
    from supple.mesh.formats import load_mesh
    from supple.wording import in_digits

    ways = {"--onto": onto, "--cells": cells, "--ratio": ratio, "--edge-length": edge_length}
    given = [option for option, value in ways.items() if value is not None]
    if len(given) != 1:
        raise SuppleError(
            "give one of --onto MESH, --cells NX,NY,NZ, --ratio R and --edge-length L, found "
            f"{', '.join(given) or 'none'}"
        )
    if edge_length is not None:
        from supple.coarsening.wrapping import wrapped

        return wrapped(fine.vertices, fine.tets, edge_length)
    if onto is not None:
        mesh, _ = load_mesh(str(onto))
        if not mesh.is_solid:
            raise SuppleError(
                f"--onto: {onto} contains no tets; give a mesh of tets around the body, or --cells NX,NY,NZ"
            )
        return mesh
    if cells is None:
        return cage(fine.vertices, fine.tets, cells_for_ratio(fine.vertices, fine.tets, ratio or 0.0))
    counts = [in_digits(word) for word in cells.split(",")]
    if len(counts) != 3 or min(counts) < 1:
        raise SuppleError(f"--cells: found '{cells}'; give three whole numbers above 0, such as 6,2,6")
    return cage(fine.vertices, fine.tets, counts)
