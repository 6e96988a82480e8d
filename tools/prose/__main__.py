"""Count habits of translated English and long sentences: `python tools/prose README.md docs src/supple`.

Each finding is a line `file:line: habit: text` with `--list`; without it, a table of counts by habit. `--longest N` sets how many
words a sentence may have. The exit code is 1 if there are more findings than `--allow`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from habits import HABITS
from passages import Passage, is_word, passages

LONG = "long sentence"


def files(names: list[Path]) -> Iterator[Path]:
    """Markdown and Python files among the names and in the folders."""
    for name in names:
        inside = sorted(name.rglob("*")) if name.is_dir() else [name]
        yield from (file for file in inside if file.suffix in (".md", ".py"))


def findings(passage: Passage, longest: int) -> Iterator[tuple[str, str]]:
    """Habits of a passage, each with the sentence."""
    for sentence in passage.sentences():
        for habit in HABITS:
            for _ in habit.pattern.finditer(sentence):
                yield habit.name, sentence
        if sum(map(is_word, sentence.split())) > longest and passage.kind != "cell":
            yield LONG, sentence


def main() -> int:
    """Read the files and print counts or places."""
    parser = argparse.ArgumentParser(prog="prose", description=__doc__)
    parser.add_argument("names", nargs="+", type=Path, metavar="FILE|FOLDER")
    parser.add_argument("--list", action="store_true", help="every finding with its place")
    parser.add_argument("--all", action="store_true", help="every passage with its place, to be read as a whole")
    parser.add_argument("--longest", type=int, default=30, help="words that a sentence may have (30)")
    parser.add_argument("--allow", type=int, default=sys.maxsize, help="findings up to which the exit code is 0")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    sentences = words = 0
    for file in files(options.names):
        for passage in passages(file):
            sentences += len(passage.sentences())
            words += len(passage.text.split())
            if options.all:
                sys.stdout.write(f"{file}:{passage.line}: [{passage.kind}] {passage.text}\n")
            for name, sentence in findings(passage, options.longest):
                counts[name] += 1
                if options.list:
                    sys.stdout.write(f"{file}:{passage.line}: {name}: {sentence}\n")
    total = sum(counts.values())
    for name, count in counts.most_common():
        sys.stdout.write(f"{count:6} {name}\n")
    sys.stdout.write(f"{total:6} findings in {sentences:,} sentences, {words:,} words\n")
    return int(total > options.allow)


if __name__ == "__main__":
    sys.exit(main())
