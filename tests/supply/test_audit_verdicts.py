"""Silence of an advisory service is not taken for a clean bill."""

from typing import Any

import audit
import pytest

CLEAN = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-0", "fix_versions": ["3"]}]}
SILENT = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("answers", "code"),
    [([CLEAN], 0), ([CLEAN, BAD], 1), ([BAD, SILENT], 1), ([CLEAN, SILENT], 3), ([SILENT], 3), ([], 3), (None, 3)],
)
def test_verdict(answers: Any, code: int) -> None:
    assert audit.verdict(answers)[0] == code


@pytest.mark.parametrize(
    ("pypi", "osv", "code"),
    [
        ([CLEAN], None, 0),
        ([SILENT], [CLEAN], 0),
        ([SILENT], [BAD], 1),
        ([SILENT], None, 3),
        ([CLEAN, SILENT], [SILENT], 3),
    ],
)
def test_second_service_answers_for_the_first(monkeypatch: pytest.MonkeyPatch, pypi: Any, osv: Any, code: int) -> None:
    monkeypatch.setattr(audit, "ask", lambda lock, service: {"pypi": pypi, "osv": osv}[service])
    assert audit.main(["run"]) == code


def test_one_advisory_outweighs_silence_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ask", lambda lock, service: [BAD] if lock == "run" else None)
    assert audit.main(["run", "dev"]) == audit.FOUND
    assert audit.main(["dev", "run"]) == audit.FOUND
