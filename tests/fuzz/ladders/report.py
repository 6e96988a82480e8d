"""What a campaign of ladders found: counts, bugs, refusals as a user reads them, and keys that change nothing."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from fuzz.ladders.climbing import Try

RAN = ("ran", "expectation")


@dataclass
class Findings:
    """Results so far."""

    keep: Path | None = None
    kinds: Counter[str] = field(default_factory=Counter)
    bugs: dict[tuple[str, str], Try] = field(default_factory=dict)
    messages: dict[str, tuple[Try, int]] = field(default_factory=dict)
    """Distinct refusals, each with an example and how often it was met."""
    results: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Values that ran and the digests of their results, for each ladder."""

    def add(self, done: Try) -> None:
        """Count a value; a new bug is printed at once."""
        self.kinds[done.found.kind] += 1
        if done.found.kind in RAN:
            self.results.setdefault(done.ladder, []).append((done.rung, done.result))
        if done.message:
            words = f"{done.found.kind}: {sentence(_told(done))}"
            self.messages[words] = (self.messages.get(words, (done, 0))[0], self.messages.get(words, (done, 0))[1] + 1)
        if not done.found.bug:
            return
        key = (done.found.kind, done.found.group)
        if key not in self.bugs:
            self.bugs[key] = done
            sys.stdout.write(f"BUG {key[0]}: {key[1]}\n  {done.ladder} = {done.rung}\n{done.found.detail[:1500]}\n\n")
            sys.stdout.flush()
            if self.keep is not None:
                self.keep.mkdir(parents=True, exist_ok=True)
                name = re.sub(r"\W+", "-", f"{key[0]}-{done.ladder}-{done.rung}")[:80]
                (self.keep / f"{name}.txt").write_text(
                    f"{done.shown}\n{done.found.detail}\n", errors="backslashreplace"
                )

    def without_effect(self) -> list[str]:
        """Keys of which no value that ran changed the results."""
        return sorted(
            f"{ladder}: {', '.join(rung for rung, _ in tried)}"
            for ladder, tried in self.results.items()
            if len(tried) > 2 and len({result for _, result in tried}) == 1
        )

    def write(self) -> None:
        """Messages and keys without effect into files of the folder."""
        if self.keep is None:
            return
        self.keep.mkdir(parents=True, exist_ok=True)
        with (self.keep / "messages.txt").open("w", encoding="utf-8", errors="backslashreplace") as file:
            for _, (done, count) in sorted(self.messages.items()):
                _message(file, done, count)
        (self.keep / "without-effect.txt").write_text("\n".join(self.without_effect()) + "\n")


def _message(file: TextIO, done: Try, count: int) -> None:
    file.write(f"[{done.found.kind}] {count} x, {done.ladder} = {done.rung}\n{_told(done)[:1500]}\n\n")


def _told(done: Try) -> str:
    """What was said of a refusal, the reason of a failure, or the remarks on a run."""
    if done.found.kind == "failed":
        return done.message.splitlines()[-1]
    if done.found.kind in RAN:
        remarks = [line for line in done.message.splitlines() if re.match(r"[\w.\[\]]+: ", line)]
        return "\n".join(line for line in remarks if not line.startswith(("held", "NOT held")))
    return done.message


def sentence(message: str) -> str:
    """A message without paths, numbers and quoted values: what makes two refusals the same."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "_", message)
    text = re.sub(r"(?m)^[\w-]+(\[\d+\])?(\.[\w-]+(\[\d+\])*)*:", "_:", text)
    text = re.sub(r"found .*", "found _", text)
    return re.sub(r"[-+]?\d[\d.,e+-]*", "_", text)[:400]
