"""A layer in Python computes what lcsm-train computes, to the last bit: outputs, states and gradients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import lcsm
from lcsm.layers import _named

ALL_CODES = ["1-*-1-0", "0-*-0-0", "1-3-1-{1,2,3,4,5,6,7}", "1-3-0-4", "0-9-1-1", "1-3-1-1@tau=8"]


def listed(build: Path, *arguments: str) -> list[dict]:
    # In an empty folder: without anyone's oscillations.toml.
    program = [build / "bin" / "lcsm", *arguments]
    run = subprocess.run(program, cwd="/", check=True, capture_output=True, text=True)
    return json.loads(run.stdout)[arguments[0]]


def expect_the_same(build: Path, folder: Path, text: str, layer: lcsm.Layer, prefix: str = "weight.") -> None:
    dtype = layer.weights()[0].dtype
    x = torch.randn(3, 40, layer.d, dtype=dtype, requires_grad=True)
    y, left = layer._run(x, {}, None, None, False, False)  # of any layer, also one that has no state
    state = _named(layer.spec, left) if left else {}
    d_y = torch.randn(y.shape, dtype=dtype)
    learned = dict(layer.named_parameters())
    gradients = torch.autograd.grad(y, [x, *learned.values()], d_y, allow_unused=True)
    weights = {prefix + name: tensor.detach().contiguous() for name, tensor in zip(layer.names, layer.weights())}
    save_file({"input": x.detach(), "grad_output": d_y, **weights}, folder / "in")
    apply = [build / "bin" / "lcsm-train", "apply", text, "--weights", folder / "in", "--out", folder / "out"]
    subprocess.run(apply, check=True)
    theirs = load_file(folder / "out")
    assert torch.equal(y, theirs.pop("output")), text
    for name, gradient in zip(["input", *(prefix + name for name in learned)], gradients):
        other = theirs.pop(f"grad.{name}")
        assert torch.equal(other, torch.zeros_like(other) if gradient is None else gradient), (text, name)
    for name, tensor in state.items():
        other = theirs.pop("final_state" if name == "m" and "final_state" in theirs else f"final_state.{name}")
        assert torch.equal(tensor, other), (text, name)
    assert not theirs, text


def test_codes(build: Path, tmp_path: Path) -> None:
    for row in listed(build, "codes", "--json", *ALL_CODES):
        expect_the_same(build, tmp_path, row["code"], lcsm.Eos(row["code"], d=24, k=12))


def test_systems(build: Path, tmp_path: Path) -> None:
    for row in listed(build, "systems", "--json"):
        layer = lcsm.system(row["name"], d=32)
        expect_the_same(build, tmp_path, row["name"], layer, "weight.mixer.")


@pytest.mark.parametrize("name", ["1-9-1-0", "1-ces-1-0", "fwp", "0-2-0-0", "1-3-1-4"])
def test_codes_in_float64(build: Path, tmp_path: Path, name: str) -> None:
    expect_the_same(build, tmp_path, name, lcsm.Eos(name, d=24, k=12, dtype=torch.float64))


def test_vector_functions_are_chosen_with_the_library(build: Path) -> None:
    """See runner/train/verbs/vector_math.cpp."""
    package = str(Path(lcsm.__file__).parents[1])
    environment = {**os.environ, "LD_PRELOAD": str(build / "bin" / "libwatch_mkl.so"), "PYTHONPATH": package}
    program = [sys.executable, "-c", "import lcsm; lcsm.Eos"]
    run = subprocess.run(program, env=environment, check=True, capture_output=True, text=True)
    assert run.stderr.startswith("vector functions: ")


def test_initial_values(build: Path) -> None:
    """Tensors depend on the seed and their names alone, as in a run."""
    one, other = lcsm.Eos("1-9-1-0", d=24, k=12, seed=3), lcsm.Eos("1-3-1-0", d=24, k=12, seed=3)
    assert torch.equal(one.expand.weight, other.expand.weight)
    assert not torch.equal(one.expand.weight, lcsm.Eos("1-9-1-0", d=24, k=12, seed=4).expand.weight)
