"""The mixer for zoology, made as zoology makes one: from a name and kwargs."""

from __future__ import annotations

import doctest
import importlib
import math
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
from conftest import page_block
from torch import Tensor, nn

import lcsm
from lcsm import zoology


def instantiate(name: str, kwargs: dict[str, Any], **given: Any) -> nn.Module:
    """What zoology's ModuleConfig(name=, kwargs=).instantiate does."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)(**given, **kwargs)


class Block(nn.Module):
    """A layer of zoology's TransformerBlock, without its dropout."""

    def __init__(self, kwargs: dict[str, Any], d: int, layer_idx: int) -> None:
        super().__init__()
        self.sequence_mixer = instantiate("lcsm.zoology.Mixer", kwargs, d_model=d, layer_idx=layer_idx)
        self.norm = nn.LayerNorm(d)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.sequence_mixer(self.norm(x))


KWARGS = [
    {"code": "1-3-1-4", "k": 8},
    {"code": "1-mine-1-0", "k": 8, "oscillation": "sigmoid(p_k)^(1/8) * sigmoid(w_d)"},
    {"system": "mamba-2"},
    {"system": "transformer", "length": 32},
    {"block": "s4d", "modes": 4},
]


def test_the_examples_of_the_docstring() -> None:
    found = doctest.testmod(zoology)
    assert found.attempted > 5 and found.failed == 0


def test_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for zoology's classes, which keep what they are given."""
    config = ModuleType("zoology.config")
    config.ModelConfig = config.ModuleConfig = SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zoology", ModuleType("zoology"))
    monkeypatch.setitem(sys.modules, "zoology.config", config)
    given: dict[str, Any] = {}
    exec(page_block("ModuleConfig"), given)
    model, mixer = given["model"], given["model"].sequence_mixer
    made = instantiate(mixer.name, mixer.kwargs, d_model=model.d_model, layer_idx=1)
    assert made(torch.randn(2, 5, 64)).shape == (2, 5, 64)


@pytest.mark.parametrize("kwargs", KWARGS, ids=str)
def test_it_computes_as_our_layer(kwargs: dict[str, Any]) -> None:
    mixer = instantiate("lcsm.zoology.Mixer", {**kwargs, "seed": 3}, d_model=64, layer_idx=1)
    options = {key: value for key, value in kwargs.items() if key not in ("code", "system", "block")}
    if "code" in kwargs:
        layer: nn.Module = lcsm.Eos(kwargs["code"], d=64, seed=3, **options)
    elif "system" in kwargs:
        layer = lcsm.system(kwargs["system"], d=64, layer=1, seed=3, **options)
    else:
        layer = lcsm.block(kwargs["block"], d=64, seed=3, **options)
    x = torch.randn(2, 12, 64)
    assert torch.equal(mixer(x), layer(x))
    assert [name for name, _ in mixer.named_parameters()] == [f"layer.{name}" for name, _ in layer.named_parameters()]


def test_layers_differ_and_follow_torch_s_seed() -> None:
    def weights(seed: int) -> list[Tensor]:
        torch.manual_seed(seed)
        return [Block({"code": "1-3-1-4", "k": 8}, 16, at).sequence_mixer.layer.input.weight for at in range(2)]

    first, second = weights(0)
    again, _ = weights(0)
    other, _ = weights(1)
    assert torch.equal(first, again)
    assert not torch.equal(first, second) and not torch.equal(first, other)


def test_a_model_learns_to_recall() -> None:
    """Two pairs of keys and values, then a key: two layers find the value."""
    torch.manual_seed(0)
    d, tokens = 32, 8
    kwargs = {"code": "1-3-1-4", "k": 16}
    model = nn.Sequential(nn.Embedding(tokens, d), *(Block(kwargs, d, at) for at in range(2)), nn.Linear(d, tokens))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(200):
        keys = torch.rand(64, tokens // 2).argsort(1)[:, :2]
        values = torch.randint(tokens // 2, tokens, (64, 2))
        asked = torch.randint(2, (64, 1))
        x = torch.cat([torch.stack([keys, values], 2).flatten(1), keys.gather(1, asked)], 1)
        y = model(x)[:, -1]
        loss = nn.functional.cross_entropy(y, values.gather(1, asked).squeeze(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    # Who knows both values, not which is asked for, has a loss of 3/4 log(2).
    assert loss.item() < 0.3 * math.log(2)


def test_the_definition_is_for_other_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    record = lambda self, x, state, padding, residual, wants_state, definition: (asked.append(definition), {})
    monkeypatch.setattr(lcsm.Layer, "_run", record)
    mixer = zoology.Mixer(64, code="1-3-1-4", k=8)
    mixer(torch.zeros(1, 2, 64))
    mixer(torch.zeros(1, 2, 64, device="meta"))
    assert asked == [False, True]


@pytest.mark.parametrize(
    "kwargs, numbers",
    [({"code": "1-3-1-4", "k": 8}, 8 * 64), ({"system": "gla"}, 64 * 32 // 4), ({"system": "mega"}, None)],
)
def test_state_size(kwargs: dict[str, Any], numbers: int | None) -> None:
    mixer = zoology.Mixer(64, **kwargs)
    assert hasattr(mixer, "state_size") == (numbers is not None)
    if numbers is not None:
        assert mixer.state_size(sequence_length=16) == numbers


@pytest.mark.parametrize(
    "kwargs, sentence",
    [
        ({}, "expected one of code=, system= and block=, got none"),
        ({"code": "1-3-1-4", "system": "gla"}, "got code and system"),
        ({"code": "1-nine-1-0"}, "unknown oscillation 'nine'"),
    ],
)
def test_refusals(kwargs: dict[str, Any], sentence: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=sentence):
        zoology.Mixer(64, layer_idx=0, **kwargs)
