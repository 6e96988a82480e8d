"""A run as a function of PyTorch tensors (float64, CPU): `pip install 'supple[torch]'`.

run = ArrayRun(model, supple.AVF(), 1 / 60, 60, ("bar.mu", "bar.lam"))
x1, v1 = simulated(run, x0, v0, mu, lam)
loss(x1).backward()
"""

from __future__ import annotations

from typing import Any

import torch

from supple.bridges.runs import ArrayRun


class Simulated(torch.autograd.Function):
    """Forward records the run, backward pulls it back."""

    @staticmethod
    def forward(ctx: Any, run: ArrayRun, *arguments: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        ctx.run, ctx.like = run, arguments
        ctx.record = run.forward(*(a.detach().cpu().numpy() for a in arguments))
        return tuple(arguments[0].new_tensor(a) for a in (ctx.record.last.x, ctx.record.last.v))

    @staticmethod
    def backward(ctx: Any, *bars: torch.Tensor) -> tuple[Any, ...]:
        found = ctx.run.backward(ctx.record, *(b.detach().cpu().numpy() for b in bars))
        return None, *(like.new_tensor(bar) for like, bar in zip(ctx.like, found, strict=True))


def simulated(run: ArrayRun, *arguments: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Last positions and velocities (n, 3), differentiable with respect to all arguments of the run."""
    return Simulated.apply(run, *arguments)
