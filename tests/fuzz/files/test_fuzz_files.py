"""A bounded piece of the fuzzer of files: every kind of case is read, or refused with a sentence that names the file."""

import pytest

from fuzz.files.case import BUG
from fuzz.files.fuzz_files import many

SEED = 24


@pytest.mark.parametrize(("kind", "count"), [("meshes", 60), ("clips", 60), ("formulas", 10)])
def test_damaged_files_are_read_or_refused(kind, count):
    counts, bugs = many(kind, SEED, range(count))
    assert not bugs, "\n\n".join(bugs.values())
    assert counts[BUG] == 0
    assert counts["read"] + counts["refused"] == count
