"""Where LLVM makes no machine code, NumPy takes its place behind the same address."""

import numpy as np
import pytest

from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.formulas.code import emit as emitting
from supple.formulas.code import machine
from supple.formulas.graph import leaf
from supple.formulas.parse import parse
from supple.linalg.parts import split_elements, split_vertices
from supple.linalg.threads import threads, use_threads
from supple.materials.formula_material import material
from supple.mesh.shapes.solid import Bar


@pytest.fixture
def no_llvm(monkeypatch):
    def refuse(module, name):
        raise RuntimeError("no target for this processor")

    monkeypatch.setattr(emitting, "compiled", refuse)


@pytest.mark.filterwarnings("ignore:formulas are evaluated by NumPy")
def test_the_same_values(no_llvm):
    outputs = [[parse("a*x + tanh(y)", ["a", "x", "y"], {}), leaf("x")], [parse("log(x)", ["x"], {})]]
    parameters, inputs = np.full((1, 16), 3.0), np.random.default_rng(0).uniform(0.1, 2.0, (2, 16))
    first, second = emitting.emit(["a"], ["x", "y"], outputs)(parameters, inputs)
    x, y = inputs
    np.testing.assert_array_equal(first, [3.0 * x + np.tanh(y), x])
    np.testing.assert_array_equal(second, [np.log(x)])


def test_a_warning_says_so(no_llvm):
    with pytest.warns(UserWarning, match=r"thirty times slower: .*no target for this processor"):
        emitting.emit([], ["x"], [[leaf("x")]])


def test_without_parameters(no_llvm):
    with pytest.warns(UserWarning, match="NumPy"):
        function = emitting.emit([], ["x"], [[leaf("x") * 2.0]])
    np.testing.assert_array_equal(function(np.empty((0, 16)), np.ones((1, 16)))[0], np.full((1, 16), 2.0))


def test_a_function_that_the_c_library_lacks(monkeypatch):
    monkeypatch.setattr(machine.llvm, "address_of_symbol", lambda name: None)
    with pytest.warns(UserWarning, match="the C library has no tanh"):
        function = emitting.emit([], ["x"], [[parse("tanh(x)", ["x"], {})]])
    np.testing.assert_array_equal(function(np.empty((0, 16)), np.ones((1, 16)))[0], np.full((1, 16), np.tanh(1.0)))


def forces(energy: str) -> np.ndarray:
    """Of a bar in two parts, whose kernels run in threads."""
    mesh = Bar(cells=(4, 2, 2)).mesh()
    solid = Solid(mesh.vertices, mesh.tets, material("own", energy, mu=1e4, lam=2e4))
    x = mesh.vertices + 0.05 * np.sin(3.0 * mesh.vertices[:, ::-1])
    one = np.ones(1)
    out = np.zeros_like(x)
    parts = split_elements(solid.elements, split_vertices(mesh.vertices, 2))
    solid.add_value_gradient(Samples(x[None], one, one, one), parts, out)
    return out


@pytest.mark.filterwarnings("ignore:formulas are evaluated by NumPy")
@pytest.mark.parametrize(
    "energy",
    ["mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2", "mu*(log(l1)^2 + log(l2)^2 + log(l3)^2) + lam/2*log(J)^2"],
)
def test_a_solid_in_threads(no_llvm, monkeypatch, energy):
    before = threads()
    use_threads(2)
    try:
        # texts that differ, since laws are kept by their text
        slow = forces(f"{energy} + 0")
        monkeypatch.undo()
        fast = forces(f"{energy} + 0*1")
    finally:
        use_threads(before)
    np.testing.assert_allclose(slow, fast, rtol=1e-12, atol=1e-12 * np.abs(fast).max())
