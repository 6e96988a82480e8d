"""Runs inside PyTorch and JAX: their gradients are those of the reverse sweep, and those of differences."""

import numpy as np
import pytest

import supple as sp
from supple.bridges.runs import ArrayRun
from supple.solvers.options import SolverOptions

pytestmark = pytest.mark.bridges


def array_run(steps: int = 6) -> ArrayRun:
    bar = sp.Body(sp.Bar(cells=(3, 1, 1), size=(0.6, 0.1, 0.1)), sp.StVK.from_young(5e4, 0.3), name="bar", pin="left")
    model = sp.assemble(sp.World([bar], gravity=(0.0, -9.81, 0.0)), solver=SolverOptions(tolerance=1e-12))
    return ArrayRun(model, sp.AVF(), 1 / 60, steps, ("bar.mu", "bar.lam"))


def test_torch_checks_its_gradient() -> None:
    import torch

    from supple.bridges.torch import simulated

    run = array_run(3)
    given = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in run.arguments()]
    assert torch.autograd.gradcheck(
        lambda *a: simulated(run, *a), given, eps=1e-5, atol=1e-6, rtol=1e-5, nondet_tol=1e-9
    )


def test_torch_fits_a_stiffness() -> None:
    import torch

    from supple.bridges.torch import simulated

    run = array_run(12)
    x, v, mu, lam = (torch.tensor(a, dtype=torch.float64) for a in run.arguments())
    target = simulated(run, x, v, mu, lam)[0]
    factor = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    fit = torch.optim.LBFGS([factor], line_search_fn="strong_wolfe", tolerance_grad=1e-12, tolerance_change=1e-14)

    def closure() -> torch.Tensor:
        fit.zero_grad()
        loss = 1e4 * (simulated(run, x, v, factor * mu, factor * lam)[0] - target).square().sum()
        loss.backward()
        return loss

    fit.step(closure)
    assert abs(factor.item() - 1.0) < 1e-4


def test_jax_gives_the_same_gradient() -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    from supple.bridges.jax import simulated

    run = array_run()
    weights = np.random.default_rng(1).standard_normal(run.shapes()[0])
    last = simulated(run)

    def loss(*given: jax.Array) -> jax.Array:
        return (weights * last(*given)[0]).sum()

    given = tuple(jax.numpy.asarray(a) for a in run.arguments())
    found = jax.jit(jax.grad(loss, argnums=(0, 1, 2, 3)))(*given)
    record = run.forward(*run.arguments())
    for ours, theirs in zip(run.backward(record, weights, np.zeros_like(weights)), found, strict=True):
        np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=1e-9 * np.abs(ours).max())
    step = 1e-4 * run.arguments()[2]
    upper, lower = (float(loss(given[0], given[1], given[2] + s * step, given[3])) for s in (1.0, -1.0))
    np.testing.assert_allclose((upper - lower) / 2, np.vdot(found[2], step), rtol=1e-6)
