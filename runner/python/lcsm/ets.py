"""The filters of ets/ as modules, each a function of its width and options.

>>> import lcsm, torch
>>> smoother = lcsm.ets.ces(64)
>>> lcsm.ets.s4d(64, modes=16)(torch.randn(2, 30, 64)).shape
torch.Size([2, 30, 64])
"""

from __future__ import annotations

from typing import Any, Callable

from lcsm.layers import Layer, block

FILTERS = ("ces", "dss", "ema", "etsmlp", "h3", "mega", "s4", "s4d", "s5", "tnn")


def __getattr__(name: str) -> Callable[..., Layer]:
    if name not in FILTERS:
        raise AttributeError(f"lcsm.ets has no filter {name!r}: it has {', '.join(FILTERS)}")

    def made(d: int, **options: Any) -> Layer:
        return block(name, d, **options)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"The filter {name} over d channels: lcsm.block({name!r}, d, **options)."
    globals()[name] = made  # one function, which pickle finds by its name
    return made


def __dir__() -> list[str]:
    return sorted(FILTERS)
