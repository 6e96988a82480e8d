"""Names that strangers may give to bodies, scenes and folders."""

NAMES = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "]]>--><!--",
    "a\x00b",
    "\x1b[2J\x1b]0;title\x07red",
    "two\nlines\r\nv 1 2 3",
    "\u202eright to left\u2066",
    "=cmd|' /C calc'!A0",
    "[link](javascript:alert(1)) **bold** `code`",
    "../../etc/passwd",
    "\ud800half",
    "{{7*7}} ${x} %s",
)
ALL = " ".join(NAMES)
