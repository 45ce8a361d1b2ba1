"""The layer for flash-linear-attention: its signature, its padding, its cache, its models, its recurrence."""

from __future__ import annotations

import doctest
import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

pytest.importorskip("fla", reason="no flash-linear-attention: pip install flash-linear-attention")
pytest.importorskip("transformers", reason="fla's cache needs transformers")

from conftest import ROOT, page_block  # noqa: E402
from fla.models.utils import Cache  # noqa: E402

import lcsm  # noqa: E402
from lcsm import fla  # noqa: E402
from lcsm._chosen import needs_definition  # noqa: E402

OPTIONS: list[dict[str, Any]] = [
    {"code": "1-3-1-4", "k": 8},
    {"code": "fwp", "k": 8},
    {"system": "mamba-2"},
    {"system": "gla"},
    {"system": "rwkv4"},
]
# Two sides of padding, and a row without any.
MASK = torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 0, 0], [1] * 9])


def made(options: dict[str, Any]) -> fla.Layer:
    return fla.Layer(hidden_size=64, layer_idx=0, dtype=torch.float64, seed=2, **options)


def inputs(length: int = 9) -> Tensor:
    return torch.randn(3, length, 64, dtype=torch.float64)


def test_the_examples_of_the_docstring() -> None:
    found = doctest.testmod(fla)
    assert found.attempted > 5 and found.failed == 0


def test_the_page() -> None:
    given: dict[str, Any] = {}
    exec(page_block("GLAForCausalLM"), given)
    layers = [block.attn for block in given["model"].model.layers]
    assert [(type(layer), layer.layer_idx) for layer in layers] == [(fla.Layer, 0), (fla.Layer, 1)]
    assert layers[0].layer.spec == "code 1-3-1-4\nd 256\nk 64"


def test_it_computes_as_our_layer() -> None:
    x = inputs()
    layer = lcsm.Eos("1-3-1-4", d=64, k=8, seed=2, dtype=torch.float64)
    output, attentions, cache = made(OPTIONS[0])(x, None, None, False, True, position_ids=None)
    assert torch.equal(output, layer(x)) and attentions is None and cache is None


def test_the_kit_s_step_trains_our_language_model() -> None:
    sizes = {"d": 48, "k": 16, "layers": 2, "words": 101, "batch": 2, "length": 64}
    found = importlib.util.spec_from_file_location("fla_step", ROOT / "tests/kit/fla_step.py")
    assert found and found.loader
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    result = script.timed(torch, sizes, compiled=False, on_cpu=True)
    first, last = result["losses"]
    assert last < first < 8 and result["tokens_per_second"] > 0
    matrices, norms = 2 * 48 * 48 + 2 * 16 * 48 + 3 * 48 * 64, 2 * 3 * 48  # of a layer
    assert result["parameters"] == 101 * 48 + 2 * (matrices + norms) + 2 * 48


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_padding_changes_no_token(options: dict[str, Any]) -> None:
    layer, x = made(options), inputs().requires_grad_()
    output, *_ = layer(x, attention_mask=MASK)
    cached, *_ = layer(x, attention_mask=MASK, past_key_values=Cache(), use_cache=True)
    alone = torch.zeros_like(output)
    for row, here in enumerate(MASK.bool()):
        alone[row, here] = layer(x[row : row + 1, here])[0][0]
    d_y = torch.randn_like(output)
    exact, *_ = torch.autograd.grad(alone, x, d_y)
    for y in (output, cached):
        torch.testing.assert_close(y, alone)
        torch.testing.assert_close(torch.autograd.grad(y, x, d_y)[0], exact)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("begin", [1, 4])
def test_step_by_step(options: dict[str, Any], begin: int) -> None:
    layer, x = made(options), inputs()
    whole, *_ = layer(x)
    output, _, cache = layer(x[:, :begin], past_key_values=Cache(), use_cache=True)
    outputs = [output]
    for t in range(begin, 9):
        output, _, cache = layer(x[:, t : t + 1], past_key_values=cache, use_cache=True)
        outputs.append(output)
    torch.testing.assert_close(torch.cat(outputs, 1), whole)
    assert cache.get_seq_length() == 9


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_step_by_step_after_padding(options: dict[str, Any]) -> None:
    """What generation does: a prompt padded on the left, then steps under a mask that grows."""
    layer, x = made(options), inputs(12)
    mask = torch.cat([MASK, torch.ones(3, 3, dtype=torch.long)], 1)
    outputs, cache = [], Cache()
    for begin, end in ((0, 9), (9, 10), (10, 11), (11, 12)):
        output, _, cache = layer(x[:, begin:end], mask[:, :end], cache, use_cache=True)
        outputs.append(output)
    torch.testing.assert_close(torch.cat(outputs, 1), layer(x, attention_mask=mask)[0])


def test_a_row_that_has_ended_keeps_its_state() -> None:
    layer, x = made(OPTIONS[0]), inputs(3)
    _, _, cache = layer(x[:, :2], past_key_values=Cache(), use_cache=True)
    before = cache[0]["recurrent_state"][1].clone()
    _, _, cache = layer(x[:, 2:], torch.tensor([[1], [0], [1]]), cache, use_cache=True)
    after = cache[0]["recurrent_state"][1]
    assert torch.equal(after[1], before[1]) and not torch.equal(after[0], before[0])


def test_the_cache_reorders_rows() -> None:
    layer, x = made({"system": "mamba-2"}), inputs(4)
    _, _, cache = layer(x[:, :3], past_key_values=Cache(), use_cache=True)
    order = torch.tensor([2, 0, 0])
    cache.reorder_cache(order)
    output, *_ = layer(x[order, 3:], past_key_values=cache, use_cache=True)
    torch.testing.assert_close(output, layer(x)[0][order, 3:])


def test_two_layers_share_a_cache() -> None:
    x, cache = inputs(5), Cache()
    layers = [fla.Layer(64, layer_idx=at, dtype=torch.float64, **OPTIONS[0]) for at in range(2)]
    whole = layers[1](layers[0](x)[0])[0]
    for t in range(5):
        y = x[:, t : t + 1]
        for layer in layers:
            y, _, cache = layer(y, past_key_values=cache, use_cache=True)
    torch.testing.assert_close(y, whole[:, -1:])


def test_it_stands_in_a_model_of_fla(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their whole model around our layers: step by step with their cache, after a prompt with padding."""
    from fla.models import GLAConfig, GLAForCausalLM
    from fla.modules import mlp

    # Theirs is written in Triton, which runs nothing on a CPU.
    monkeypatch.setattr(mlp, "swiglu", lambda gate, y: torch.nn.functional.silu(gate) * y)
    unfused = dict(fuse_norm=False, fuse_swiglu=False, fuse_cross_entropy=False)
    model = GLAForCausalLM(GLAConfig(hidden_size=64, num_hidden_layers=2, num_heads=2, vocab_size=50, **unfused))
    for at, block in enumerate(model.model.layers):
        block.attn = fla.Layer(64, layer_idx=at, code="1-3-1-4", k=16)
    model.double()
    tokens = torch.randint(50, (2, 10))
    mask = torch.ones_like(tokens)
    mask[0, :3] = 0
    logits, cache = [], None
    for begin, end in ((0, 7), (7, 8), (8, 9), (9, 10)):
        out = model(tokens[:, begin:end], attention_mask=mask[:, :end], past_key_values=cache, use_cache=True)
        logits.append(out.logits)
        cache = out.past_key_values
    whole = model(tokens, attention_mask=mask).logits
    torch.testing.assert_close(torch.cat(logits, 1), whole)
    torch.testing.assert_close(model(tokens[:1, 3:]).logits, whole[:1, 3:])
    whole.sum().backward()
    assert all(parameter.grad is not None for parameter in model.model.layers.parameters())


def recurrent(*tensors: Tensor, **options: Any) -> Tensor:
    from fla.ops.gla.naive import naive_recurrent_gla

    return naive_recurrent_gla(*tensors, **options)


@pytest.mark.parametrize("state", [False, True])
def test_its_recurrence_is_ours(state: bool) -> None:
    """naive_recurrent_gla is 1-3-1-0 with o_t = exp(gk_t), e_t = k_t, i_t = v_t, s_t = q_t / sqrt(k), in float32."""
    B, T, d, k = 2, 40, 16, 8
    q, key, p = (torch.randn(B, T, k, requires_grad=True) for _ in range(3))
    v = torch.randn(B, T, d, requires_grad=True)
    m = torch.randn(B, k, d, requires_grad=True) if state else None
    sources = [q, key, v, p, *([m] if m is not None else [])]
    before = {"m": m} if m is not None else None
    y, left = lcsm.eos("1-3-1-0@tau=16", i=v, e=key, s=q / k**0.5, p_k=p, state=before)
    gk = torch.nn.functional.logsigmoid(p) / 16
    first = m[:, None] if m is not None else None
    theirs, last = recurrent(*(x[:, :, None] for x in (q, key, v, gk)), initial_state=first, output_final_state=True)
    # float32, whose sums have another order
    close = dict(rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(y, theirs[:, :, 0], **close)
    torch.testing.assert_close(left["m"], last[:, 0], **close)
    d_y, d_m = torch.randn_like(y), torch.randn_like(left["m"])
    ours = torch.autograd.grad([y, left["m"]], sources, [d_y, d_m])
    for a, b in zip(ours, torch.autograd.grad([theirs[:, :, 0], last[:, 0]], sources, [d_y, d_m])):
        torch.testing.assert_close(a, b, **close)


def test_the_definition_is_for_other_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def record(self, x, state, padding, residual, wants_state, definition):
        asked.append(definition)
        return x, {"m": x}

    monkeypatch.setattr(lcsm.Layer, "_run", record)
    for device in ("cpu", "meta"):
        x = torch.zeros(3, 9, 64, device=device)
        made(OPTIONS[0])(x)
        made(OPTIONS[0])(x, past_key_values=Cache(), use_cache=True)
    assert asked == [False, False, True, True]


def test_a_gpu_computes_by_its_machines() -> None:
    for dtype in (torch.float32, torch.bfloat16):
        assert not needs_definition(SimpleNamespace(is_cpu=False, is_cuda=True, dtype=dtype))
    for dtype in (torch.float64, torch.float16):
        assert needs_definition(SimpleNamespace(is_cpu=False, is_cuda=True, dtype=dtype))
        assert not needs_definition(torch.zeros(1, dtype=dtype))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: fla.Layer(64), "expected one of code=, system= and block=, got none"),
        (lambda: made(OPTIONS[0])(inputs(), torch.ones(3, 9, 9)), r"expected attention_mask \[3, 9\] of 1 and 0, got"),
        (lambda: made(OPTIONS[0])(inputs(), torch.ones(3, 8)), r"got \[3, 8\]"),
        (lambda: made(OPTIONS[0])(inputs(), cu_seqlens=torch.tensor([0, 9])), "got cu_seqlens"),
        (lambda: fla.Layer(64, **OPTIONS[0])(inputs().float(), past_key_values=Cache()), "expected layer_idx"),
        (lambda: made({"system": "mega"})(inputs(), past_key_values=Cache(), use_cache=True), "go on from a state"),
        (
            lambda: made(OPTIONS[0])(inputs(), torch.zeros(3, 9), Cache(), use_cache=True),
            "a token in each row of attention_mask",
        ),
    ],
)
def test_refusals(call, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
