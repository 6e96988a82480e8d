"""Checks a bill of materials against the schema of CycloneDX 1.6, without network.

python tools/supply/validate_sbom.py build/supple.cdx.json
"""

from __future__ import annotations

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def main(path: Path) -> int:
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text(encoding="utf-8"))
    print(f"{path}: {'valid by the schema of CycloneDX 1.6' if problem is None else problem}")
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
