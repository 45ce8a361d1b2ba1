"""A layer or recurrence as one operator: what torch.compile and torch.export see.

Forward keeps its inputs only; backward computes forward once more. Outside of a compiler the layers call our machines
one by one, each with a gradient of its own, and compute nothing twice.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

import torch
from torch import Tensor

from lcsm import _library

_ARGUMENTS = (
    "str kind, str spec, str names, Tensor[] tensors, Tensor? padding, Tensor? residual, int products, bool definition"
)


class _Call(NamedTuple):
    """The arguments of both operators. tensors are the layer's x and weights, or the recurrence's i, e, s and symbols,
    and then the state's, whose names are the lines of `names`."""

    kind: str
    spec: str
    names: str
    tensors: Sequence[Tensor]
    padding: Tensor | None
    residual: Tensor | None
    products: int
    definition: bool

    def given(self) -> list[Tensor]:
        """Those that may have a gradient."""
        return [*self.tensors, *([] if self.residual is None else [self.residual])]

    def outputs(self) -> list[Tensor]:
        with torch.no_grad():
            outputs = self.compute(self.given(), False)
        known = 1 + len(_library.states_of(self.spec))
        return [_own(output, [*self.tensors, self.padding, self.residual]) for output in outputs[:known]]

    def gradients(self, learned: Sequence[bool], d_outputs: Sequence[Tensor | None]) -> list[Tensor]:
        # These keys switch autograd off inside an operator.
        with (
            torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.AutogradFunctionality, False),
            torch._C._SetExcludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView, False),
            torch.enable_grad(),
        ):
            leaves = [tensor.detach().requires_grad_(learns) for tensor, learns in zip(self.given(), learned)]
            pairs = [
                (output, d)
                for output, d in zip(self.compute(leaves, True), d_outputs)
                if d is not None and output.requires_grad
            ]
            sought = [leaf for leaf in leaves if leaf.requires_grad]
            found = torch.autograd.grad([out for out, _ in pairs], sought, [d for _, d in pairs], allow_unused=True)
        return [
            torch.zeros_like(leaf) if gradient is None else _own(gradient.detach(), [*self.given(), *d_outputs])
            for leaf, gradient in zip(sought, found)
        ]

    def compute(self, given: Sequence[Tensor], learns: bool) -> list[Tensor]:
        tensors = given[: len(self.tensors)]
        residual = None if self.residual is None else given[-1]
        states = len(self.names.split("\n")) if self.names else 0
        first, state = tensors[: len(tensors) - states], tensors[len(tensors) - states :]
        rest = (learns, self.products, self.definition)
        with _library.autocast(first[0], self.products):  # a compiled graph switches it off
            if self.kind == "layer":
                x, *weights = first
                layer = _library.operators.layer.default
                return layer(self.spec, x, weights, self.names, state, self.padding, residual, False, *rest)
            i, e, s, *symbols = first
            return _library.operators.recurrence.default(self.spec, i, e, s, symbols, self.names, state, *rest)

    def output_dtype(self) -> torch.dtype:
        """Under autocast a code's layer ends in a product, a block in the input's type."""
        dtype = self.tensors[0].dtype
        ends_in_product = self.kind == "layer" and _library.states_of(self.spec) and dtype != torch.float64
        return _library.TYPES[self.products] if ends_in_product and self.products >= 0 else dtype


def _own(tensor: Tensor, others: Sequence[Tensor | None]) -> Tensor:
    """An operator may return no tensor that it was given, nor a part of one."""
    places = {other.untyped_storage().data_ptr() for other in others if other is not None}
    return tensor.clone() if tensor.untyped_storage().data_ptr() in places else tensor.contiguous()


@torch.library.custom_op("lcsm::whole", mutates_args=(), schema=f"({_ARGUMENTS}) -> Tensor[]")
def _whole(*arguments: Any) -> list[Tensor]:
    return _Call(*arguments).outputs()


@_whole.register_fake
def _whole_shapes(*arguments: Any) -> list[Tensor]:
    call = _Call(*arguments)
    x, about = call.tensors[0], _library.description(call.spec)
    outputs = [x.new_empty(x.shape, dtype=call.output_dtype())]
    sums = torch.float64 if x.dtype == torch.float64 else torch.float32
    for state in about.get("state", []):
        shape = [x.shape[0], *(about[axis] for axis in state["axes"])]
        outputs.append(x.new_empty(shape, dtype=sums))
    return outputs


@torch.library.custom_op(
    "lcsm::whole_backward",
    mutates_args=(),
    schema=f"({_ARGUMENTS}, bool[] learned, Tensor?[] d_outputs) -> Tensor[]",
)
def _whole_backward(*arguments: Any) -> list[Tensor]:
    *of_call, learned, d_outputs = arguments
    return _Call(*of_call).gradients(learned, d_outputs)


@_whole_backward.register_fake
def _whole_backward_shapes(*arguments: Any) -> list[Tensor]:
    *of_call, learned, _ = arguments
    return [
        tensor.new_empty(tensor.shape) for tensor, learns in zip(_Call(*of_call).given(), learned) if learns
    ]


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    call = _Call(*inputs)
    ctx.set_materialize_grads(False)
    ctx.has = (call.padding is not None, call.residual is not None)
    ctx.save_for_backward(*call.given(), *([] if call.padding is None else [call.padding]))
    ctx.call = call._replace(tensors=(), padding=None, residual=None)


def _gradients(ctx: Any, d_outputs: Sequence[Tensor | None]) -> tuple[Any, ...]:
    tensors = list(ctx.saved_tensors)
    padding = tensors.pop() if ctx.has[0] else None
    learned = [tensor.requires_grad for tensor in tensors]
    residual = tensors.pop() if ctx.has[1] else None
    call = ctx.call._replace(tensors=tensors, padding=padding, residual=residual)
    found = iter(_whole_backward(*call, learned, list(d_outputs)))
    gradients = [next(found) if learns else None for learns in learned]
    of = {"residual": gradients.pop() if ctx.has[1] else None, "tensors": gradients}
    return tuple(of.get(name) for name in _Call._fields)


_whole.register_autograd(_gradients, setup_context=_keep)


def layer(
    spec: str,
    x: Tensor,
    weights: Sequence[Tensor],
    state: Mapping[str, Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    definition: bool,
) -> tuple[Tensor, list[Tensor]]:
    return _called("layer", spec, [x, *weights], state, padding, residual, definition)


def recurrence(
    spec: str,
    i: Tensor,
    e: Tensor,
    s: Tensor,
    symbols: Sequence[Tensor],
    state: Mapping[str, Tensor],
    definition: bool,
) -> tuple[Tensor, list[Tensor]]:
    return _called("recurrence", spec, [i, e, s, *symbols], state, None, None, definition)


def _called(
    kind: str,
    spec: str,
    given: list[Tensor],
    state: Mapping[str, Tensor],
    padding: Tensor | None,
    residual: Tensor | None,
    definition: bool,
) -> tuple[Tensor, list[Tensor]]:
    products = _library.products_of(given[0])
    tensors = [*given, *state.values()]
    output, *left = _whole(kind, spec, "\n".join(state), tensors, padding, residual, products, definition)
    return output, left
