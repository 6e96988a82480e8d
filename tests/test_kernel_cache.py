"""Compiled kernels are kept under a name made of every source on which they depend: an edit never runs old code."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import supple
from child import environment
from supple.kernel_cache import WITH_KERNELS, sources, sources_digest

ROOT = Path(supple.__file__).parent
COVERED = set(sources(ROOT))
COMPILERS = {
    "CompiledLaw", "cfunc", "compiled_batch", "generated_jit", "gradient_for", "guvectorize", "hessian_for", "intrinsic",
    "jit", "njit", "overload", "overload_method", "register_jitable", "stencil", "vectorize",
}  # fmt: skip
"""Decorators that compile a function, Numba's and ours."""
LATE = {"CompiledLaw", "compiled_batch"}
"""Those that are no decorators: in a file that names one, any function may be compiled."""


def compilers(tree: ast.AST) -> set[str]:
    """Those that a source names."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names & COMPILERS


def with_kernels() -> list[Path]:
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(ROOT.rglob("*.py"))}
    found = [file for file, text in texts.items() if any(word in text for word in ("numba", *LATE))]
    return [file for file in found if compilers(ast.parse(texts[file]))]


def borrowed(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Modules of supple and names from them that stand in the bodies of compiled functions."""
    origin = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("supple")
        for alias in node.names
    }
    late = bool(compilers(tree) & LATE)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and (late or any(compilers(m) for m in function.decorator_list)):
            for statement in function.body:
                names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
                yield from (origin[name] for name in sorted(names & origin.keys()))


def source_of(module: str) -> Path:
    path = ROOT.parent / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_there_are_kernels_to_look_for() -> None:
    names = {file.name for file in with_kernels()}
    assert {"scatter.py", "kernels.py", "viscosity.py", "raster.py", "map_kernels.py", "link_forces.py"} | {
        "projection.py"
    } <= names


@pytest.mark.parametrize("file", with_kernels(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_source_with_kernels_is_covered(file: Path) -> None:
    covered = COVERED
    assert file in covered, "add its folder to WITH_KERNELS in kernel_cache"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    missing = {module for module, _ in borrowed(tree) if source_of(module) not in covered} - {"supple.types"}
    assert not missing, f"compiled code calls {missing}: add the folder to WITH_KERNELS in kernel_cache"


def test_any_edit_of_a_kernel_changes_the_name(tmp_path: Path) -> None:
    for file in sources(ROOT):
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    before = sources_digest(tmp_path)
    assert before == sources_digest(ROOT)
    for file in {file.parent: file for file in with_kernels()}.values():  # one of each folder
        copy = tmp_path / file.relative_to(ROOT)
        text = copy.read_text(encoding="utf-8")
        copy.write_text(text + "\n", encoding="utf-8")
        assert sources_digest(tmp_path) != before, file
        copy.write_text(text, encoding="utf-8")
    assert sources_digest(tmp_path) == before


@pytest.mark.parametrize("folder", WITH_KERNELS)
def test_packages_with_kernels_choose_their_place(folder: str) -> None:
    """Whichever is imported first: Numba reads its settings once, and would write beside the sources."""
    tree = ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8"))
    calls = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Expr)]
    assert "choose()" in calls


def test_no_kernel_is_written_beside_the_sources(tmp_path: Path) -> None:
    """The package that was imported first by a test once had its kernels in its own folder."""
    words = (
        "import supple.coarsening.map_kernels, numba, os; print(numba.config.CACHE_DIR, os.environ['XDG_CACHE_HOME'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=True,
        env=environment() | {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""},
    )  # fmt: skip
    chosen, base = done.stdout.split()
    assert chosen.startswith(base)
