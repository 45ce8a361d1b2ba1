"""A layer or recurrence as one operator: what torch.compile, torch.export and CUDA graphs see.

Forward keeps its inputs only; backward computes forward once more. Outside of a compiler the layers call our machines
one by one, each with a gradient of its own, and compute nothing twice.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import torch
from torch import Tensor

from lcsm import _library

def _compute(
    kind: str,
    spec: str,
    names: str,
    tensors: Sequence[Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    products: int,
    definition: bool,
    learns: bool,
) -> list[Tensor]:
    states = len(names.split("\n")) if names else 0
    given, state = tensors[: len(tensors) - states], tensors[len(tensors) - states :]
    if kind == "layer":
        x, *weights = given
        return _library.operators.layer.default(
            spec, x, weights, names, state, padding, residual, learns, products, definition
        )
    i, e, s, *symbols = given
    return _library.operators.recurrence.default(
        spec, i, e, s, symbols, names, state, learns, products, definition
    )


def _own(tensor: Tensor, others: Sequence[Tensor | None]) -> Tensor:
    """An operator may return no tensor that it was given, nor a part of one."""
    places = {other.untyped_storage().data_ptr() for other in others if other is not None}
    return tensor.clone() if tensor.untyped_storage().data_ptr() in places else tensor.contiguous()


@torch.library.custom_op("lcsm::whole", mutates_args=())
def _whole(
    kind: str,
    spec: str,
    names: str,
    tensors: Sequence[Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    products: int,
    definition: bool,
) -> list[Tensor]:
    with torch.no_grad():
        outputs = _compute(kind, spec, names, tensors, padding, residual, products, definition, False)
    known = 1 + len(_library.states_of(spec))
    return [_own(output, [*tensors, padding, residual]) for output in outputs[:known]]


@torch.library.register_fake("lcsm::whole")
def _whole_shapes(
    kind: str,
    spec: str,
    names: str,
    tensors: Sequence[Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    products: int,
    definition: bool,
) -> list[Tensor]:
    x, about = tensors[0], _library.description(spec)
    outputs = [x.new_empty(x.shape)]
    sums = torch.float64 if x.dtype == torch.float64 else torch.float32
    for state in about.get("state", []):
        shape = [x.shape[0], *(about[axis] for axis in state["axes"])]
        outputs.append(x.new_empty(shape, dtype=sums))
    return outputs


@torch.library.custom_op("lcsm::whole_backward", mutates_args=())
def _whole_backward(
    kind: str,
    spec: str,
    names: str,
    tensors: Sequence[Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    products: int,
    definition: bool,
    learned: Sequence[bool],
    d_outputs: Sequence[Tensor | None],
) -> list[Tensor]:
    # These keys switch autograd off inside an operator.
    with (
        torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.AutogradFunctionality, False),
        torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView, False),
        torch.enable_grad(),
    ):
        leaves = [tensor.detach().requires_grad_(learns) for tensor, learns in zip(tensors, learned)]
        outputs = _compute(kind, spec, names, leaves, padding, residual, products, definition, True)
        pairs = [(out, d) for out, d in zip(outputs, d_outputs) if d is not None and out.requires_grad]
        sought = [leaf for leaf in leaves if leaf.requires_grad]
        found = torch.autograd.grad([out for out, _ in pairs], sought, [d for _, d in pairs], allow_unused=True)
    return [
        torch.zeros_like(leaf) if gradient is None else _own(gradient.detach(), [*tensors, *d_outputs])
        for leaf, gradient in zip(sought, found)
    ]


@torch.library.register_fake("lcsm::whole_backward")
def _whole_backward_shapes(
    kind: str,
    spec: str,
    names: str,
    tensors: Sequence[Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    products: int,
    definition: bool,
    learned: Sequence[bool],
    d_outputs: Sequence[Tensor | None],
) -> list[Tensor]:
    return [tensor.new_empty(tensor.shape) for tensor, learns in zip(tensors, learned) if learns]


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.kind, ctx.spec, ctx.names, tensors, padding, residual, ctx.products, ctx.definition = inputs
    ctx.set_materialize_grads(False)
    ctx.has = (padding is not None, residual is not None)
    ctx.save_for_backward(*tensors, *(tensor for tensor in (padding, residual) if tensor is not None))


def _gradients(ctx: Any, d_outputs: Sequence[Tensor | None]) -> tuple[Any, ...]:
    tensors = list(ctx.saved_tensors)
    residual = tensors.pop() if ctx.has[1] else None
    padding = tensors.pop() if ctx.has[0] else None
    learned = [tensor.requires_grad for tensor in tensors]
    found = iter(
        _whole_backward(
            ctx.kind,
            ctx.spec,
            ctx.names,
            tensors,
            padding,
            residual,
            ctx.products,
            ctx.definition,
            learned,
            list(d_outputs),
        )
    )
    gradients = [next(found) if learns else None for learns in learned]
    return None, None, None, gradients, None, None, None, None


torch.library.register_autograd("lcsm::whole", _gradients, setup_context=_keep)


def layer(
    spec: str,
    x: Tensor,
    weights: Sequence[Tensor],
    state: Mapping[str, Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    definition: bool,
) -> tuple[Tensor, dict[str, Tensor]]:
    return _called("layer", spec, [x, *weights], state, padding, residual, definition)


def recurrence(
    spec: str,
    i: Tensor,
    e: Tensor,
    s: Tensor,
    symbols: Sequence[Tensor],
    state: Mapping[str, Tensor],
    definition: bool,
) -> tuple[Tensor, dict[str, Tensor]]:
    return _called("recurrence", spec, [i, e, s, *symbols], state, None, None, definition)


def _called(
    kind: str,
    spec: str,
    given: list[Tensor],
    state: Mapping[str, Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    definition: bool,
) -> tuple[Tensor, dict[str, Tensor]]:
    names = "\n".join(state)
    tensors = [*given, *state.values()]
    output, *left = _whole(
        kind, spec, names, tensors, padding, residual, _library.products_of(given[0]), definition
    )
    return output, dict(zip(_library.states_of(spec), left))
