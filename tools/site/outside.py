"""A hook of MkDocs: files of the repository outside docs/ that pages link to become pages of the site.

Pages link to them by their relative path, `../../examples/wedge.py`, so that the links also work in a checkout. Here each such
file gets the page `files/examples/wedge.py.html` with its text, and the link leads there. Markdown files are shown as pages.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
LANGUAGES = {".py": "python", ".toml": "toml", ".yml": "yaml", ".sh": "sh", ".json": "json"}
HIDDEN = "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n"


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each file outside docs/ that a page links to, and for those that these link to."""
    waiting = [(f"docs/{file.src_uri}", file.content_string) for file in files.documentation_pages()]
    known: set[str] = set()
    while waiting:
        source, text = waiting.pop()
        for target in sorted(outside(source, text) - known):
            known.add(target)
            content = page(target)
            files.append(File.generated(config, place(target), content=content))
            if target.endswith(".md"):
                waiting.append((target, content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """The links of a page to files outside docs/, rewritten to their pages."""
    here = page.file.src_uri
    source = here.removeprefix("files/") if here.startswith("files/") else f"docs/{here}"
    if source.endswith(".md.md"):
        source = source.removesuffix(".md")

    def changed(found: re.Match[str]) -> str:
        target = resolved(source, found[2])
        if target is None:
            return found[0]
        goal = target.removeprefix("docs/") if target.startswith("docs/") else place(target)
        return f"{found[1]}{posixpath.relpath(goal, posixpath.dirname(here) or '.')}{found[3] or ''}{found[4]}"

    return LINK.sub(changed, markdown)


def outside(source: str, text: str) -> set[str]:
    """Paths of files outside docs/ that the text of a file links to."""
    targets = {resolved(source, found[2]) for found in LINK.finditer(text)}
    return {target for target in targets if target and not target.startswith("docs/")}


def resolved(source: str, link: str) -> str | None:
    """The file of the repository that a link of another one leads to; None for addresses and for links that lead nowhere."""
    if re.match(r"[a-z]+:|/", link):
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    return target if not target.startswith("..") and (ROOT / target).is_file() else None


def place(target: str) -> str:
    """Where the page of a file stands among those of the site."""
    return f"files/{target}.md"


def page(target: str) -> str:
    """The text of a file as Markdown."""
    text = (ROOT / target).read_text(encoding="utf-8")
    if target.endswith(".md"):
        return HIDDEN + text
    fence = "`" * 4
    return f"{HIDDEN}# {target}\n\n{fence}{LANGUAGES.get(Path(target).suffix, 'text')}\n{text.rstrip()}\n{fence}\n"
