"""The guide for contributors names commands, folders and headings that exist; forms for issues request the necessary data."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FORMS = {file.stem: file for file in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if file.stem != "config"}


def anchors(page: Path) -> set[str]:
    """Headings of a page as addresses."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)\s]+)\)", GUIDE))))
def test_links_lead_to_pages_and_headings(link: str) -> None:
    page, _, heading = link.partition("#")
    assert (ROOT / page).is_file()
    assert not heading or heading in anchors(ROOT / page)


def test_commands_are_targets_of_make() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)`|^    make ([a-z-]+)", GUIDE, re.MULTILINE))
    found = {one or other for one, other in named}
    assert {"test", "package", "notebooks", "docs", "lock"} <= found
    assert found <= targets


def test_folders_exist() -> None:
    folders = re.findall(r"`((?:src/supple|tests|tools|scenes|examples|notebooks|integrations)[\w/]*)`", GUIDE)
    assert len(folders) > 10
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_test_and_the_benchmark_of_the_guide_exist() -> None:
    (test, word), (benchmark,) = (
        re.findall(r'pytest (\S+) -k "(\w+)"', GUIDE)[0],
        re.findall(r"python (benchmarks/\S+)", GUIDE),
    )
    assert f"def test_{word}(" in (ROOT / test).read_text(encoding="utf-8")
    assert (ROOT / benchmark).is_file()


@pytest.mark.parametrize("name", ["bug", "feature", "wrong-physics"])
def test_forms_are_complete(name: str) -> None:
    """As GitHub requires them: names, kinds and labels of all questions, and no question twice."""
    form: dict[str, Any] = yaml.safe_load(FORMS[name].read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    assert all(question["type"] in {"textarea", "input", "dropdown"} for question in form["body"])
    assert all(question["attributes"]["label"] for question in form["body"])
    ids = [question["id"] for question in form["body"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["bug", "wrong-physics"])
def test_reports_need_a_scene_and_the_versions(name: str) -> None:
    questions = {
        question["id"]: question for question in yaml.safe_load(FORMS[name].read_text(encoding="utf-8"))["body"]
    }
    for needed in ("scene", "info"):
        assert questions[needed]["validations"]["required"] is True
    assert "`supple info`" in questions["info"]["attributes"]["label"]
