"""Texts of strangers in pages, plots, tables and on the terminal: they are read as text by real parsers, and do nothing."""

import csv
import io
import json
import xml.etree.ElementTree as tree
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from hostile import ALL, NAMES
from report_runs import Page, make_run
from supple.cli.output import new_console
from supple.escaping import attribute, cell, code, embedded, file_part, markdown, markup, one_line, visible, word
from supple.gallery.page.rows import escape as gallery_escape
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.render.plots.svg import plot_energy
from supple.render.report.page import page
from supple.runs.accounts import account_of
from supple.sweeps.manifest import Manifest
from supple.sweeps.report import strips
from supple.sweeps.report.writing import write_pages
from supple.sweeps.table import write_tables
from supple.wording import inline
from sweep_runs import FAILED, SMALL, make_sweep

PRINTABLE = [name for name in NAMES if "\x00" not in name and "\ud800" not in name]


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("name", NAMES)
def test_each_target(name: str) -> None:
    seen = visible(name)
    assert all(character in "\t\n" or character.isprintable() for character in seen)
    assert len(one_line(name).splitlines()) == 1
    assert len(word(name).split()) == 1
    page = Tags(f"<p title={attribute(name)}>{markup(name)}</p>")
    assert page.tags == ["p"]
    assert page.words == seen
    element = tree.fromstring(f"<p title={attribute(name)}>{markup(name)}</p>")
    assert element.text == seen
    assert element.get("title") == one_line(name)
    inside = embedded(json.dumps({"name": name}))
    assert json.loads(inside) == {"name": name}
    assert Tags(f"<script>{inside}</script>").tags == ["script"]
    part = file_part(name)
    assert not set(part) & set("/\\:\0\n")
    assert not part.startswith(".")
    unescaped = markdown(name).replace("\\", "")
    assert unescaped == one_line(name).replace("\\", "")
    assert code(name).count("`") == 2
    assert visible(seen) == seen
    seen.encode()


def test_formulas_of_spreadsheets() -> None:
    for bad in ("=1+1", "+cmd", "-cmd", "@SUM(A1)", "=cmd|' /C calc'!A0"):
        assert str(cell(bad)).startswith("'")
    for good in ("-1.5", "+2e-3", "-inf", "plain", -1.5, None, 3):
        assert cell(good) == good


def test_markdown_has_no_bare_signs() -> None:
    text = markdown("<b>*x*</b> [a](b) `c` _d_ # e | f ~g~ !h")
    bare = [k for k, sign in enumerate(text) if sign in "<>*[]()`_#|~!" and text[k - 1] != "\\"]
    assert bare == []


@pytest.mark.usefixtures("no_still_plots")
def test_a_report(tmp_path) -> None:
    evil = "".join(f"{inline(name)[1:-1]} " for name in PRINTABLE)
    folder = make_run(tmp_path / "a <i>b", title=evil, description=evil, log="\n".join(PRINTABLE))
    html = page([account_of(folder)])
    read = Page(html)
    assert "alert(1)</script>" in read.words
    assert not {"\x1b", "\u202e", "\u2066"} & set(html)
    assert not [address for address in read.addresses if not address.startswith("data:")]
    assert "i" not in Tags(html).tags
    assert Tags(html).tags.count("title") == 1


def test_a_plot(tmp_path) -> None:
    folder = RunFolder.open(make_run(tmp_path / "run"))
    plot_energy(read_history(folder.history), tmp_path / "energy.svg", ALL)
    found = tree.parse(tmp_path / "energy.svg").getroot()
    assert {element.tag.rpartition("}")[2] for element in found.iter()} <= {
        "svg", "g", "text", "rect", "path", "line", "polyline", "circle", "title", "defs", "clipPath", "style", "tspan",
    }  # fmt: skip
    assert any(element.text == visible(ALL) for element in found.iter())


def test_a_sweep(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "GRADES", SMALL)
    folder = make_sweep(tmp_path / "sweep", title="bar")
    manifest = Manifest.read(folder)
    manifest.rows[FAILED] = replace(manifest.rows[FAILED], error=" ".join(PRINTABLE))
    manifest.write()
    write_pages(Manifest.read(folder), folder / "report.html")
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "\x1b" not in html
    assert "<img src=x" not in html
    assert "alert(1)" not in "".join(text for values, text in Page(html).scripts if "type" not in values)


def test_a_table_of_a_sweep(tmp_path) -> None:
    names = [*PRINTABLE]
    [file, *_] = write_tables(tmp_path, {"run": list(range(len(names))), "error": names})
    rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))
    assert len(rows) == len(names) + 1
    assert [row[1] for row in rows[1:]] == [cell(name) for name in names]
    assert not any(row[1].startswith("=") for row in rows)


def test_the_gallery_has_the_same_escape() -> None:
    assert gallery_escape is markup
    assert unescape(markup("a<b>&\"'")) == "a<b>&\"'"


def test_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    new_console(False).print(ALL, markup=False)
    said = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\x00", "\u202e", "\r"} & set(said)
    assert "<script>alert(1)</script>" in said
