"""Every sparse backend does every kind of factorisation in the same way."""

import numpy as np
import pytest
import scipy.sparse as sp

from supple.errors import BackendMissing, NotPositiveDefinite, SuppleError
from supple.linalg.factors.factorisation import analyse, available_backends, best_backend
from supple.linalg.krylov import preconditioned_cg, symmetric_product
from supple.linalg.pattern import symmetric_pattern

BACKENDS = ["pardiso", "cholmod", "superlu"]
KINDS = ["cholesky", "ldl", "lu"]
N = 20
CHAIN = np.stack([np.arange(N - 1), np.arange(1, N)], axis=1).astype(np.int32)
PATTERN = symmetric_pattern(N, [CHAIN])


def positive(seed: int = 0) -> np.ndarray:
    """Upper entries of a random positive definite matrix with the chain's pattern."""
    values = np.random.default_rng(seed).standard_normal(PATTERN.nnz)
    values[PATTERN.diagonal] = 25.0
    return values


def indefinite(negative: int) -> np.ndarray:
    values = positive()
    values[PATTERN.diagonal[:negative]] -= 60.0
    return values


def matrix(values: np.ndarray) -> np.ndarray:
    upper = sp.csr_matrix((values, PATTERN.indices, PATTERN.indptr), shape=(3 * N, 3 * N)).toarray()
    return upper + np.triu(upper, 1).T


def factorisation(kind: str, backend: str):
    if kind == "lu":
        full = sp.csr_matrix(matrix(np.ones(PATTERN.nnz)))
        return analyse("lu", full.indptr, full.indices, backend)
    return analyse(kind, PATTERN.indptr, PATTERN.indices, backend)


def values_for(kind: str, A: np.ndarray) -> np.ndarray:
    """Entries of A in the order of the kind."""
    shape = sp.csr_matrix(matrix(np.ones(PATTERN.nnz))) if kind == "lu" else None
    indptr, indices = (shape.indptr, shape.indices) if kind == "lu" else (PATTERN.indptr, PATTERN.indices)
    return A[np.repeat(np.arange(3 * N), np.diff(indptr)), indices]


@pytest.mark.parametrize("backend", BACKENDS)
def test_lu_copes_with_entries_that_happen_to_be_zero(backend: str) -> None:
    f = factorisation("lu", backend)
    A = matrix(positive()) + np.triu(matrix(positive(3)), 1)
    blocks = np.add.outer(np.arange(3 * N) % 3, -np.arange(3 * N) % 3) % 3
    A[(blocks != 0)] = 0.0  # most of the pattern, as in a body at rest
    f.factor(values_for("lu", A))
    b = np.random.default_rng(5).standard_normal(3 * N)
    np.testing.assert_allclose(A @ f.solve(b), b, rtol=0, atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_solves_for_several_right_hand_sides_at_once(backend: str, kind: str) -> None:
    f = factorisation(kind, backend)
    A = matrix(positive())
    f.factor(values_for(kind, A))
    b = np.random.default_rng(2).standard_normal((5, 3 * N))
    x = f.solve(b)
    assert x.shape == b.shape
    np.testing.assert_allclose(x @ A, b, rtol=0, atol=1e-11)
    np.testing.assert_allclose(f.solve(b[0]), x[0], rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_solves_again_and_again(backend: str, kind: str) -> None:
    f = factorisation(kind, backend)
    rng = np.random.default_rng(1)
    for seed in range(3):
        A = matrix(positive(seed))
        f.factor(values_for(kind, A))
        for _ in range(2):
            b = rng.standard_normal(3 * N)
            kept = b.copy()
            x = f.solve(b)
            assert np.abs(A @ x - b).max() <= 1e-12 * np.abs(b).max()
            assert np.array_equal(b, kept)
    f.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_lu_takes_a_matrix_without_symmetry(backend: str) -> None:
    A = matrix(positive())
    A[np.triu(np.abs(A) > 0, 1)] *= -0.3
    f = factorisation("lu", backend)
    f.factor(values_for("lu", A))
    b = np.arange(3.0 * N)
    assert np.abs(A @ f.solve(b) - b).max() <= 1e-12 * b.max()


@pytest.mark.parametrize("backend", BACKENDS)
def test_cholesky_says_when_it_is_not_definite_and_goes_on(backend: str) -> None:
    f = factorisation("cholesky", backend)
    for negative in (1, 7):
        with pytest.raises(NotPositiveDefinite):
            f.factor(indefinite(negative))
        with pytest.raises(SuppleError, match="without a successful factor"):
            f.solve(np.ones(3 * N))
        f.factor(positive())
        x = f.solve(np.ones(3 * N))
        assert np.abs(matrix(positive()) @ x - 1).max() <= 1e-13


@pytest.mark.parametrize("negative", [0, 1, 7])
@pytest.mark.parametrize("backend", BACKENDS)
def test_ldl_solves_indefinite_matrices_and_counts_negative_eigenvalues(backend: str, negative: int) -> None:
    values = indefinite(negative)
    assert (np.linalg.eigvalsh(matrix(values)) < 0).sum() == negative
    f = factorisation("ldl", backend)
    f.factor(values)
    b = np.arange(3.0 * N)
    assert np.abs(matrix(values) @ f.solve(b) - b).max() <= 1e-10 * b.max()
    assert f.negative == negative


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_nan_is_not_mistaken_for_an_indefinite_matrix(backend: str, kind: str) -> None:
    f = factorisation(kind, backend)
    values = values_for(kind, matrix(positive()))
    spoilt = values.copy()
    spoilt[17] = np.nan
    with pytest.raises(FloatingPointError, match="not finite"):
        f.factor(spoilt)
    f.factor(values)
    assert np.abs(matrix(positive()) @ f.solve(np.ones(3 * N)) - 1).max() <= 1e-12


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_factorisations_live_side_by_side(backend: str) -> None:
    first, second = factorisation("cholesky", backend), factorisation("cholesky", backend)
    first.factor(positive(1))
    second.factor(positive(2))
    for f, seed in ((first, 1), (second, 2)):
        assert np.abs(matrix(positive(seed)) @ f.solve(np.ones(3 * N)) - 1).max() <= 1e-13
    second.close()
    assert np.abs(matrix(positive(1)) @ first.solve(np.ones(3 * N)) - 1).max() <= 1e-13


@pytest.mark.parametrize("backend", BACKENDS)
def test_same_bits_every_time(backend: str) -> None:
    found = []
    for _ in range(2):
        f = factorisation("cholesky", backend)
        f.factor(positive())
        found.append(f.solve(np.arange(3.0 * N)))
    assert np.array_equal(*found)


def test_backends_are_known_by_name() -> None:
    assert list(available_backends()) == BACKENDS
    assert best_backend() in {"pardiso", "superlu"}
    with pytest.raises(BackendMissing, match=r"unknown solver 'pardisso'; did you mean 'pardiso'\?"):
        analyse("cholesky", PATTERN.indptr, PATTERN.indices, "pardisso")


def test_product_with_the_upper_triangle() -> None:
    x = np.random.default_rng(2).standard_normal(3 * N)
    got = symmetric_product(PATTERN.indptr, PATTERN.indices, positive(), x)
    np.testing.assert_allclose(got, matrix(positive()) @ x, rtol=1e-13, atol=1e-12)


def test_cg_with_an_old_factor_agrees_with_a_direct_solve() -> None:
    A, old = matrix(positive()), matrix(positive() * (1 + 0.02 * np.sin(np.arange(PATTERN.nnz))))
    b = np.random.default_rng(3).standard_normal(3 * N)
    found = preconditioned_cg(lambda p: A @ p, lambda r: np.linalg.solve(old, r), b, 1e-12, 30)
    assert found.x is not None
    assert 1 < found.iterations < 20
    np.testing.assert_allclose(found.x, np.linalg.solve(A, b), rtol=0, atol=1e-11)


def test_cg_has_nothing_to_do_for_a_zero_right_hand_side() -> None:
    found = preconditioned_cg(lambda p: p, lambda r: r, np.zeros(5), 1e-9, 10)
    assert found.iterations == 0
    assert np.array_equal(found.x, np.zeros(5))


def test_cg_gives_up_on_an_indefinite_matrix() -> None:
    A = matrix(indefinite(5))
    assert preconditioned_cg(lambda p: A @ p, lambda r: r / 25, np.ones(3 * N), 1e-12, 60).x is None


def test_cg_gives_up_early_when_it_does_not_pay() -> None:
    A = np.diag(np.logspace(0, 8, 60))
    found = preconditioned_cg(lambda p: A @ p, lambda r: r, np.ones(60), 1e-10, 30)
    assert found.x is None
    assert found.iterations == 10
