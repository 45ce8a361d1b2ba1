"""The layer that a configuration of another library asks for by its options."""

from __future__ import annotations

from typing import Any

import torch

from lcsm import layers


def layer_of(
    d: int,
    *,
    code: str | None = None,
    system: str | None = None,
    block: str | None = None,
    layer: int | None = None,
    seed: int | None = None,
    **options: Any,
) -> layers.Layer:
    """The layer of a code, a named system or a block, with its options. Without a seed torch's generator gives one, so
    that layers of one model differ."""
    names = {"code": code, "system": system, "block": block}
    given = [key for key, name in names.items() if name is not None]
    if len(given) != 1:
        raise ValueError(f"lcsm: expected one of code=, system= and block=, got {' and '.join(given) or 'none'}")
    if seed is None:
        seed = int(torch.randint(1 << 31, ()))
    if code is not None:
        return layers.Eos(code, d, seed=seed, **options)
    if system is not None:
        return layers.system(system, d, layer=layer, seed=seed, **options)
    assert block is not None
    return layers.block(block, d, seed=seed, **options)
