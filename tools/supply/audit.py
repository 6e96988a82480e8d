"""Asks the advisory services about every version in the locks, by pip-audit.

    python tools/supply/audit.py [LOCK ...]

The exit code is 0 if no advisory names a pinned version, 1 if one does, and 3 if no service answered for all of them.
`pip-audit` alone treats a package that is unknown to the service as safe; here it counts as unanswered.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pins import LOCKS

SERVICES = ("pypi", "osv")
CLEAN, FOUND, UNANSWERED = 0, 1, 3


def ask(lock: str, service: str) -> list[dict[str, Any]] | None:
    """Answer of the service for each package; None if it cannot be reached."""
    command = [
        str(Path(sys.executable).with_name("pip-audit")),
        "--requirement",
        str(LOCKS / f"{lock}.txt"),
        "--require-hashes",
    ]
    command += ["--disable-pip", "--vulnerability-service", service, "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        return None


def verdict(answers: list[dict[str, Any]] | None) -> tuple[int, list[str]]:
    """Exit code and sentences for the answers of one service on one lock."""
    if not answers:
        return UNANSWERED, ["could not be reached"]
    silent = [a["name"] for a in answers if "skip_reason" in a]
    bad = [
        f"{a['name']} {a['version']}: {v['id']}, fixed in {', '.join(v['fix_versions']) or 'no release'}"
        for a in answers
        for v in a.get("vulns", [])
    ]
    if bad:
        return FOUND, bad
    if silent:
        return UNANSWERED, [
            f"did not answer for {len(silent)} of {len(answers)} packages ({', '.join(silent[:3])}, ...)"
        ]
    return CLEAN, [f"no advisory for {len(answers)} packages"]


def main(locks: list[str]) -> int:
    worst = CLEAN
    for lock in locks or ["run", "dev", "site", "supply"]:
        codes = []
        for service in SERVICES:
            code, said = verdict(ask(lock, service))
            codes.append(code)
            print(*(f"{lock}.txt: {service}: {sentence}" for sentence in said), sep="\n")
            if code != UNANSWERED:
                break
        # one advisory outweighs silence elsewhere
        result = FOUND if FOUND in codes else min(codes)
        worst = FOUND if FOUND in (worst, result) else max(worst, result)
    if worst == UNANSWERED:
        print("no advisory service answered for all packages: this is no clean bill", file=sys.stderr)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
