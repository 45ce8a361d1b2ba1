"""The library of operators, and their gradients under torch's autograd."""

from __future__ import annotations

import json
import os
import threading
from contextlib import nullcontext
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, Callable, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

_OLDEST = (2, 11)
TYPES = {5: torch.float16, 15: torch.bfloat16}  # as LibTorch numbers them


def _load() -> None:
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < _OLDEST:
        raise ImportError(f"lcsm: expected torch 2.11 or later, got {torch.__version__}: pip install -U torch")
    torch.zeros(1, device="cpu").exp()  # before there are threads: see runner/train/verbs/vector_math.cpp
    torch.ops.load_library(os.environ.get("LCSM_LIBRARY") or Path(__file__).with_name("liblcsm_python.so"))


_load()
operators = torch.ops.lcsm
_implementations = torch.library.Library("lcsm", "IMPL")


def _gelu(x: Tensor, by_tanh: float) -> Tensor:
    return torch.nn.functional.gelu(x, approximate="tanh" if by_tanh else "none")


def _linspace(x: Tensor, first: float, last: float, count: float) -> Tensor:
    return torch.linspace(first, last, int(count), dtype=x.dtype, device=x.device)


def _pad(x: Tensor, value: float, *steps: float) -> Tensor:
    return torch.nn.functional.pad(x, [int(step) for step in steps], value=value)


def _vector_norm(x: Tensor, order: float, keepdim: float, *dims: float) -> Tensor:
    return torch.linalg.vector_norm(x, order, dim=[int(dim) for dim in dims], keepdim=bool(keepdim))


_BY_NAME = {
    "elu": torch.nn.functional.elu,
    "gelu": _gelu,
    "linspace": _linspace,
    "pad": _pad,
    "pow": torch.pow,
    "remainder": torch.remainder,
    "softplus": torch.nn.functional.softplus,
    "vector_norm": _vector_norm,
}
_FUNCTIONS = [_BY_NAME[name] for name in operators.names_with_numbers().split()]  # by the library's numbers


def _with_numbers(function: int, x: Tensor, numbers: Sequence[float]) -> Tensor:
    return _FUNCTIONS[function](x, *numbers)


class _Operation(torch.autograd.Function):
    """operation is a tensor that owns it, of the shape [results, 2 if backward reads the inputs, else 1]."""

    # Without setup_context, for which torch reads the signature at each call: 20 microseconds.
    @staticmethod
    def forward(ctx: Any, operation: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        with torch._C._AutoDispatchBelowAutograd():
            output = tuple(_forward(operation, inputs))
        ctx.results, keeps = operation.shape
        ctx.inputs = len(inputs)
        ctx.operation = operation  # not among the saved tensors, which a hook of the user's may copy
        ctx.save_for_backward(*(inputs if keeps == 2 else (None,) * len(inputs)), *output)
        ctx.mark_non_differentiable(*output[ctx.results :])
        ctx.set_materialize_grads(False)
        return output

    @staticmethod
    def backward(ctx: Any, *d_outputs: Tensor | None) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():
            raise RuntimeError(
                "lcsm: expected first derivatives only, got create_graph=True: the machines have no second ones;"
                " call the layer with definition=True"
            )
        d_results = d_outputs[: ctx.results]
        return None, *_backward(ctx.operation, ctx.inputs, ctx.saved_tensors, d_results)

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor | None) -> Any:
        raise RuntimeError(
            "lcsm: expected derivatives by backward, got a tensor with a tangent: the machines have none in forward mode;"
            " call the layer with definition=True"
        )


_apply = super(torch.autograd.Function, _Operation).apply


class _Raised(threading.local):
    """What Python raised inside an operator: the stable ABI hands on only that something failed."""

    error: BaseException | None = None

    def taken(self) -> BaseException:
        """Kept no longer: its frames hold tensors."""
        error, self.error = self.error, None
        assert error is not None
        return error


_raised = _Raised()


def _operation(operation: Tensor, inputs: Sequence[Tensor]) -> list[Tensor]:
    try:
        return list(_apply(operation, *inputs))
    except BaseException as error:
        _raised.error = error
        raise


def _watched_hooks() -> Any:
    """Hooks of the user's, such as those of checkpointing, also meet what LibTorch's operators save inside ours. What
    they raise waits until our operator is done: LibTorch would print a line of an error for it on stderr."""
    hooks = torch._C._autograd._top_saved_tensors_default_hooks(False)
    if hooks is None:
        return nullcontext()
    pack, unpack = hooks

    def watched(tensor: Tensor) -> Any:
        if _raised.error is None:
            try:
                return pack(tensor)
            except BaseException as error:
                _raised.error = error
        return None

    return torch.autograd.graph.saved_tensors_hooks(watched, unpack)


def called(operator: Callable[..., Any], *arguments: Any) -> Any:
    """What an operator returns. What Python raises inside it reaches its caller: checkpointing stops so."""
    if torch._C._are_functorch_transforms_active():
        raise RuntimeError(
            "lcsm: the transforms of torch.func (grad, vmap, ...) see no gradient of ours: use autograd, and the batch of"
            " x in place of vmap"
        )
    _raised.error = None
    try:
        with _watched_hooks():
            returned = operator(*arguments)
    except RuntimeError:
        if _raised.error is None:
            raise
    if _raised.error is not None:
        raise _raised.taken()
    return returned


_forward = operators.operation.default
_backward = operators.operation_backward.default


_implementations.impl("with_numbers", _with_numbers, "CompositeImplicitAutograd")
_implementations.impl("operation", _operation, "Autograd")


@lru_cache(maxsize=None)
def description(spec: str) -> dict[str, Any]:
    """Of a layer: its tensors; of a code also its symbols and the rows of its state."""
    return json.loads(operators.describe(spec))


@torch.compiler.assume_constant_result
def symbols_of(spec: str) -> tuple[str, ...]:
    return tuple(symbol["name"] for symbol in description(spec).get("symbols", []))


@torch.compiler.assume_constant_result
def states_of(spec: str) -> tuple[str, ...]:
    """The names of what a code carries; a block's are known after its first step only."""
    return tuple(state["name"] for state in description(spec).get("state", []))


def products_of(x: Tensor) -> int:
    """The number of the type that autocast computes products in, -1 without autocast."""
    device = x.device.type
    if device not in ("cpu", "cuda") or not torch.is_autocast_enabled(device):
        return -1
    dtype = torch.get_autocast_dtype(device)
    return next(number for number, numbered in TYPES.items() if numbered == dtype)


def in_one_type(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Under autocast tensors may differ in type, as a product's output and weights do: all in the widest."""
    if products_of(tensors[0]) < 0:
        return list(tensors)
    widest = reduce(torch.promote_types, (tensor.dtype for tensor in tensors))
    return [tensor.to(widest) for tensor in tensors]


def autocast(x: Tensor, products: int) -> Any:
    """Autocast of that type. Nothing is cached: a weight rounded without gradients would serve those who need them."""
    if products < 0:
        return nullcontext()
    return torch.autocast(x.device.type, TYPES[products], cache_enabled=False)


def learns(*tensors: Tensor) -> bool:
    """Whether gradients of one of them will be asked for, or an operation may meet a tangent, which it refuses."""
    if forward_ad._current_level >= 0:
        return True
    return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
