"""Required packages are free to use and redistribute; the GPL is confined to an extra."""

from functools import cache

import pytest
from licences import UNKNOWN, groups, licence, refusal
from pins import ROOT, pins
from write_licences import BLOCK, refusals, rows


def test_required_packages_may_be_required() -> None:
    assert refusals() == []


def test_cholmod_is_under_the_gpl_and_an_extra() -> None:
    assert "cvxopt" not in groups()["required"]
    assert refusal("cvxopt", licence("cvxopt"))


@pytest.mark.parametrize(
    "said", ["GPL-3.0-or-later", "AGPL-3.0-only", "GNU General Public License v2 (GPLv2)", UNKNOWN]
)
def test_refused(said: str) -> None:
    assert refusal("package", said)


@pytest.mark.parametrize(
    "said", ["MIT", "BSD-3-Clause", "LGPL-2.1-or-later", "GNU Lesser General Public License v3", "MPL-2.0"]
)
def test_accepted(said: str) -> None:
    assert not refusal("package", said)


@cache
def packages() -> list[tuple[str, str, str, str]]:
    """Rows of all packages of both locks, whose metadata are read once."""
    return rows({**pins("site"), **pins("dev")})


def test_the_table_has_a_row_for_each_package_of_the_lock() -> None:
    block = BLOCK.search((ROOT / "docs" / "develop" / "supply-chain.md").read_text(encoding="utf-8"))
    assert block
    for name, version, *_ in packages():
        assert f"| {name} | {version} |" in block[0], f"{name}: run `make licences`"


def test_every_package_of_the_development_lock_has_a_licence() -> None:
    """By its metadata. The tools of the site are not installed everywhere; the written table has theirs, below."""
    found = [(name, said) for name, _, said, use in packages() if not use.startswith("`site`")]
    assert [name for name, said in found if said.lower() == UNKNOWN] == []


def test_every_row_of_the_written_table_has_a_licence() -> None:
    block = BLOCK.search((ROOT / "docs" / "develop" / "supply-chain.md").read_text(encoding="utf-8"))
    assert block
    written = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block[0].splitlines()[3:-1]]
    assert len(written) >= len(packages())
    assert [name for name, _, said, _ in written if said.lower() in ("", UNKNOWN)] == []


def test_a_package_that_is_not_installed_has_no_known_licence() -> None:
    assert licence("no-such-package-anywhere") == UNKNOWN
