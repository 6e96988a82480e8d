"""Shared by all tests; helpers that build systems stand in builders.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
