"""An empty word is no path: it would mean the current folder."""

from pathlib import Path

import pytest
from command import here

from supple.cli.options.empty import refuse_empty


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("run", "jelly", "--out", ""), "--out"),
        (("run", "--resume", ""), "--resume"),
        (("run", "--resume="), "--resume"),
        (("render", "somewhere", "--with", ""), "--with"),
        (("mesh", "", "--write"), "mesh"),
        (("fit", "jelly", "--follow", ""), "--follow"),
    ],
)
def test_the_option_is_named(
    words: tuple[str, ...], place: str, in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here(*words, code=2)
    assert capsys.readouterr().err.startswith(f"{place}: found an empty word")
    assert list(in_folder.iterdir()) == []


def test_titles_may_be_empty() -> None:
    refuse_empty(["analyse", "spectrum", "somewhere", "--title", "", "--json"])
    refuse_empty(["render", "somewhere", "--label="])
