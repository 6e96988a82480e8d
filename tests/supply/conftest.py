"""The tools of the supply chain are scripts beside each other, not a package."""

import sys
from pathlib import Path

TOOLS = Path(__file__).parents[2] / "tools"
sys.path[:0] = [str(TOOLS / "supply"), str(TOOLS / "mutants")]
