"""The documentation as a site: navigation, links, anchors and Markdown that all readers understand. Needs no MkDocs."""

import html
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
OTHERS = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "benchmarks" / "README.md",
    ROOT / "integrations" / "blender" / "README.md",
]
SECTIONS = sorted(folder for folder in DOCS.iterdir() if (folder / "index.md").exists())
FRONT = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^(```+)\w*\n.*?^\1", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
LIST = re.compile(r"\s*([-*+]|\d+\.) ")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@cache
def prose(page: Path) -> str:
    """The text without front matter and blocks of code, which leave an empty line."""
    return FENCED.sub("\n", FRONT.sub("", page.read_text(encoding="utf-8")))


@cache
def anchors(page: Path) -> Counter[str]:
    """Anchors of the headings, as the site and GitHub make them; the names of the API have their own."""
    text = prose(page)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return Counter([*map(slug, heads), *re.findall(r"^::: (\S+)$", text, re.MULTILINE)])


def slug(heading: str) -> str:
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", html.unescape(heading)).lower()
    return re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")


def test_the_navigation_has_every_page_once() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"(?:- |: )(\S+\.md)$", nav, re.MULTILINE)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


@pytest.mark.parametrize("folder", SECTIONS, ids=lambda folder: folder.name)
def test_the_index_of_a_section_names_its_pages(folder: Path) -> None:
    text = (folder / "index.md").read_text(encoding="utf-8")
    assert [
        page.name for page in folder.glob("*.md") if page.name != "index.md" and f"]({page.name})" not in text
    ] == []


@pytest.mark.parametrize("page", [*OTHERS, *PAGES], ids=name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    """To files, not to folders, which the site cannot show."""
    broken = []
    for target in LINK.findall(prose(page)):
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if re.match(r"https?://", target):
            continue
        if not goal.is_file() or (anchor and anchors(goal)[anchor] != 1):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_have_one_title(page: Path) -> None:
    assert len(re.findall(r"^# ", prose(page), re.MULTILINE)) == 1


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_lists_are_lists_to_every_reader(page: Path) -> None:
    """A list begins after an empty line, and so does an item after a further paragraph, which is indented by four blanks."""
    before, further, wrong = "", False, []
    for line in prose(page).splitlines():
        if LIST.match(line) and further and not line.startswith("    "):
            wrong.append(line)
        further = line.startswith("    ") and (further or not before.strip())
        if LIST.match(line) and before.strip() and not LIST.match(before) and not before.startswith("  "):
            wrong.append(line)
        if not before.strip() and re.match(r" {1,3}[^ ]", line):
            wrong.append(line)
        before = line
    assert wrong == []
