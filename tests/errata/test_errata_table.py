"""Every correction names a proof that exists, and the page is written from the table."""

import ast
from functools import cache
from pathlib import Path

import pytest

from supple.gallery.errata.erratum import Erratum
from supple.gallery.errata.page import page
from supple.gallery.errata.table import SOURCES
from supple.gallery.page.errata import errata_page
from supple.gallery.panel import PANELS

ROOT = Path(__file__).parents[2]
ALL = [(source.letter, erratum) for source in SOURCES for erratum in source.errata]


@cache
def functions_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("letter", "erratum"), ALL, ids=lambda value: getattr(value, "where", value))
def test_the_proof_exists(letter: str, erratum: Erratum) -> None:
    assert all((erratum.where, erratum.printed, erratum.works))
    if erratum.proof.startswith("panel "):
        assert erratum.proof.removeprefix("panel ") in PANELS.load()
        return
    file, _, name = erratum.proof.partition("::")
    assert name in functions_in(file), f"{letter} {erratum.where}: {erratum.proof}"


def test_every_proof_that_was_written_for_the_table_is_in_it() -> None:
    used = {erratum.proof for _, erratum in ALL}
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        if file != Path(__file__):
            path = f"tests/errata/{file.name}"
            assert {f"{path}::{name}" for name in functions_in(path) if name.startswith("test_")} <= used, path


def test_the_page_is_that_of_the_table() -> None:
    assert (ROOT / "docs/theory/errata.md").read_text(encoding="utf-8") == page(), "run tools/write_errata.py"


def test_no_row_stands_twice() -> None:
    keys = [(letter, erratum.where, erratum.printed) for letter, erratum in ALL]
    assert len(set(keys)) == len(keys)


def test_the_page_beside_the_gallery_has_every_row() -> None:
    html = errata_page()
    assert html.count('<tr><th scope="row">') == len(ALL)
    assert "http" not in html
