"""The unrolled contraction is what its generator writes; an edit by hand would be lost."""

import sys
from pathlib import Path

TOOLS = Path(__file__).parents[2] / "tools"


def test_the_generated_file_is_current() -> None:
    sys.path.insert(0, str(TOOLS))
    try:
        import write_contraction
    finally:
        sys.path.remove(str(TOOLS))
    assert write_contraction.TARGET.read_text(encoding="utf-8") == write_contraction.source()
