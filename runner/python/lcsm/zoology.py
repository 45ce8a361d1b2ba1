"""A sequence mixer for zoology's configuration (https://github.com/HazyResearch/zoology).

    ModelConfig(sequence_mixer=ModuleConfig(name="lcsm.zoology.Mixer", kwargs={"code": "1-3-1-4", "k": 64}), ...)
"""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor, nn

from lcsm._chosen import layer_of, needs_definition


class Mixer(nn.Module):
    """A code, a named system's mixer or a block in the place of one of zoology's mixers.

    kwargs has one of code, system and block, and the options of `lcsm.Eos`, `lcsm.system` or `lcsm.block`:

    >>> import torch
    >>> from lcsm.zoology import Mixer
    >>> mixer = Mixer(d_model=64, layer_idx=0, code="1-3-1-4", k=16)
    >>> mixer(torch.randn(2, 10, 64)).shape
    torch.Size([2, 10, 64])
    >>> mixer = Mixer(d_model=64, layer_idx=0, system="mamba-2")
    >>> mixer = Mixer(d_model=64, layer_idx=0, code="1-mine-1-0", k=16, oscillation="sigmoid(p_k)^(1/8)")

    zoology draws weights of torch's modules anew; those of the mixer stay as lcsm draws them, from torch's generator
    or from seed=.
    """

    def __init__(self, d_model: int, layer_idx: int | None = None, **kwargs: Any) -> None:
        super().__init__()
        self.d_model, self.layer_idx = d_model, layer_idx
        self.layer = layer_of(d_model, layer=layer_idx, **kwargs)

    def forward(self, hidden_states: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The output [B, T, d_model]. Other arguments are zoology's and change nothing."""
        output: Tensor = self.layer(hidden_states, definition=needs_definition(hidden_states))
        return output

    @property
    def state_size(self) -> Callable[..., int]:
        """Called with sequence_length, the numbers that a sequence carries after as many steps. A mixer that has no
        step of its own has no such attribute.

        >>> from lcsm.zoology import Mixer
        >>> Mixer(d_model=64, code="1-3-1-4", k=16).state_size(sequence_length=128)
        1024
        >>> hasattr(Mixer(d_model=64, system="mega"), "state_size")
        False
        """
        if not self._carried(1):
            raise AttributeError("state_size")
        return lambda sequence_length=1, **_: self._carried(sequence_length)

    def _carried(self, length: int) -> int:
        weight = next(self.parameters())
        with torch.no_grad():
            x = weight.new_zeros(1, length, self.d_model)
            _, left = self.layer._run(x, {}, None, None, True, needs_definition(x))
        return sum(tensor.numel() for tensor in left)
