"""Whatever the writer writes, the standard reader reads back."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from supple.toml import document
from supple.wording import inline

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | text
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=12
)


@given(st.dictionaries(text, values, max_size=4))
def test_round_trip(data: dict[str, Any]) -> None:
    assert tomllib.loads(document(data)) == data
    assert tomllib.loads(f"v = {inline(data)}") == {"v": data}


def test_layout() -> None:
    data = {"body": [{"pin": ["a"], "mesh": {"shape": "bar"}}], "title": "x", "empty": {}}
    assert document(data) == 'title = "x"\n\n[[body]]\npin = ["a"]\n\n[body.mesh]\nshape = "bar"\n\n[empty]\n'
