"""The bill of materials has every package of the lock once, with hashes, scope and a graph that holds together."""

import json
import re
from typing import Any

import pytest
from pins import pins
from write_sbom import bill, main


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return bill()


def test_frame(document: dict[str, Any]) -> None:
    assert document["bomFormat"] == "CycloneDX"
    assert document["specVersion"] == "1.6"
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", document["serialNumber"])
    assert document["metadata"]["component"]["licenses"] == [{"expression": "Apache-2.0"}]


def test_each_package_of_the_lock_once(document: dict[str, Any]) -> None:
    found = {part["name"]: part["version"] for part in document["components"]}
    assert len(found) == len(document["components"])
    assert found == {name: str(pin.version) for name, pin in pins("dev").items()}


def test_hashes_are_those_of_the_lock(document: dict[str, Any]) -> None:
    locked = pins("dev")
    for part in document["components"]:
        (reference,) = part["externalReferences"]
        assert tuple(h["content"] for h in reference["hashes"]) == locked[part["name"]].hashes


def test_scopes(document: dict[str, Any]) -> None:
    scope = {part["name"]: part["scope"] for part in document["components"]}
    assert (scope["numpy"], scope["cvxopt"], scope["pytest"], scope["hatchling"]) == (
        "required",
        "optional",
        "excluded",
        "excluded",
    )


def test_graph_names_only_what_is_there(document: dict[str, Any]) -> None:
    known = {part["bom-ref"] for part in document["components"]} | {document["metadata"]["component"]["bom-ref"]}
    graph = {entry["ref"]: entry["dependsOn"] for entry in document["dependencies"]}
    assert graph.keys() == known
    assert {ref for refs in graph.values() for ref in refs} <= known
    numba = next(ref for ref in graph if ref.startswith("pkg:pypi/numba@"))
    assert any(ref.startswith("pkg:pypi/llvmlite@") for ref in graph[numba])


def test_same_lock_same_bill(tmp_path: Any, document: dict[str, Any]) -> None:
    main(tmp_path / "build" / "bill.json")
    assert json.loads((tmp_path / "build" / "bill.json").read_text(encoding="utf-8")) == document
