"""A layer for the models of flash-linear-attention (https://github.com/fla-org/flash-linear-attention).

    for layer_idx, block in enumerate(model.model.layers):
        block.attn = lcsm.fla.Layer(hidden_size=512, layer_idx=layer_idx, code="1-3-1-4")
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lcsm import layers
from lcsm._chosen import layer_of, needs_definition


class Layer(nn.Module):
    """A code, a named system's mixer or a block with the signature of fla's layers.

    One of code, system and block, with the options of `lcsm.Eos`, `lcsm.system` or `lcsm.block`:

    >>> import torch
    >>> from lcsm.fla import Layer
    >>> layer = Layer(hidden_size=64, layer_idx=0, code="1-3-1-4", k=16)
    >>> output, attentions, past_key_values = layer(torch.randn(2, 10, 64))
    >>> output.shape
    torch.Size([2, 10, 64])

    A sequence goes on with fla's cache:

    >>> from fla.models.utils import Cache
    >>> x = torch.randn(2, 10, 64)
    >>> first, _, cache = layer(x[:, :9], past_key_values=Cache(), use_cache=True)
    >>> last, _, cache = layer(x[:, 9:], past_key_values=cache, use_cache=True)
    >>> torch.allclose(last, layer(x)[0][:, 9:], atol=1e-6)
    True
    """

    def __init__(self, hidden_size: int = 512, *, layer_idx: int | None = None, **options: Any) -> None:
        super().__init__()
        self.hidden_size, self.layer_idx = hidden_size, layer_idx
        self.layer = layer_of(hidden_size, layer=layer_idx, **options)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        past_key_values: Any = None,
        use_cache: bool | None = False,
        output_attentions: bool | None = False,
        **kwargs: Any,
    ) -> tuple[Tensor, None, Any]:
        """The output [B, T, hidden_size], None, and past_key_values.

        attention_mask [B, T] is 1 at tokens, on whichever side the padding is; of a longer one the last T columns
        count. Padding changes no token and no state, and its output is 0."""
        if kwargs.get("cu_seqlens") is not None:
            raise ValueError("lcsm: expected one sequence a row, got cu_seqlens: give padded rows and attention_mask")
        if past_key_values is not None and self.layer_idx is None:
            raise ValueError("lcsm: expected layer_idx, the layer's place in past_key_values: Layer(..., layer_idx=0)")
        mask = _mask(attention_mask, hidden_states)
        state = self._stored(past_key_values)
        keep = bool(use_cache) and past_key_values is not None
        if keep or state:
            output, state = self._goes_on(hidden_states, mask, state)
        elif mask is not None:
            output = self._padded(hidden_states, mask)
        else:
            output = self.layer(hidden_states, definition=needs_definition(hidden_states))
        if keep:
            # A tuple: fla's cache reorders its tensors by row and keeps its strings.
            past_key_values.update(
                recurrent_state=(*state, *state.values()), layer_idx=self.layer_idx, offset=hidden_states.shape[1]
            )
        return output, None, past_key_values

    def _stored(self, past_key_values: Any) -> layers.State:
        if past_key_values is None or self.layer_idx is None or len(past_key_values) <= self.layer_idx:
            return {}
        stored = (past_key_values[self.layer_idx] or {}).get("recurrent_state") or ()
        half = len(stored) // 2
        return dict(zip(stored[:half], stored[half:]))

    def _padded(self, x: Tensor, mask: Tensor) -> Tensor:
        """One call over rows whose tokens are moved to the left, so that none follows padding."""
        counts = mask.sum(1)
        places = (~mask).to(torch.uint8).argsort(dim=1, stable=True)[:, : max(1, int(counts.max()))]
        places = places[..., None].expand(-1, -1, x.shape[-1])
        padding = torch.arange(places.shape[1], device=x.device) >= counts[:, None]
        tokens = x.gather(1, places)
        # A code's gate would also act on padding, which no token follows.
        given = None if isinstance(self.layer, layers.Eos) else padding
        output: Tensor = self.layer(tokens, padding=given, definition=needs_definition(x))
        output = output.masked_fill(padding[..., None], 0)
        return output.new_zeros(x.shape).scatter(1, places, output)

    def _goes_on(self, x: Tensor, mask: Tensor | None, state: layers.State) -> tuple[Tensor, layers.State]:
        """One call for the rows with equally many tokens, so that every state is the one after its row's last token."""
        if mask is None:
            return self.layer.with_state(x, state, definition=needs_definition(x))
        counts = mask.sum(1)
        if not state and not counts.all():
            raise ValueError("lcsm: expected a token in each row of attention_mask, got a row without any")
        output, left = x.new_zeros(x.shape), {name: tensor.clone() for name, tensor in state.items()}
        for count in sorted(set(counts.tolist()) - {0}):
            rows = counts == count
            here = mask & rows[:, None]
            tokens = x[here].view(-1, count, x.shape[-1])
            of_rows = {name: tensor[rows] for name, tensor in state.items()}
            y, now = self.layer.with_state(tokens, of_rows, definition=needs_definition(x))
            output = output.to(y.dtype)
            output[here] = y.flatten(0, 1)
            for name, tensor in now.items():
                left.setdefault(name, tensor.new_zeros(len(rows), *tensor.shape[1:]))[rows] = tensor
        return output, left


def _mask(attention_mask: Tensor | None, x: Tensor) -> Tensor | None:
    """[B, T], true at tokens; None if all are."""
    if attention_mask is None:
        return None
    batch, length = x.shape[:2]
    shape = list(attention_mask.shape)
    if len(shape) != 2 or shape[0] != batch or shape[1] < length:
        raise ValueError(f"lcsm: expected attention_mask [{batch}, {length}] of 1 and 0, got {shape}")
    mask = attention_mask[:, -length:].bool()
    return None if bool(mask.all()) else mask
