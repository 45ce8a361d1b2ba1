"""The layer that a configuration of another library asks for by its options."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lcsm import layers


def layer_of(
    d: int,
    *,
    code: str | None = None,
    system: str | None = None,
    block: str | None = None,
    layer: int | None = None,
    **options: Any,
) -> layers.Layer:
    """The layer of a code, a named system or a block, with its options."""
    names = {"code": code, "system": system, "block": block}
    given = [key for key, name in names.items() if name is not None]
    if len(given) != 1:
        raise ValueError(f"lcsm: expected one of code=, system= and block=, got {' and '.join(given) or 'none'}")
    if code is not None:
        return layers.Eos(code, d, **options)
    if system is not None:
        return layers.system(system, d, layer=layer, **options)
    assert block is not None
    return layers.block(block, d, **options)


def needs_definition(x: Tensor) -> bool:
    """Whether no machine computes numbers of this type on this device, so that the definition does."""
    return not (x.is_cpu or (x.is_cuda and x.dtype in (torch.float32, torch.bfloat16)))
