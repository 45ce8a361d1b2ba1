"""Layers as citizens of torch: gradients, types, compilers, copies, refusals."""

from __future__ import annotations

import copy
import ctypes
import doctest
import gc
import io
import resource
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import torch.utils.checkpoint
from torch import Tensor

import lcsm
from lcsm import _library, ets, layers

CODES = ["1-1-1-0", "1-3-1-0", "1-9-1-4", "1-10-1-0", "1-12-1-1", "fwp", "m2", "1-ces-1-0", "0-ces-0-0", "0-ema-0-0",
         "1-lru-1-0", "0-3-1-0", "1-3-0-0"]  # fmt: skip


def test_the_examples_of_the_docstrings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (layers, ets):
        found = doctest.testmod(module)
        assert found.attempted > 2 and found.failed == 0


def test_dropout_that_is_not_applied_is_told() -> None:
    with pytest.warns(UserWarning, match="no effect of attention_dropout = 0.5$"):
        lcsm.block("mega", 16, attention_dropout=0.5)
    with pytest.warns(UserWarning, match="no effect of hidden_dropout = 0.1") as told:
        lcsm.system("mega@attention_dropout=0,hidden_dropout=0.1", 16)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lcsm.block("mega", 16, attention_dropout=0.0)


@pytest.mark.parametrize("code", CODES)
def test_gradients(code: str) -> None:
    layer = lcsm.Eos(code, d=6, k=3, dtype=torch.float64)
    x = torch.randn(2, 7, 6, dtype=torch.float64, requires_grad=True)
    weights = [tensor for tensor in layer.weights() if tensor.requires_grad]

    def outputs(x: Tensor, *_: Tensor) -> tuple[Tensor, ...]:
        y, state = layer.with_state(x)
        return y, *state.values()

    assert torch.autograd.gradcheck(outputs, (x, *weights))


@pytest.mark.parametrize("code", CODES)
def test_definition(code: str) -> None:
    layer = lcsm.Eos(code, d=6, k=3, dtype=torch.float64)
    x = torch.randn(2, 40, 6, dtype=torch.float64)
    torch.testing.assert_close(layer(x), layer(x, definition=True), rtol=1e-10, atol=1e-10)


STEPPING = [
    *((lcsm.Eos, code) for code in ["1-3-1-0", "1-12-1-1", "0-ces-0-0", "fwp"]),
    *((lcsm.block, name) for name in ["ces", "ema", "etsmlp", "h3", "s4", "s4d", "s5"]),
    (lcsm.system, "mamba"),
]


@pytest.mark.parametrize("made_by, name", STEPPING)
def test_step_by_step(made_by: Callable[..., lcsm.Layer], name: str) -> None:
    layer = made_by(name, d=8, dtype=torch.float64)
    x = torch.randn(2, 9, layer.d, dtype=torch.float64)
    whole, last = layer.with_state(x)
    steps, state = [], None
    for t in range(9):
        y, state = layer.with_state(x[:, t : t + 1], state)
        steps.append(y)
    torch.testing.assert_close(torch.cat(steps, 1), whole)
    assert state is not None and state.keys() == last.keys()
    for name in last:
        torch.testing.assert_close(state[name], last[name])


@pytest.mark.parametrize("name", ["linear-transformer", "performer", "based"])
def test_a_definition_that_compares_all_pairs_goes_on_too(name: str) -> None:
    layer = lcsm.system(name, d=16, length=9, dtype=torch.float64)
    x = torch.randn(2, 9, 16, dtype=torch.float64)
    first, state = layer.with_state(x[:, :5], definition=True)
    rest, _ = layer.with_state(x[:, 5:], state, definition=True)
    torch.testing.assert_close(torch.cat([first, rest], 1), layer(x, definition=True))


def test_d_is_the_size_that_the_code_says() -> None:
    layer = lcsm.Eos("1-3-1-0@d=4", d=8, k=3)
    assert layer.d == 4 and layer(torch.randn(1, 5, layer.d)).shape == (1, 5, 4)


def made() -> list[lcsm.Layer]:
    return [
        lcsm.Eos("1-9-1-4", d=16, k=4),
        lcsm.Eos("0-ces-0-0", d=16, k=4),
        lcsm.Eos("1-mine-1-0", d=16, k=4, oscillation="sigmoid(p_k)^(1/8) * sigmoid(w_d)"),
        lcsm.system("mamba-2", d=64),
        lcsm.system("mega", d=16),
    ]


def test_compile() -> None:
    """One graph for every length, with eager's bits."""
    for layer in made():
        compiled = torch.compile(layer, fullgraph=True)
        for T in (20, 33, 40):
            x = torch.randn(2, T, layer.d, requires_grad=True)
            ours, theirs = layer(x), compiled(x)
            d_y = torch.randn_like(ours)
            assert torch.equal(ours, theirs)
            sought = [x, *layer.parameters()]
            for a, b in zip(
                torch.autograd.grad(ours, sought, d_y, allow_unused=True, materialize_grads=True),
                torch.autograd.grad(theirs, sought, d_y, allow_unused=True, materialize_grads=True),
            ):
                assert torch.equal(a, b)


def test_compile_the_recurrence_and_its_state() -> None:
    i, e, s, p_k = (torch.randn(2, 9, n) for n in (8, 4, 4, 4))
    compiled = torch.compile(lambda *x: lcsm.eos("1-3-1-0", i=x[0], e=x[1], s=x[2], p_k=x[3]), fullgraph=True)
    (y, state), (theirs, their_state) = lcsm.eos("1-3-1-0", i=i, e=e, s=s, p_k=p_k), compiled(i, e, s, p_k)
    assert torch.equal(y, theirs) and torch.equal(state["m"], their_state["m"])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_one_graph_is_compiled_for_all_sizes(dtype: torch.dtype) -> None:
    """With eager's bits, of layers and of the recurrence alone."""

    def recurrence(x: Tensor) -> Tensor:
        return lcsm.eos("1-3-1-0", i=x, e=x[..., :4], s=x[..., 4:8], p_k=x[..., 8:12])[0]

    codes = [lcsm.Eos(code, d=16, k=8, dtype=dtype) for code in ("1-9-1-0", "1-3-1-0", "0-2-0-0")]
    for called in (*codes, lcsm.system("mamba-2", d=16, dtype=dtype), recurrence):
        torch.compiler.reset()
        counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
        compiled = torch.compile(called, dynamic=True, fullgraph=True, backend=counter)
        for B, T in ((2, 17), (3, 64), (5, 33), (2, 200)):
            x = torch.randn(B, T, 16, dtype=dtype, requires_grad=True)
            ours, theirs = called(x), compiled(x)
            d_y = torch.randn_like(ours)
            assert torch.equal(ours, theirs)
            assert torch.equal(*(torch.autograd.grad(y, x, d_y)[0] for y in (ours, theirs)))
        assert counter.frame_count == 1


def test_the_state_of_a_block_breaks_the_graph() -> None:
    """A compiler does not know its shapes, so this call is computed outside of it."""
    block, x = lcsm.system("mamba", d=8), torch.randn(1, 5, 8)
    (y, state), (theirs, their_state) = block.with_state(x), torch.compile(block.with_state)(x)
    assert torch.equal(y, theirs) and state.keys() == their_state.keys() and state


def test_gates_of_a_file() -> None:
    mapping = {"o": "sigmoid(w_k) + (1 - sigmoid(w_k)) *\n sigmoid(p_k)", "help": "a floor", "init": {"w_k": "-1"}}
    layer = lcsm.Eos("1-floored-1-0", d=8, k=4, oscillation=mapping)
    assert layer.oscillation.w_k.tolist() == [-1.0] * 4


def test_operators() -> None:
    for layer in made():
        x = torch.randn(2, 12, layer.d, requires_grad=True)
        for padding in (None, torch.zeros(2, 12, dtype=torch.bool)):
            if padding is not None and isinstance(layer, lcsm.Eos):
                continue
            arguments = ("layer", layer.spec, "", [x, *layer.weights()], padding, None, -1, False)
            torch.library.opcheck(torch.ops.lcsm.whole.default, arguments)
    i, e, s, p = (torch.randn(2, 9, n, requires_grad=True) for n in (8, 4, 4, 4))
    m = torch.randn(2, 4, 8, requires_grad=True)
    arguments = ("recurrence", "code 1-3-1-0\nd 8\nk 4", "m", [i, e, s, p, m], None, None, -1, False)
    torch.library.opcheck(torch.ops.lcsm.whole.default, arguments)


def test_functional_call() -> None:
    layer = lcsm.Eos("1-9-1-0", d=8, k=4)
    x = torch.randn(1, 5, 8)
    other = {name: 2 * tensor for name, tensor in layer.state_dict().items()}
    called = torch.func.functional_call(layer, other, (x,))
    before = layer(x)
    layer.load_state_dict(other)
    assert torch.equal(called, layer(x)) and not torch.equal(called, before)


@pytest.mark.parametrize("name", ["rwkv4", "s4d", "mamba-2", "transformer"])
def test_no_step_is_refused_alike_by_all(name: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=r"expected x \[B, T > 0, d\], got \[2, 0, 16\]"):
        lcsm.system(name, d=16, layer=0, layers=2, length=32)(torch.zeros(2, 0, 16))


@pytest.mark.parametrize("code", ["1-3-1-0", "1-9-1-4", "0-ces-0-0", "ssm", "fwp"])
def test_no_sequence_gives_none_and_gradients_of_zero(code: str) -> None:
    layer = lcsm.Eos(code, d=16, k=8)
    y = layer(torch.zeros(0, 7, 16))
    y.sum().backward()
    assert y.shape == (0, 7, 16) and not any(p.grad.any() for p in layer.parameters())


@pytest.mark.parametrize("name", ["mamba-2", "gateloop", "lrpe", "cosformer", "based", "gfnet", "bigbird", "s5"])
def test_blocks_give_none_for_no_sequence(name: str) -> None:
    block = lcsm.system(name, d=16, layer=0, layers=2, length=32)
    for definition in (False, True):
        y = block(torch.zeros(0, 7, 16), definition=definition)
        y.sum().backward()
        assert y.shape == (0, 7, 16) and not any(p.grad.any() for p in block.parameters())
    if name in ("mamba-2", "gateloop", "s5"):
        _, state = block.with_state(torch.zeros(0, 7, 16))
        assert block.with_state(torch.zeros(0, 3, 16), state)[0].shape == (0, 3, 16)


# The second forward pass stops while one of LibTorch's own operators saves a tensor, as often as not.
@pytest.mark.parametrize("name", ["mega", "s4d", "rwkv4"])
def test_blocks_are_checkpointed(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    layer = lcsm.system(name, d=16, layer=0, layers=2, length=32)
    gradients = []
    for run in (layer, lambda x: torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)):
        x = torch.linspace(-1, 1, 2 * 9 * 16).view(2, 9, 16).requires_grad_()
        gradients.append(torch.autograd.grad(run(x).square().sum(), [x, *layer.parameters()]))
    assert all(torch.equal(a, b) for a, b in zip(*gradients))
    assert capfd.readouterr().err == ""


def test_checkpointing_keeps_nothing_of_its_second_pass() -> None:
    layer, made = lcsm.Eos("1-3-1-0", d=8, k=4), []

    def run(x: Tensor) -> Tensor:
        inside = 2 * x
        made.append(weakref.ref(inside))
        return layer(inside)

    torch.utils.checkpoint.checkpoint(run, torch.randn(1, 5, 8), use_reentrant=False).sum().backward()
    assert [tensor() for tensor in made] == [None, None]


def test_checkpointing_and_export() -> None:
    """Checkpointing stops its second forward by an exception of a hook, while our operator computes."""
    layer, x = lcsm.Eos("1-9-1-0", d=8, k=4), torch.randn(2, 30, 8)
    layer(x).square().sum().backward()
    expected = {name: parameter.grad for name, parameter in layer.named_parameters()}
    layer.zero_grad()
    torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False).square().sum().backward()
    for name, parameter in layer.named_parameters():
        assert torch.equal(parameter.grad, expected[name])
    assert torch.equal(torch.export.export(layer, (x,)).module()(x), layer(x))


def test_the_residual_of_a_compiled_layer_has_its_gradient() -> None:
    layer = lcsm.system("mega", d=16)
    x, residual = (torch.randn(2, 20, 16, requires_grad=True) for _ in range(2))
    ours = layer(x, residual=residual)
    theirs = torch.compile(layer, fullgraph=True)(x, residual=residual)
    assert torch.equal(ours, theirs)
    sought, d_y = [x, residual, *layer.parameters()], torch.randn_like(ours)
    for a, b in zip(torch.autograd.grad(ours, sought, d_y), torch.autograd.grad(theirs, sought, d_y)):
        assert torch.equal(a, b)


def test_hooks_may_copy_what_is_saved() -> None:
    """As those that keep saved tensors on a disk or in pinned memory do."""
    layer, x = lcsm.Eos("1-9-1-0", d=8, k=4), torch.randn(2, 30, 8)
    expected = torch.autograd.grad(layer(x).square().sum(), list(layer.parameters()))
    with torch.autograd.graph.saved_tensors_hooks(Tensor.clone, lambda copied: copied):
        y = layer(x)
    for a, b in zip(torch.autograd.grad(y.square().sum(), list(layer.parameters())), expected):
        assert torch.equal(a, b)


@pytest.mark.parametrize("code, symbols", [("1-3-1-0", "k"), ("1-2-1-0", "d"), ("1-1-1-0", "kd")])
def test_gates_and_their_machine_are_one_operation(code: str, symbols: str) -> None:
    """A step of autograd in Python costs some 40 microseconds."""
    i, e, s, *p = (torch.randn(1, 5, n, requires_grad=True) for n in (8, 4, 4, *({"k": 4, "d": 8}[x] for x in symbols)))
    named = {f"p_{axis}": tensor for axis, tensor in zip(symbols, p)}
    y, _ = lcsm.eos(code, i=i, e=e, s=s, **named)
    assert {id(node.variable) for node, _ in y.grad_fn.next_functions if node} == {id(x) for x in (i, e, s, *p)}


@pytest.mark.parametrize("learned", [True, False])
def test_forward_mode_is_refused_beside_the_definition(learned: bool) -> None:
    layer = lcsm.system("hgrn", d=8, dtype=torch.float64).requires_grad_(learned)
    x, tangent = torch.randn(2, 1, 5, 8, dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, tangent)
        with pytest.raises(RuntimeError, match="call the layer with definition=True"):
            layer(dual)
        with torch.no_grad(), pytest.raises(RuntimeError, match="call the layer with definition=True"):
            layer(dual)
        found = torch.autograd.forward_ad.unpack_dual(layer(dual, definition=True)).tangent
        layer(x)  # has no tangent
    step = 1e-6 * tangent
    torch.testing.assert_close(found, (layer(x + step) - layer(x - step)) / 2e-6, rtol=1e-6, atol=1e-8)


def test_a_layer_prints_its_tensors() -> None:
    text = repr(lcsm.Eos("1-4-1-0@o=fixed", d=8, k=4))
    assert "(expand): tensors(weight [4, 8])" in text and "slope_k [4]" in text


def test_fixed_symbols_need_not_be_given() -> None:
    """The number of rows, and the angles and slopes of a code, as a layer has them."""
    i, e, s = (torch.randn(2, 6, n) for n in (8, 4, 4))
    theta_k = (10000.0 ** (-torch.arange(4, dtype=torch.float64) / 4)).float()
    for definition in (False, True):
        y, _ = lcsm.eos("1-11-1-0", i=i, e=e, s=s, definition=definition)
        assert torch.equal(y, lcsm.eos("1-11-1-0", i=i, e=e, s=s, theta_k=theta_k, definition=definition)[0])
        halved, _ = lcsm.eos("1-11-1-0", i=i, e=e, s=s, theta_k=theta_k / 2, definition=definition)
        assert not torch.equal(halved, y)
    gate = {"o": "exp(-slope_d)", "scale": "1 / size_k"}
    y, _ = lcsm.eos("1-mine-1-0", i=i, e=e, s=s, oscillation=gate)
    sized, _ = lcsm.eos("1-mine-1-0", i=i, e=e, s=s, oscillation=gate | {"scale": "0.25"})
    torch.testing.assert_close(y, sized)


def test_an_empty_batch() -> None:
    i, e, s, p_k = (torch.randn(0, 6, n) for n in (8, 4, 4, 4))
    y, state = lcsm.eos("1-3-1-0", i=i, e=e, s=s, p_k=p_k)
    assert y.shape == (0, 6, 8) and state["m"].shape == (0, 4, 8)
    for gate in ("sigmoid(p_k)", "sigmoid(p_k) * rotate(p_k2)", "rotate(p_d)"):
        assert lcsm.Eos("1-mine-1-0", d=8, k=4, oscillation=gate)(i).shape == (0, 6, 8)


def test_a_failure_is_not_remembered() -> None:
    layer = lcsm.Eos("1-3-1-0", d=8, k=4)
    with pytest.raises((ValueError, RuntimeError), match="T > 0"):
        layer(torch.randn(1, 0, 8))
    with pytest.raises(RuntimeError, match="the transforms of torch.func"):
        torch.func.vmap(layer)(torch.randn(2, 1, 5, 8))


def test_copies() -> None:
    layer = lcsm.Eos("1-9-1-0", d=8, k=4)
    x = torch.randn(1, 5, 8)
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    for other in (copy.deepcopy(layer), torch.load(file, weights_only=False)):
        assert torch.equal(other(x), layer(x))
        with torch.no_grad():
            other.input.weight.zero_()
        assert other(x).abs().sum() == 0 and layer(x).abs().sum() > 0


def test_autocast_and_bfloat16() -> None:
    layer = lcsm.Eos("1-3-1-0", d=32, k=8)
    x = torch.randn(2, 20, 32)
    exact = layer(x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rounded = layer(x)
    assert rounded.dtype == torch.bfloat16
    half = copy.deepcopy(layer).bfloat16()(x.bfloat16())
    assert half.dtype == torch.bfloat16
    for y in (rounded, half):
        assert 0 < (y - exact).abs().max() < 0.05


@pytest.mark.parametrize("name", ["rwkv4", "reformer"])
def test_blocks_round_products_to_float16_too(name: str) -> None:
    layer, x = lcsm.system(name, d=16, layer=0, layers=2, length=32), torch.randn(2, 32, 16)
    for definition in (False, True):
        with torch.autocast("cpu", dtype=torch.float16):
            y = layer(x, definition=definition)
        torch.testing.assert_close(y, layer(x), rtol=0.01, atol=0.01)
        assert all(d.isfinite().all() for d in torch.autograd.grad(y.sum(), list(layer.parameters())))


def test_autocast_leaves_float64_as_it_is() -> None:
    """As torch's products do."""
    systems = ("linear-transformer", "gated-delta", "luna")
    for make, names in ((lcsm.Eos, CODES), (lcsm.system, systems)):
        for layer in (make(name, d=32, dtype=torch.float64) for name in names):
            x = torch.randn(2, 20, 32, dtype=torch.float64)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = layer(x)
            torch.testing.assert_close(y, layer(x), rtol=1e-12, atol=1e-12)


def test_compiled_layers_round_products_under_autocast_too() -> None:
    """With eager's types and bits."""
    for layer in (*made(), lcsm.Eos("fwp", d=16, k=8, dtype=torch.float64)):
        compiled = torch.compile(layer, fullgraph=True)
        leaf = torch.randn(2, 20, layer.d, dtype=layer.weights()[0].dtype, requires_grad=True)
        x = 2 * leaf  # eager rounds a leaf once for all its products, and sums their gradients rounded
        with torch.autocast("cpu", dtype=torch.bfloat16):
            ours, theirs = layer(x), compiled(x)
        assert ours.dtype == theirs.dtype and torch.equal(ours, theirs)
        d_y = torch.randn_like(ours)
        sought = [x, *layer.parameters()]
        for a, b in zip(*(torch.autograd.grad(y, sought, d_y, materialize_grads=True) for y in (ours, theirs))):
            assert torch.equal(a, b)
    i, e, s, p_k = (torch.randn(2, 9, n) for n in (8, 4, 4, 4))
    compiled = torch.compile(lambda *x: lcsm.eos("1-3-1-0", i=x[0], e=x[1], s=x[2], p_k=x[3])[0], fullgraph=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(lcsm.eos("1-3-1-0", i=i, e=e, s=s, p_k=p_k)[0], compiled(i, e, s, p_k))


def test_memory() -> None:
    layer = lcsm.Eos("1-9-1-4", d=8, k=4)
    x = torch.randn(1, 4, 8)

    def kilobytes_after(calls: int) -> int:
        for _ in range(calls):
            layer(x).sum().backward()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = kilobytes_after(500)
    assert kilobytes_after(10_000) - before < 2_000


@pytest.mark.parametrize("name", ["1-9-1-4", "1-11-1-0", "1-ces-1-0", "s4d", "mamba-2", "reformer"])
def test_calls_leave_nothing_allocated(name: str) -> None:
    class Allocated(ctypes.Structure):
        """mallinfo2 of glibc."""

        _fields_ = [(name, ctypes.c_size_t) for name in "arena free a b mapped c d used left top".split()]

    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Allocated
    layer = lcsm.Eos(name, d=8, k=4) if name[0] == "1" else lcsm.system(name, d=8)
    x = torch.randn(1, 4, 8)

    def bytes_after(calls: int) -> int:
        for _ in range(calls):
            layer(x).sum().backward()
        gc.collect()
        now = libc.mallinfo2()
        return now.used + now.mapped

    before = bytes_after(300)
    assert bytes_after(1000) - before < 1000 * 16


def test_no_second_derivatives() -> None:
    layer = lcsm.Eos("1-3-1-0", d=8, k=4, dtype=torch.float64)
    x = torch.randn(1, 5, 8, dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="expected first derivatives only"):
        torch.autograd.grad(layer(x).sum(), x, create_graph=True)
    assert torch.autograd.gradgradcheck(lambda x: layer(x, definition=True), (x,))
    x32 = torch.randn(1, 50, 64, requires_grad=True)  # large enough for products of our own
    y = lcsm.Eos("1-3-1-0", d=64, k=32)(x32.expand(40, -1, -1), definition=True)
    torch.autograd.grad(y.square().sum(), x32, create_graph=True)[0].sum().backward()


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: lcsm.Eos("1-nine-1-0"), "unknown oscillation 'nine'.*needs its formula, oscillation="),
        (lambda: lcsm.Eos("1-9-1-0\nk 7", d=8), "expected code in one line"),
        (lambda: lcsm.Eos("1-9-1-0", k=0), "expected an integer k of at least 1, got 0"),
        (lambda: lcsm.Eos("1-9-1-0", d=8, k=8 / 2), "expected an integer k of at least 1, got 4.0"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation="2 * sigmoid(p_k)"), "oscillation 'mine', o, column 1"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "sigmoid(p_k)", "inti": "3"}), "no key 'inti'"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"init": {"w_k": "3"}}), "oscillation 'mine', o, .*got the end"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "p_k", "d": "7"}), "no key 'd': it has o, scale"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "w_k", "init": "3"}), "no key 'init': .* init.SYMBOL"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "w_k", "init": {"w_k\nk": 3}}), "no key 'init.w_k"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "2", "growth": "true"}), "True or False as 'growth' .*, got 'true'"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "2", "growth": 1}), "True or False as 'growth' .*, got 1"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "p_k", "help": 3}), "a text as 'help' of an oscillation, got 3"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": True}), "a formula as 'o' of an oscillation, got True"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation={"o": "w_k", "init": {"w_k": [1]}}), r"as 'init.w_k' .*, got \[1\]"),
        (lambda: lcsm.Eos("1-mine-1-0", oscillation=3), "expected an oscillation as a formula or a mapping, got 3"),
        (lambda: lcsm.Eos("1-4-1-0", oscillation={"init": {"w_k": "3"}}), "'4' is not a valid name"),
        (lambda: lcsm.Eos("fwp", oscillation={}), "oscillation 'fwp', o"),
        (lambda: lcsm.Eos("mamba@state=8", d=8), r'the named system is lcsm.system\("mamba@state=8", d=8\)'),
        (lambda: lcsm.system("mambo", d=8), "mamba"),
        (lambda: lcsm.system("mamba", d=8, part="head"), "part='mixer' or 'feed', got 'head'"),
        (lambda: lcsm.block("s4d", d=8, modse=3), "modes"),
        (lambda: lcsm.block("reforner", d=8), "expected a block, got 'reforner'; did you mean 'reformer'"),
        (lambda: lcsm.Eos(""), "expected a code, a system or a block, got none"),
        (lambda: lcsm.Eos("1-9-1-0", d=8, k=4)(torch.randn(5, 8)), r"expected x \[B, T > 0, d\], got \[5, 8\]"),
        (lambda: lcsm.Eos("1-9-1-0", d=8, k=4)(torch.randn(1, 5, 8).double()), "dtype"),
        (lambda: lcsm.Eos("1-9-1-0", d=8, k=4)(torch.ones(1, 5, 8).long()), "expected x of a floating dtype, got Long"),
        (lambda: lcsm.eos("1-3-1-0", **tensors(8, 4), w_k=torch.randn(4)), "1-3-1-0 has no symbol 'w_k': it has p_k"),
        (lambda: lcsm.system("mega", d=8).with_state(torch.randn(1, 5, 8)), "expected a layer that can go on from a state"),
        (lambda: lcsm.block("s4", d=8)(torch.randn(2, 5, 1)), r"expected x \[B, T, 8\], got \[2, 5, 1\]"),
        (lambda: mixed(padding=torch.zeros(1, 5, dtype=torch.bool)), r"padding \[2, 5\] of Bool, got \[1, 5\] of Bool"),
        (lambda: mixed(padding=torch.zeros(2, 5)), r"padding \[2, 5\] of Bool, got \[2, 5\] of Float"),
        (lambda: mixed(residual=torch.randn(1, 5, 8)), r"residual \[2, 5, 8\] of Float, got \[1, 5, 8\] of Float"),
        (
            lambda: lcsm.Eos("1-9-1-0", d=8, k=4).with_state(torch.randn(1, 5, 8), torch.zeros(1, 4, 8)),  # type: ignore[arg-type]
            "expected the state that was returned, tensors by their names, got a Tensor",
        ),
        (lambda: lcsm.Eos("1-9-1-0", d=8, k=4).with_state(torch.randn(1, 5, 8), {"M": torch.randn(1, 4, 8)}), "state 'M'"),
        (lambda: lcsm.Eos("1-3-1-0", d=8, k=4).with_state(torch.randn(1, 5, 8), {"": torch.randn(1, 4, 8)}), "state ''"),
        (lambda: lcsm.eos("1-10-1-0", **tensors(8, 4), state={"M": torch.randn(1, 4, 8)}), "state 'M': this layer carries no"),
        (lambda: lcsm.eos("1-3-1-0", **tensors(8, 4)), r"expected 'p_k' \[1, 3, 4\], got none"),
    ],
)
def test_refusals(call, sentence: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=sentence):
        call()


def mixed(**more: Tensor) -> Tensor:
    return lcsm.system("mega", d=8)(torch.randn(2, 5, 8), **more)


def tensors(d: int, k: int) -> dict[str, Tensor]:
    return {name: torch.randn(1, 3, n) for name, n in (("i", d), ("e", k), ("s", k))}


def test_every_operation_is_raw_without_gradients() -> None:
    """Without gradients nothing is stored, and Python is not asked."""
    layer = lcsm.Eos("1-9-1-0", d=8, k=4)
    with torch.no_grad():
        assert layer(torch.randn(1, 5, 8)).grad_fn is None
    for parameter in layer.parameters():
        parameter.requires_grad_(False)
    assert not _library.learns(*layer.weights()) and layer(torch.randn(1, 5, 8)).grad_fn is None
