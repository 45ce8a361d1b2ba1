"""Layers as modules of torch: their weights, the hooks on them, and inputs in another type."""

from __future__ import annotations

import pickle

import pytest
import torch
import torch.nn.utils.prune
from torch import Tensor

import lcsm
from lcsm import ets


def test_layers_differ_and_follow_torch_s_seed() -> None:
    def weights(seed: int) -> list[Tensor]:
        torch.manual_seed(seed)
        return [layer.input.weight for layer in (lcsm.Eos("1-3-1-4", d=8, k=4), lcsm.Eos("1-3-1-4", d=8, k=4))]

    (one, two), (again, _), (other, _) = weights(1), weights(1), weights(2)
    assert torch.equal(one, again) and not torch.equal(one, two) and not torch.equal(one, other)
    assert torch.equal(*(lcsm.system("mega", d=8, seed=3).weights()[0] for _ in range(2)))


def test_layers_are_made_on_torch_s_device() -> None:
    with torch.device("meta"):
        layer = lcsm.Eos("1-11-1-0", d=8, k=4)
    assert all(tensor.is_meta for tensor in layer.weights())
    made = lcsm.Eos("1-11-1-0", d=8, k=4)
    layer.load_state_dict(made.state_dict(), assign=True)
    x = torch.randn(2, 5, 8)
    assert torch.equal(layer(x), made(x))


def test_parameters_are_drawn_again() -> None:
    """Fixed and learned tensors; whole models do it by the modules' own method."""
    for name in ("hgrn", "mega", "retnet"):
        with torch.device("meta"):
            layer = lcsm.system(name, d=16, layer=0, layers=2, length=8)
        layer = layer.to_empty(device="cpu")
        for module in torch.nn.ModuleList([layer]).modules():
            if hasattr(module, "reset_parameters"):
                module.reset_parameters(seed=3)
        made = lcsm.system(name, d=16, layer=0, layers=2, length=8, seed=3)
        assert all(map(torch.equal, layer.weights(), made.weights())), name
    layer = lcsm.Eos("1-3-1-0", d=8, k=4, dtype=torch.bfloat16)
    before = [tensor.clone() for tensor in layer.weights()]
    layer.reset_parameters()
    assert not torch.equal(before[0], layer.input.weight) and layer.input.weight.dtype == torch.bfloat16
    torch.nn.utils.parametrizations.weight_norm(layer.input)
    before = [tensor.clone() for tensor in layer.weights()]
    with pytest.raises(ValueError, match="expected input.weight as a tensor of the layer, got one made from others"):
        layer.reset_parameters()
    assert all(map(torch.equal, layer.weights(), before))


def test_hooks_that_make_tensors() -> None:
    """Pruned tensors are made from the trained ones before each call."""
    layer, x = lcsm.Eos("1-3-1-4", d=8, k=4), torch.randn(2, 5, 8)
    torch.nn.utils.prune.random_unstructured(layer.input, "weight", 0.5)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    for _ in range(2):
        optimizer.zero_grad()
        layer(x).square().sum().backward()
        optimizer.step()
    y = layer(x)
    assert torch.equal(layer.input.weight, layer.input.weight_orig * layer.input.weight_mask)
    layer.input = lcsm.Eos("1-3-1-4", d=8, k=4).input
    assert not torch.equal(layer(x), y)


def test_parametrized_tensors_keep_their_group() -> None:
    layer = lcsm.Eos("1-3-1-0", d=8, k=4)
    before = {group: len(tensors) for group, tensors in layer.parameter_groups().items()}
    torch.nn.utils.parametrizations.weight_norm(layer.input)
    layer(torch.randn(1, 5, 8)).sum().backward()
    groups = layer.parameter_groups()
    assert all(tensor.grad is not None for tensor in groups["matrices"])
    assert {group: len(tensors) for group, tensors in groups.items()} == before | {"matrices": before["matrices"] + 1}
    layer.register_parameter("extra", torch.nn.Parameter(torch.zeros(1)))
    with pytest.raises(ValueError, match="got 'extra': put the parameters into groups yourself"):
        layer.parameter_groups()


def test_filters_are_functions() -> None:
    filters = [getattr(ets, name) for name in dir(ets)]
    assert pickle.loads(pickle.dumps(filters)) == filters
    assert ets.s4d.__doc__ == "The filter s4d over d channels: lcsm.block('s4d', d, **options)."


@pytest.mark.parametrize("compiled", [False, True])
def test_autocast_between_products(compiled: bool) -> None:
    """A product before the layer gives it x in another type than its weights have."""
    for layer in (lcsm.Eos("1-3-1-4", d=16, k=4), lcsm.system("mega", d=16), lcsm.block("s4d", d=16)):
        before, residual = torch.nn.Linear(16, 16), torch.randn(2, 9, 16)

        def model(x: Tensor) -> Tensor:
            return layer(before(x), residual=residual) if isinstance(layer, lcsm.Eos) else layer(before(x))

        called = torch.compile(model, fullgraph=True) if compiled else model
        x = torch.randn(2, 9, 16)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = called(x)
        y.float().square().sum().backward()
        torch.testing.assert_close(y.float(), model(x), rtol=0.05, atol=0.1)
        assert before.weight.grad.abs().sum() > 0 and all(p.grad is not None for p in layer.parameters())
    i, e, s, p_k = (torch.randn(2, 9, n) for n in (8, 4, 4, 4))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, _ = lcsm.eos("1-3-1-0", i=i.bfloat16(), e=e, s=s.bfloat16(), p_k=p_k)
    torch.testing.assert_close(y, lcsm.eos("1-3-1-0", i=i, e=e, s=s, p_k=p_k)[0], rtol=0.05, atol=0.1)
