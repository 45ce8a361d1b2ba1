"""Layers on a GPU: one that is there, or one that is not, behind a fake driver that judges the kernels."""

from __future__ import annotations

import copy
import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

import lcsm
import lcsm.fla
import lcsm.zoology

FAKE = "lcsm_python_on_fake"
ON_FAKE = FAKE in os.environ["LCSM_LIBRARY"]
CODES = ["1-9-1-0", "1-3-1-4", "0-2-0-0", "1-10-1-0", "1-12-1-1", "fwp", "0-ces-0-0", "1-ces-1-0"]
TOLERANCES = {torch.float32: 5e-5, torch.bfloat16: 4e-2}  # of the largest number


@pytest.mark.skipif(ON_FAKE or torch.cuda.is_available(), reason="this process computes on a GPU")
def test_on_a_fake_gpu(build: Path, trained: Path, tmp_path: Path) -> None:
    torch.save(model_on_a_cpu(trained), tmp_path / "model")
    environment = {"LCSM_TEST_KERNELS": str(build / "bin/ptx/kernels")} | os.environ
    environment |= {"LCSM_LIBRARY": str(build / "bin" / f"lib{FAKE}.so"), "LCSM_TEST_MODEL": str(tmp_path / "model")}
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--show-capture=no", __file__]
    told = subprocess.run(run, env=environment, capture_output=True, text=True)
    assert told.returncode == 0 and "passed" in told.stdout, told.stdout


def model_on_a_cpu(trained: Path) -> tuple[str, Tensor, Tensor]:
    """A run, tokens, their logits."""
    run, tokens = str(min((trained / "workspace/runs").iterdir())), torch.randint(0, 64, (2, 64))
    return run, tokens, lcsm.load(run)(tokens).detach()


@pytest.fixture(scope="module")
def device() -> Iterator[str]:
    if torch.cuda.is_available():
        yield "cuda"
        return
    if not ON_FAKE:
        pytest.skip("no GPU")
    fake = ctypes.CDLL(os.environ["LCSM_LIBRARY"].replace(f"lib{FAKE}", "libpython_fake_gpu"))
    fake.lcsm_fake_findings.restype = ctypes.c_char_p
    fake.lcsm_fake_start()
    yield "cpu"
    assert fake.lcsm_fake_launches() > 0
    assert fake.lcsm_fake_findings().decode() == ""


def everything(layer: lcsm.Layer, x: Tensor, d_y: Tensor, definition: bool = False) -> dict[str, Tensor]:
    """The output, a code's state, the gradients."""
    x = x.detach().requires_grad_()
    learned = dict(layer.named_parameters())
    outputs, d_outputs = {"y": layer(x, definition=definition)}, [d_y]
    if isinstance(layer, lcsm.Eos):
        outputs["y"], state = layer.with_state(x, definition=definition)
        outputs |= state
        d_outputs += [torch.ones_like(tensor) for tensor in state.values()]
    gradients = torch.autograd.grad(
        list(outputs.values()), [x, *learned.values()], d_outputs, allow_unused=True, materialize_grads=True
    )
    return outputs | dict(zip(["x", *learned], gradients))


def expect_right(layer: lcsm.Layer, device: str, dtype: torch.dtype, B: int = 2, T: int = 70) -> None:
    layer = layer.to(dtype)
    x, d_y = (torch.randn(B, T, layer.d, dtype=dtype) for _ in range(2))
    expected = everything(layer.to(torch.float64), x.double(), d_y.double(), definition=True)
    layer = layer.to(device=device, dtype=dtype)
    there = everything(layer, x.to(device), d_y.to(device))
    for name, tensor in there.items():
        assert tensor.device.type == device, name
        most = expected[name].abs().max().clamp_min(1e-9)
        off = (tensor.detach().cpu().double() - expected[name]).abs().max() / most
        assert off < TOLERANCES[dtype], (layer.spec, name, off.item())
    for name, tensor in everything(layer, x.to(device), d_y.to(device)).items():
        assert torch.equal(tensor, there[name]), f"{name} has other bits the second time"


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("code", CODES)
def test_codes(device: str, code: str, dtype: torch.dtype) -> None:
    expect_right(lcsm.Eos(code, d=16, k=8, seed=0), device, dtype)


@pytest.mark.parametrize("name", ["s4d", "mega", "mamba", "rwkv4", "hgrn"])
def test_systems(device: str, name: str) -> None:
    expect_right(lcsm.system(name, d=16), device, torch.float32, T=20)


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_filters_go_on_from_a_state(device: str, dtype: torch.dtype) -> None:
    layer = lcsm.ets.ces(d=16, dtype=dtype)
    x = torch.randn(2, 20, 16, dtype=dtype)
    expected = layer.double()(x.double(), definition=True)
    layer = layer.to(device=device, dtype=dtype)
    with torch.no_grad():
        first, state = layer.with_state(x[:, :12].to(device))
        rest, _ = layer.with_state(x[:, 12:].to(device), state)
    off = (torch.cat([first, rest], 1).cpu().double() - expected).abs().max() / expected.abs().max()
    assert off < TOLERANCES[dtype]


def test_layers_for_fla_and_zoology(device: str) -> None:
    x, first = torch.randn(2, 70, 16), 9  # the second row's first token
    mask = torch.arange(70) >= torch.tensor([[0], [first]])
    for made, more in [(lcsm.zoology.Mixer, {}), (lcsm.fla.Layer, {"attention_mask": mask.to(device)})]:
        layer = made(16, code="1-3-1-0", k=8, seed=0)
        exact = copy.deepcopy(layer.layer).double()
        expected = exact(x.double(), definition=True)
        if more:
            expected[1, :first], expected[1:, first:] = 0, exact(x[1:, first:].double(), definition=True)
        y = layer.to(device)(x.to(device), **more)
        y = y[0] if more else y
        assert (y.cpu().double() - expected).abs().max() < TOLERANCES[torch.float32] * expected.abs().max()


def test_compile(device: str) -> None:
    """One graph, with eager's bits."""
    for layer in [lcsm.Eos("1-9-1-0", d=16, k=8, device=device), lcsm.system("mamba-2", d=64, device=device)]:
        compiled = torch.compile(layer, fullgraph=True)
        x = torch.randn(2, 40, layer.d, device=device, requires_grad=True)
        ours, theirs = layer(x), compiled(x)
        assert torch.equal(ours, theirs)
        sought = [x, *layer.parameters()]
        for a, b in zip(*(torch.autograd.grad(y.square().sum(), sought) for y in (ours, theirs))):
            assert torch.equal(a, b)


def test_autocast(device: str) -> None:
    """Products in bfloat16; memories stay float32."""
    layer, x = lcsm.Eos("1-3-1-0", d=16, k=8, device=device), torch.randn(2, 70, 16, device=device)
    with torch.autocast(device, torch.bfloat16):
        y, state = layer.with_state(x)
        assert torch.equal(torch.compile(layer, fullgraph=True)(x), y)
    exact = layer(x)
    assert state["m"].dtype == torch.float32
    torch.testing.assert_close(y.float(), exact, rtol=0, atol=3e-2 * exact.abs().max().item())


def test_after_inference_mode(device: str) -> None:
    """What is made once for a device serves training, too."""
    layer, x = lcsm.Eos("1-ces-1-0", d=16, k=8, device=device), torch.randn(2, 9, 16, device=device)
    with torch.inference_mode():
        first = layer(x)
    second = layer(x)
    second.sum().backward()
    assert torch.equal(first, second)


def test_models(device: str, request: pytest.FixtureRequest) -> None:
    """A run's model, moved to the device."""
    kept = os.environ.get("LCSM_TEST_MODEL")
    run, tokens, expected = torch.load(kept) if kept else model_on_a_cpu(request.getfixturevalue("trained"))
    model = lcsm.load(run)
    for parameter in model.parameters():
        parameter.data = parameter.clone().to(device)  # also for a fake GPU a tensor of its own
    got = model(tokens.to(device)).cpu()
    torch.testing.assert_close(got, expected, rtol=0, atol=5e-5 * expected.abs().max().item())


def test_cuda_graphs(device: str) -> None:
    if device != "cuda":
        pytest.skip("no GPU")
    for layer in [lcsm.Eos("1-9-1-0", d=64, k=32, device=device), lcsm.system("mamba-2", d=64, device=device)]:
        graphed = torch.cuda.make_graphed_callables(layer, (torch.randn(2, 70, 64, device=device, requires_grad=True),))
        x = torch.randn(2, 70, 64, device=device, requires_grad=True)
        y = graphed(x)
        (d_x,) = torch.autograd.grad(y.square().sum(), x)
        y, d_x = y.detach().clone(), d_x.clone()  # later calls of a graph use its memory again
        ours = lcsm.layers.Layer.forward(layer, x)
        assert torch.equal(y, ours) and torch.equal(d_x, torch.autograd.grad(ours.square().sum(), x)[0])


def test_other_types_are_refused(device: str) -> None:
    layer, x = lcsm.Eos("1-3-1-0", d=16, k=8, device=device), torch.randn(2, 9, 16, device=device)
    with pytest.raises((ValueError, RuntimeError), match="GPU machines expected float32 or bfloat16, got Double"):
        layer.double()(x.double())
