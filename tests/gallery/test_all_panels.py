"""All identifiers of the sources have a panel, and panels reach their verdicts: quick ones always, all in a study."""

import math
from pathlib import Path

import pytest

from supple.gallery.choice import choose
from supple.gallery.verdicts import Verdict
from supple.gallery.work import carry_out

IDENTIFIERS = (
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R-T1 R-s R-c6 "
    "S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15 S16 S-a12 S-c7 S-c8 "
    "A1 A3 A4 A5 A6 A7 A8 A9 A-e2 A-c1 A-c8 A-i "
    "K2.1 K2.4 K3.1 K3.3 K3.4 K3.5 K3.6 K3.7 K3.8 K3.9 K3.10 K-c36 K-a23 "
    "K4.1 K4.2 K4.3 K4.4 K4.5 K4.6 K4.7 K4.8 K-c58 L1 L2 L3 L4 L5 L6 L7"
)
QUICK = ("S5", "S7", "A8", "A9", "L2")


def test_every_identifier_has_a_panel() -> None:
    for identifier in IDENTIFIERS.split():
        assert len(choose([identifier])) == 1


@pytest.mark.parametrize("name", QUICK)
def test_quick_panels_find_what_they_expect(name: str, tmp_path: Path) -> None:
    find_what_it_expects(name, tmp_path)


@pytest.mark.study
@pytest.mark.parametrize("name", [panel.name for panel in choose([]) if panel.name not in QUICK])
def test_panels_find_what_they_expect(name: str, tmp_path: Path) -> None:
    find_what_it_expects(name, tmp_path)


def find_what_it_expects(name: str, folder: Path) -> None:
    """Figures by the clock are judged by `supple gallery` alone: other load changes them."""
    [panel] = choose([name])
    outcome = carry_out(name, str(folder), full=False)
    if any(figure.timed for figure in outcome.figures):
        assert outcome.verdict is not Verdict.FAILED, outcome
        assert all(figure.holds for figure in outcome.figures if not figure.timed), outcome
        assert all(math.isfinite(figure.value) for figure in outcome.figures), outcome
    else:
        assert outcome.verdict is panel.expects, outcome
    assert outcome.pictures
