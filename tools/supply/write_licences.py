"""Rewrites the table of licences in docs/develop/supply-chain.md from the metadata of the installed packages.

    python tools/supply/write_licences.py [--check]

Ends with 1 if a required package is under the GPL or under no known licence; `--check` writes nothing.
"""

from __future__ import annotations

import re
import sys

from licences import groups, licence, refusal
from pins import ROOT, Pin, direct, pins

PAGE = ROOT / "docs" / "develop" / "supply-chain.md"
BLOCK = re.compile(r"(<!-- licences -->\n).*?(<!-- end of licences -->)", re.DOTALL)


def rows(locked: dict[str, Pin]) -> list[tuple[str, str, str, str]]:
    """Package, version, licence and use, required ones first."""
    own = {requirement.name.lower() for requirement in direct(("dev", "browser", "site"))}
    table = []
    for use, names in groups().items():
        for name in sorted(names):
            version = str(locked[name].version) if name in locked else ""
            reach = "directly" if name in own else "indirectly"
            table.append(
                (name, version, licence(name), f"{use}, {reach}" if use == "required" else f"`{use}`, {reach}")
            )
    return table


def table(locked: dict[str, Pin]) -> str:
    """The table in Markdown."""
    lines = [("Package", "Version", "Licence", "Use"), ("---",) * 4, *rows(locked)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def refusals() -> list[str]:
    """Why the required packages may not be as they are; empty if they may."""
    return [why for name in sorted(groups()["required"]) if (why := refusal(name, licence(name)))]


def main(words: list[str]) -> int:
    if "--check" not in words:
        text, locked = PAGE.read_text(encoding="utf-8"), {**pins("site"), **pins("dev")}
        PAGE.write_text(BLOCK.sub(lambda found: found[1] + table(locked) + found[2], text), encoding="utf-8")
    for why in refusals():
        print(why, file=sys.stderr)
    return 1 if refusals() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
