"""Input and output shared by the analyse commands: lists of numbers, files, tables, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

TABLES = (".csv", ".txt")
"""Endings of tables."""
LEAST, MOST = 1e-8, 1e8
"""Range of numbers in lists, whose squares and inverses stay far from the limits of a double."""
WIDEST = 200
"""Largest width of a table in characters."""


def numbers(text: str, option: str, example: str) -> list[float]:
    """`0.1,1,10` as numbers of a usual size, ascending."""
    from supple.errors import SuppleError

    try:
        found = sorted({float(word) for word in text.split(",") if word.strip()})
    except ValueError:
        found = []
    if not found or not LEAST <= found[0] <= found[-1] <= MOST:
        raise SuppleError(
            f"{option}: found '{text}'; give numbers above 0, from {LEAST:g} to {MOST:g}, separated by commas, such as {example}"
        )
    return found


def counts(text: str, option: str) -> list[int]:
    """`32,64,128` as positive integers, ascending."""
    from supple.errors import SuppleError
    from supple.wording import in_digits

    found = {in_digits(word) for word in text.split(",") if word.strip()}
    if not found or min(found) < 1:
        raise SuppleError(f"{option}: found '{text}'; give whole numbers above 0, such as 32,64,128")
    return sorted(found)


def check_positive(options: dict[str, float | None]) -> None:
    """Refuse numbers that are not positive."""
    from supple.errors import SuppleError

    for option, value in options.items():
        if value is not None and not 0.0 < value < float("inf"):
            raise SuppleError(f"{option}: found {value:g}; give a number above 0")


def check_places(*files: Path) -> None:
    """Refuse files that cannot be written, before anything is computed."""
    from supple.errors import SuppleError

    for file in files:
        if not file.parent.is_dir():
            raise SuppleError(
                f"{file}: the folder {file.parent} does not exist; create it first, or choose another path"
            )
        if file.is_dir():
            raise SuppleError(f"{file}: is a folder; give a file name")


def check_results(table: Path | None, *pictures: Path, inputs: Sequence[Path] = ()) -> None:
    """Refuse files that cannot be written, and those that would replace something other than earlier results."""
    from supple.errors import SuppleError
    from supple.render.style import check_drawable

    files = [*([table] if table is not None else []), *pictures]
    check_places(*files)
    if table is not None and table.suffix.lower() not in TABLES:
        raise SuppleError(f"{table}: found '{table.suffix}'; a table ends in {' or '.join(TABLES)}")
    for picture in pictures:
        check_drawable(picture)
    named = [file.resolve() for file in files]
    for k, file in enumerate(named):
        if file in named[:k] or file in [given.resolve() for given in inputs]:
            raise SuppleError(f"{files[k]}: is given twice; give another name to one of the files")


def write_csv(file: Path, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """One row for each dictionary; an older file is replaced."""
    import csv

    from supple.escaping import cell
    from supple.interruption.placing import placed
    from supple.recording.files import trouble

    try:
        with placed(file) as new, new.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)
    except OSError as error:
        raise trouble(file, "write", error) from error


def show_table(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table below its title; first column left-aligned, figures right-aligned."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from supple.escaping import one_line

    console.print(title, markup=False)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for k, column in enumerate(columns):
        table.add_column(Text(one_line(column)), justify="right" if k else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(one_line(value)) for value in row))
    # truncated figures would be worse than lines that a narrow terminal wraps
    Console(file=console.file, highlight=False, width=max(console.width, WIDEST)).print(table)


def show_files(console: Console, files: dict[str, Path]) -> None:
    """Print the paths of the results."""
    width = max(map(len, files))
    for kind, file in files.items():
        console.print(f"{kind:<{width}}  {file}", markup=False)


@contextmanager
def progress(console: Console, label: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """A progress bar; the yielded function takes the amount done and a short text."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from supple.escaping import visible

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(visible(label), total=total, state="")
        yield lambda done, state: bar.update(task, completed=done, state=state)
