#!/usr/bin/env python3
"""Times lcsm.eos on a CPU beside a plain loop of PyTorch and fla's naive forms, from q, k, v and the gate's input to
gradients:  beside_fla.py [B,T,d,k] [THREADS]

Needs torch, flash-linear-attention and lcsm (LCSM_LIBRARY, or the wheel). A row is timed only if its values and
gradients are those of lcsm.eos. The forms take turns; a row is the median of its turns.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
import warnings
from importlib.metadata import version
from typing import Callable

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid, normalize

warnings.filterwarnings("ignore", message="Triton is not supported")

import lcsm  # noqa: E402

TAU = 16
SECONDS = 20.0  # a code
TOLERANCE = 1e-3  # of the largest number: float32 in another order
Form = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def fla(folder: str, name: str) -> Callable[..., tuple[Tensor, Tensor]]:
    return getattr(importlib.import_module(f"fla.ops.{folder}"), name)


def heads(*tensors: Tensor) -> list[Tensor]:
    """[B, T, 1, ...]: fla's layout with one head."""
    return [tensor[:, :, None] for tensor in tensors]


def first(*tensors: Tensor) -> list[Tensor]:
    """[B, 1, T, ...]: the layout of its older functions."""
    return [tensor[:, None] for tensor in tensors]


def loop(q: Tensor, k: Tensor, v: Tensor, step: Callable[[Tensor, int], Tensor]) -> Tensor:
    m, y = v.new_zeros(v.shape[0], k.shape[-1], v.shape[-1]), []
    for t in range(v.shape[1]):
        m = step(m, t) + k[:, t, :, None] * v[:, t, None]
        y.append((q[:, t, :, None] * m).sum(1))
    return torch.stack(y, 1) * k.shape[-1] ** -0.5


def gla_loop(q: Tensor, k: Tensor, v: Tensor, p: Tensor) -> Tensor:
    o = p.sigmoid() ** (1 / TAU)
    return loop(q, k, v, lambda m, t: o[:, t, :, None] * m)


def gla_chunk(q: Tensor, k: Tensor, v: Tensor, p: Tensor) -> Tensor:
    """RWKV-6 reads before it writes: its gate goes into q, and what a step reads of its own is added."""
    gate = logsigmoid(p) / TAU
    q = q * k.shape[-1] ** -0.5
    bonus = q.new_zeros(1, q.shape[-1])
    past = fla("rwkv6.chunk_naive", "naive_chunk_rwkv6")(*first(q * gate.exp(), k, v, gate), bonus)
    return past[:, 0] + (q * k).sum(-1, keepdim=True) * v


def delta_loop(q: Tensor, k: Tensor, v: Tensor, p: Tensor) -> Tensor:
    beta = p.sigmoid()[..., None]
    kept = lambda m, t: m - (beta * k)[:, t, :, None] * (k[:, t, :, None] * m).sum(1, keepdim=True)
    return loop(q, k, beta * v, kept)


def scaled(q: Tensor) -> Tensor:
    return q * q.shape[-1] ** -0.5


FORMS: dict[str, dict[str, Form]] = {
    "1-3-1-0": {
        "lcsm.eos": lambda q, k, v, p: lcsm.eos("1-3-1-0", i=v, e=k, s=scaled(q), p_k=p)[0],
        "loop of PyTorch": gla_loop,
        "naive_recurrent_gla": lambda q, k, v, p: fla("gla.naive", "naive_recurrent_gla")(
            *heads(q, k, v, logsigmoid(p) / TAU)
        )[0][:, :, 0],
        "naive_chunk_rwkv6": gla_chunk,
    },
    "1-10-1-0": {
        "lcsm.eos": lambda q, k, v, p: lcsm.eos("1-10-1-0", i=v, e=k, s=scaled(q))[0],
        "loop of PyTorch": lambda q, k, v, p: loop(q, k, v, lambda m, t: m),
        "naive_recurrent_linear_attn": lambda q, k, v, p: fla("linear_attn.naive", "naive_recurrent_linear_attn")(
            *heads(q, k, v)
        )[0][:, :, 0],
        "naive_chunk_linear_attn": lambda q, k, v, p: fla("linear_attn.naive", "naive_chunk_linear_attn")(
            *heads(q, k, v)
        )[:, :, 0],
    },
    "fwp": {
        "lcsm.eos": lambda q, k, v, p: lcsm.eos("fwp", i=v, e=k, s=scaled(q), p=p)[0],
        "loop of PyTorch": delta_loop,
        "delta_rule_recurrence": lambda q, k, v, p: fla("delta_rule.naive", "delta_rule_recurrence")(
            *first(q, k, v, p.sigmoid())
        )[0][:, 0],
        "delta_rule_chunkwise": lambda q, k, v, p: fla("delta_rule.naive", "delta_rule_chunkwise")(
            *first(q, k, v, p.sigmoid())
        )[0][:, 0],
    },
}


def inputs_of(code: str, B: int, T: int, d: int, k: int) -> list[Tensor]:
    torch.manual_seed(5)
    p = torch.randn(B, T) if code == "fwp" else torch.randn(B, T, k)
    q, key, v = torch.randn(B, T, k), normalize(torch.randn(B, T, k), dim=-1), torch.randn(B, T, d)
    return [x.requires_grad_() for x in (q, key, v, p)]


def results_of(form: Form, inputs: list[Tensor], d_y: Tensor) -> list[Tensor]:
    y = form(*inputs)
    return [y, *torch.autograd.grad(y, inputs, d_y, allow_unused=True, materialize_grads=True)]


def checked(form: Form, exact: list[Tensor], inputs: list[Tensor], d_y: Tensor) -> tuple[float, bool]:
    """The largest difference, and whether autograd can differentiate it: some write into what it needs."""
    try:
        results, learns = results_of(form, inputs, d_y), True
    except RuntimeError as error:
        if "inplace operation" not in str(error):
            raise
        results, learns = [form(*inputs)], False
    pairs = [(a.detach(), b) for a, b in zip(results, exact)]
    return max(((a - b).abs().max() / b.abs().max().clamp_min(1e-9)).item() for a, b in pairs), learns


def turn(form: Form, learns: bool, inputs: list[Tensor], d_y: Tensor) -> tuple[float, float]:
    """Milliseconds of forward, and of forward and backward."""
    start = time.perf_counter()
    with torch.no_grad():
        form(*inputs)
    middle = time.perf_counter()
    if learns:
        results_of(form, inputs, d_y)
    return 1e3 * (middle - start), 1e3 * (time.perf_counter() - middle)


def timed(code: str, forms: dict[str, Form], inputs: list[Tensor], d_y: Tensor) -> None:
    exact = [result.detach() for result in results_of(forms["lcsm.eos"], inputs, d_y)]
    found = {name: checked(form, exact, inputs, d_y) for name, form in forms.items()}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in forms if found[name][0] <= TOLERANCE}
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or min(map(len, times.values())) < 5:
        for name, taken in times.items():
            taken.append(turn(forms[name], found[name][1], inputs, d_y))
    ours = 0.0
    for name, (difference, learns) in found.items():
        print(f"{code:<10}{name:<30}{difference:9.1e}", end="")
        if name not in times:
            print("  another recurrence")
            continue
        forward, both = (statistics.median(column) for column in zip(*times[name]))
        ours = ours or both
        backward = f"{both:19.2f}{both / ours:7.1f}" if learns else f"{'no gradient':>19}"
        print(f"{forward:13.2f}{backward}", flush=True)


def main(shape: str = "8,512,128,32", threads: str = "2") -> None:
    torch.set_num_threads(int(threads))
    B, T, d, k = map(int, shape.split(","))
    print(f"B, T, d, k = {shape}; {threads} threads; torch {torch.__version__}, fla {version('fla-core')}")
    print(f"{'code':<10}{'form':<30}{'off':>9}{'forward, ms':>13}{'with backward, ms':>19}{'x':>7}")
    for code, forms in FORMS.items():
        inputs = inputs_of(code, B, T, d, k)
        timed(code, forms, inputs, torch.randn(B, T, d))


if __name__ == "__main__":
    main(*sys.argv[1:])
