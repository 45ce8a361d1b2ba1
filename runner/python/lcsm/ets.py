"""The filters of ets/ as modules, each a function of its width and options.

>>> import lcsm, torch
>>> smoother = lcsm.ets.ces(64)
>>> lcsm.ets.s4d(64, modes=16)(torch.randn(2, 30, 64)).shape
torch.Size([2, 30, 64])
"""

from __future__ import annotations

from functools import partial
from typing import Callable

from lcsm.layers import Layer, block

FILTERS = ("ces", "dss", "ema", "etsmlp", "h3", "mega", "s4", "s4d", "s5", "tnn")


def __getattr__(name: str) -> Callable[..., Layer]:
    if name not in FILTERS:
        raise AttributeError(f"lcsm.ets has no filter {name!r}: it has {', '.join(FILTERS)}")
    return partial(block, name)


def __dir__() -> list[str]:
    return sorted(FILTERS)
