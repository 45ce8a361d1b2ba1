"""Layers as single operators: what torch.compile sees of them.

Forward keeps its inputs only; backward computes the layer once more.
"""

from __future__ import annotations

from typing import Mapping, Sequence

import torch
from torch import Tensor

from lcsm import _library

State = dict[str, Tensor]
