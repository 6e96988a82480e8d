"""Writes the bill of materials as CycloneDX 1.6: what supple is installed with, by version, hash and licence.

    python tools/supply/write_sbom.py build/supple.cdx.json
    python tools/supply/validate_sbom.py build/supple.cdx.json    (by the schema; needs requirements/supply.txt)

Made from the lock, so it is the same for the same lock. Required packages have the scope `required`, those of extras
`optional`, tools of development `excluded`.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import uuid
from pathlib import Path
from typing import Any

from licences import UNKNOWN, groups, licence
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pins import Pin, direct, pins, project

from supple import __version__

DEVELOPMENT = ("test", "lint", "browser", "site")
"""Extras that only developers install."""


def component(pin: Pin, scope: str) -> dict[str, Any]:
    """One package of the lock."""
    files = [{"alg": "SHA-256", "content": value} for value in pin.hashes]
    found = {
        "type": "library",
        "bom-ref": reference(pin),
        "name": pin.name,
        "version": str(pin.version),
        "scope": scope,
        "purl": reference(pin),
        # one hash for each wheel: they belong to the files on the index, not to the package as a whole
        "externalReferences": [
            {"type": "distribution", "url": f"https://pypi.org/simple/{pin.name}/", "hashes": files}
        ],
    }
    if told := licences(pin.name):
        found["licenses"] = told
    if pin.marker:
        found["properties"] = [{"name": "supple:marker", "value": pin.marker}]
    return found


def licences(name: str) -> list[dict[str, Any]]:
    """As an SPDX expression where it is one, by its name otherwise; empty for a package that is not installed here."""
    said = licence(name)
    if said == UNKNOWN:
        return []
    try:
        return [{"expression": str(canonicalize_license_expression(said))}]
    except InvalidLicenseExpression:
        return [{"license": {"name": said}}]


def reference(pin: Pin) -> str:
    return f"pkg:pypi/{pin.name}@{pin.version}"


def needs(name: str, locked: dict[str, Pin]) -> list[str]:
    """References of the direct requirements of an installed package."""
    try:
        texts = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    names = {
        canonicalize_name(r.name)
        for r in map(Requirement, texts)
        if r.marker is None or r.marker.evaluate({"extra": ""})
    }
    return sorted(reference(locked[n]) for n in names if n in locked)


def bill() -> dict[str, Any]:
    """The whole document."""
    table, locked = project(), pins("dev")
    use = {name: group for group, names in groups().items() for name in names}
    scopes = {"required": "required", **dict.fromkeys(DEVELOPMENT, "excluded")}
    parts = [
        component(pin, scopes.get(use[name], "optional") if name in use else "excluded") for name, pin in locked.items()
    ]
    own = f"pkg:pypi/{table['name']}@{__version__}"
    first = sorted(
        reference(locked[canonicalize_name(r.name)]) for r in direct() if canonicalize_name(r.name) in locked
    )
    graph = [
        {"ref": own, "dependsOn": first},
        *({"ref": reference(p), "dependsOn": needs(n, locked)} for n, p in locked.items()),
    ]
    subject = {"type": "library", "bom-ref": own, "name": table["name"], "version": __version__, "purl": own}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(parts, sort_keys=True))}",
        "version": 1,
        "metadata": {"component": {**subject, "licenses": [{"expression": table["license"]}]}},
        "components": parts,
        "dependencies": graph,
    }


def main(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(bill()['components'])} packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
