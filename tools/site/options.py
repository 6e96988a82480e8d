"""A hook of MkDocs: options such as `--report` in running text do not break at their hyphens.

Browsers break lines after a hyphen, even in code. Short code that contains an option gets the class `option`, which
docs/assets/site.css keeps on one line; longer code still wraps.
"""

from __future__ import annotations

import re
from typing import Any

LONGEST = 24
"""Characters of code that fit on the line of a narrow screen."""
INLINE = re.compile(rf"(?<!<pre>)<code>([^<\n]{{1,{LONGEST}}})</code>")


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """The page with short options marked."""
    return INLINE.sub(lambda found: f'<code class="option">{found[1]}</code>' if "-" in found[1] else found[0], html)
