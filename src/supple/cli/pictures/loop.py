"""`supple loop`: a section of a run that repeats without a seam."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supple.cli.analyse.study import AsJson
from supple.cli.options.render import Camera, Captions, Fps, Look, Overwrite, Renderer, Size, Slow, Turntable

if TYPE_CHECKING:
    pass

FILMS = (".mp4", ".gif", ".png")


def loop(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    to: Annotated[
        Path,
        typer.Option(
            help="A folder, which can be rendered and exported; a film (.mp4, .gif); or .usdc, .abc, .glb ..."
        ),
    ],
    shortest: Annotated[
        float | None, typer.Option(help="Shortest period [s].", show_default="a tenth of the run")
    ] = None,
    longest: Annotated[float | None, typer.Option(help="Longest period [s].", show_default="the run")] = None,
    window: Annotated[
        float | None, typer.Option(help="Cross-fade that closes the seam [s].", show_default="a tenth of the run")
    ] = None,
    start: Annotated[float | None, typer.Option(help="Start of the search [s].")] = None,
    stop: Annotated[float | None, typer.Option(help="End of the search [s].")] = None,
    blend_only: Annotated[
        bool, typer.Option("--blend-only", help="Cross-fade the longest section, without searching for a recurrence.")
    ] = False,
    fps: Fps = None,
    slow: Slow = None,
    size: Size = None,
    camera: Camera = "iso",
    turntable: Turntable = None,
    look: Look = "auto",
    captions: Captions = None,
    renderer: Renderer = "auto",
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Find a section of a run that nearly returns to its start, close the remaining gap, and write it as a loop."""
    from supple.cli.output import new_console, print_json
    from supple.interruption.placing import scratch
    from supple.runs.loops.loop import Wish, make_loop, sentence, summary

    console = new_console(as_json)
    wish = Wish(shortest, longest, window, start, stop, blend_only)
    film = (fps, slow, size, camera, turntable, look, captions, renderer)
    suffix = to.suffix.lower()
    if not suffix:
        _refuse_film(to, film)
        made = make_loop(folder, to, wish, overwrite)
    else:
        _check_target(to, suffix, overwrite)
        with scratch() as place:
            clip = place / to.stem.replace("%", "")
            made = make_loop(folder, clip, wish)
            _written(clip, to, suffix, film, overwrite)
    console.print(sentence(made), markup=False)
    console.print(f"{to}: {made.frames} frames per period of {made.piece.period:.4g} s", markup=False)
    if as_json:
        print_json({"path": str(to), **summary(made)})


def _check_target(to: Path, suffix: str, overwrite: bool) -> None:
    """Refuse files that cannot be written, before the search begins."""
    from supple.errors import SuppleError
    from supple.export.export import known_suffixes
    from supple.render.video import check_target

    known = known_suffixes()
    if suffix in FILMS:
        check_target(to, overwrite)
        if suffix == ".png" and "%" not in to.name:
            raise SuppleError(
                f"--to {to}: one picture is not a loop; give .mp4, .gif, or numbered pictures: frames.%04d.png"
            )
    elif suffix not in known:
        kinds = ", ".join((*FILMS[:2], *known))
        raise SuppleError(f"--to {to}: unknown suffix '{suffix}'; give a folder without a suffix, or one of {kinds}")


def _refuse_film(to: Path, film: tuple[object, ...]) -> None:
    from supple.errors import SuppleError

    if film != (None, None, None, "iso", None, "auto", None, "auto"):
        raise SuppleError(
            f"--to {to}: is a folder; options such as --fps, --camera and --look apply to films: supple render {to} ..."
        )


def _written(clip: Path, to: Path, suffix: str, film: tuple[object, ...], overwrite: bool) -> None:
    """The loop as a film, or for another program."""
    if suffix in FILMS:
        from supple.cli.pictures.render import render

        names = ("fps", "slow", "size", "camera", "turntable", "look", "captions", "renderer")
        render(clip, to, overwrite=overwrite, **dict(zip(names, film, strict=True)))  # type: ignore[arg-type]
        return
    from supple.cli.export import export
    from supple.errors import SuppleError
    from supple.export.export import known_suffixes

    fps, others = film[0], film[1:]
    if others != (None, None, "iso", None, "auto", None, "auto"):
        raise SuppleError(
            f"--to {to}: is an export format; options such as --size, --camera and --look apply to films only"
        )
    export(clip, known_suffixes()[suffix], out=to, fps=fps, overwrite=overwrite)  # type: ignore[arg-type]
