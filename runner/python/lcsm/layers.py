"""Layers as modules and functions."""

from __future__ import annotations

import os
import re
import warnings
from numbers import Real
from operator import index
from typing import Any, Mapping, Sequence

import torch
from torch import Tensor, nn

from lcsm import _library, _whole
from lcsm.programs import require

State = dict[str, Tensor]
"""What a sequence carries from step to step, by name."""


class _Names(nn.Module):
    """Holds the tensors whose names begin alike, so that a state_dict has lcsm's names."""

    def forward(self) -> None:
        """Nothing. Hooks before it, such as those of torch.nn.utils.prune, make the tensors."""

    def _get_name(self) -> str:
        return "tensors"

    def extra_repr(self) -> str:
        own = [*self.named_parameters(recurse=False), *self.named_buffers(recurse=False)]
        return ", ".join(f"{name} {list(tensor.shape)}" for name, tensor in own)


class Named(nn.Module):
    """A module whose tensors have lcsm's names."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.groups: dict[str, str] = {}
        self._places: list[list[str]] = []

    def _put(self, name: str, value: Tensor, learned: bool, group: str) -> None:
        owner: nn.Module = self
        *path, last = name.split(".")
        for part in path:
            if part not in owner._modules:
                owner.add_module(part, _Names())
            owner = owner._modules[part]  # type: ignore[assignment]
        if learned:
            owner.register_parameter(last, nn.Parameter(value))
            self.groups[name] = group
        else:
            owner.register_buffer(last, value)
        self.names.append(name)
        self._places.append([*path, last])

    def weights(self) -> list[Tensor]:
        """The tensors in the order of `names`."""
        weights, hooked = [], set()
        for *path, last in self._places:
            owner: Any = self
            for part in path:
                owner = owner._modules[part]
            if owner._forward_pre_hooks and isinstance(owner, _Names) and owner not in hooked:
                hooked.add(owner)
                owner()
            weights.append(getattr(owner, last))
        return weights

    def parameter_groups(self) -> dict[str, list[nn.Parameter]]:
        """The learned tensors as optimizers treat them alike: "matrices", "gate", "norm". A parametrization's tensors
        (torch.nn.utils.parametrize) are in the group of the tensor that they make.

        >>> import lcsm
        >>> layer = lcsm.Eos("1-9-1-0", d=32, k=16)
        >>> {group: len(tensors) for group, tensors in layer.parameter_groups().items()}
        {'matrices': 4, 'gate': 2, 'norm': 2}
        """
        groups: dict[str, list[nn.Parameter]] = {}
        for name, tensor in self.named_parameters():
            group = self.groups.get(re.sub(r"parametrizations\.(\w+)\..+", r"\1", name))
            if group is None:
                raise ValueError(
                    f"lcsm: expected tensors of the layer or of torch's parametrizations, got '{name}': "
                    "put the parameters into groups yourself"
                )
            groups.setdefault(group, []).append(tensor)
        return groups

    def save(self, file: str | os.PathLike[str], prefix: str = "", **more: Tensor) -> None:
        """Writes the tensors by their names as safetensors. With prefix="weight." and an input, it is a file that
        `lcsm-train apply` reads:

        >>> import lcsm, torch
        >>> layer = lcsm.Eos("1-3-1-0", d=32, k=16)
        >>> layer.save("layer.safetensors", prefix="weight.", input=torch.randn(1, 9, 32))
        """
        for package in ("numpy", "safetensors"):
            require(package, "save")
        from safetensors.torch import save_file

        tensors = {prefix + name: tensor for name, tensor in zip(self.names, self.weights())} | more
        save_file({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, file)


_RATE = re.compile(r"(\w*dropout)[= ]+([0-9.e-]+)")


def warn_of_dropout(text: str, stacklevel: int) -> None:
    """If a layer's text, or a run's configuration, asks for dropout, which no module applies."""
    rates = [f"{name} = {rate}" for name, rate in _RATE.findall(text) if float(rate) > 0]
    if rates:
        told = f"lcsm: dropout is applied by lcsm-train only: no effect of {', '.join(rates)}"
        warnings.warn(told, stacklevel=stacklevel + 1)


class Layer(Named):
    """A layer of any kind over x [B, T, d]; `Eos`, `system` and `block` make them.

    Parameters have the names of `lcsm-train` and are drawn as there, by name and seed. Without seed= torch's generator
    gives one, so that layers differ and follow torch.manual_seed:

    >>> import lcsm
    >>> layer = lcsm.Eos("1-3-1-0", d=32, k=16)
    >>> [name for name, _ in layer.named_parameters()][:3]
    ['input.weight', 'expand.weight', 'oscillation.p_k.weight']
    """

    def __init__(
        self,
        spec: str,
        d: int,
        *,
        seed: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        about = _library.description(spec)
        self.spec, self.d = spec, about.get("d", d)  # a code may say its d
        warn_of_dropout(spec, stacklevel=3)
        dtype, device = dtype or torch.get_default_dtype(), device or torch.get_default_device()
        for tensor, value in zip(about["tensors"], self._first_values(seed)):
            self._put(tensor["name"], value.to(device=device, dtype=dtype), tensor["learned"], tensor["group"])

    def _first_values(self, seed: int | None) -> list[Tensor]:
        if seed is None:
            seed = int(torch.randint(1 << 31, (), device="cpu"))
        values: list[Tensor] = _library.operators.first_values(self.spec, seed)
        return values

    @torch.no_grad()
    def reset_parameters(self, seed: int | None = None) -> None:
        """Draws all tensors anew, also those of a layer that was made without memory for them:

        >>> import lcsm, torch
        >>> with torch.device("meta"):
        ...     layer = lcsm.Eos("1-3-1-0", d=32, k=16)
        >>> layer = layer.to_empty(device="cpu")
        >>> layer.reset_parameters()
        """
        own = dict([*self.named_parameters(remove_duplicate=False), *self.named_buffers(remove_duplicate=False)])
        for name in self.names:
            if name not in own:
                raise ValueError(f"lcsm: expected {name} as a tensor of the layer, got one made from others: reset first")
        for name, value in zip(self.names, self._first_values(seed)):
            own[name].copy_(value)

    def forward(
        self, x: Tensor, *, padding: Tensor | None = None, residual: Tensor | None = None, definition: bool = False
    ) -> Tensor:
        """The output [B, T, d]. padding [B, T] is true where there is no token. residual [B, T, d] is what the output
        will be added to, by default x; only blocks that gate it, such as mega, read it. definition=True computes the
        plain definition, on any device and with derivatives of every order."""
        return self._run(x, {}, padding, residual, False, definition)[0]

    def with_state(
        self,
        x: Tensor,
        state: Mapping[str, Tensor] | None = None,
        *,
        padding: Tensor | None = None,
        residual: Tensor | None = None,
        definition: bool = False,
    ) -> tuple[Tensor, State]:
        """The output and the state after the last step, with which the sequence goes on.

        >>> import lcsm, torch
        >>> layer = lcsm.Eos("1-3-1-0", d=32, k=16, dtype=torch.float64)
        >>> x = torch.randn(2, 8, 32, dtype=torch.float64)
        >>> first, state = layer.with_state(x[:, :5])
        >>> rest, _ = layer.with_state(x[:, 5:], state)
        >>> torch.allclose(torch.cat([first, rest], 1), layer(x))
        True
        """
        run = self._run if _library.states_of(self.spec) else self._run_uncompiled
        output, left = run(x, given_state(state), padding, residual, True, definition)
        if not left:
            got = self.extra_repr()
            raise ValueError(f"lcsm: expected a layer that can go on from a state, got {got}: give it whole sequences")
        return output, _named(self.spec, left)

    # A compiler does not know the state of a block: a break in its graph.
    @torch.compiler.disable
    def _run_uncompiled(self, *arguments: Any) -> tuple[Tensor, list[Tensor]]:
        return self._run(*arguments)

    def _run(
        self,
        x: Tensor,
        state: Mapping[str, Tensor],
        padding: Tensor | None,
        residual: Tensor | None,
        wants_state: bool,
        definition: bool,
    ) -> tuple[Tensor, list[Tensor]]:
        """The output, and what is left in the order of its names."""
        x, *weights = _library.in_one_type([x, *self.weights(), *([] if residual is None else [residual])])
        if residual is not None:
            *weights, residual = weights
        if torch.compiler.is_compiling():
            return _whole.layer(self.spec, x, weights, state, padding, residual, definition)
        output, *left = _library.called(
            _library.operators.layer.default,
            self.spec,
            x,
            weights,
            "\n".join(state),
            list(state.values()),
            padding,
            residual,
            wants_state,
            _library.learns(x, *weights, *state.values()),
            _library.products_of(x),
            definition,
        )
        return output, left

    def extra_repr(self) -> str:
        return ", ".join(line for line in self.spec.split("\n"))


def given_state(state: Mapping[str, Tensor] | None) -> Mapping[str, Tensor]:
    if state is not None and not isinstance(state, Mapping):
        raise ValueError(f"lcsm: expected the state that was returned, tensors by their names, got a {type(state).__name__}")
    return state or {}


def _named(spec: str, left: Sequence[Tensor]) -> State:
    """Of the last call. The names of a block's state are known after it only."""
    names = _library.states_of(spec) or _library.operators.state_names().split("\n")
    return dict(zip(names, left))


def _spec(**keys: Any) -> str:
    """The text of spec.h: a line for each key."""
    for key, value in keys.items():
        if "\n" in str(value):
            raise ValueError(f"lcsm: expected {key} in one line, got {value!r}")
    return "\n".join(f"{key} {value}" for key, value in keys.items() if value is not None)


_KEY = re.compile(r"o|scale|read|(init|rank)\.\w+|growth|help")
_KINDS: dict[str, tuple[Any, str]] = {"growth": (bool, "True or False"), "help": (str, "a text")}


def _oscillation(given: str | Mapping[str, Any]) -> dict[str, str]:
    """The keys of a table [oscillation.NAME] with their texts."""
    if not isinstance(given, (str, Mapping)):
        raise ValueError(f"lcsm: expected an oscillation as a formula or a mapping, got {given!r}")
    keys: dict[str, Any] = {"o": given} if isinstance(given, str) else {}
    for key, value in () if isinstance(given, str) else given.items():
        keys |= {f"{key}.{symbol}": of for symbol, of in value.items()} if isinstance(value, Mapping) else {key: value}
    for key, value in keys.items():
        if not _KEY.fullmatch(key):
            raise ValueError(
                f"lcsm: an oscillation has no key {key!r}: it has o, scale, read, init.SYMBOL, rank.SYMBOL, growth, help"
            )
        kind, expected = _KINDS.get(key, ((str, Real), "a formula"))
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            raise ValueError(f"lcsm: expected {expected} as {key!r} of an oscillation, got {value!r}")
    return {key: str(int(value) if key == "growth" else value).replace("\n", " ") for key, value in keys.items()}


def _code_spec(code: str, d: int, k: int, oscillation: str | Mapping[str, Any] | None) -> str:
    keys: dict[str, Any] = {"code": code, "d": d, "k": k}
    if oscillation is not None:
        keys["name"] = code.split("@")[0].split("-")[1] if "-" in code else code
        keys |= _oscillation(oscillation)
    return _spec(**keys)


class Eos(Layer):
    """The layer of a code: out = W_out LayerNorm(y), y the recurrence of W_i x, e, s and the gate.

    >>> import lcsm, torch
    >>> layer = lcsm.Eos("1-9-1-4", d=64, k=32)
    >>> layer(torch.randn(2, 10, 64)).shape
    torch.Size([2, 10, 64])

    A gate of one's own is a formula, under a name of one's own in the code:

    >>> gate = lcsm.Eos("1-mine-1-0", d=64, k=32, oscillation="sigmoid(p_k)^(1/8) * sigmoid(w_d)")
    >>> gate.oscillation.w_d.shape
    torch.Size([64])

    With further keys it is a mapping, as the table [oscillation.NAME] of a file:

    >>> gate = lcsm.Eos("1-mine-1-0", d=64, k=32, oscillation={"o": "sigmoid(w_k)", "init": {"w_k": "3"}})
    >>> gate.oscillation.w_k[0].item()
    3.0
    """

    def __init__(
        self,
        code: str,
        d: int = 512,
        k: int = 128,
        *,
        oscillation: str | Mapping[str, Any] | None = None,
        biases: bool = False,
        seed: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        spec = _code_spec(code, d, k, oscillation) + ("\nbiases 1" if biases else "")
        super().__init__(spec, d, seed=seed, device=device, dtype=dtype)


def system(
    name: str,
    d: int,
    *,
    part: str = "mixer",
    layer: int | None = None,
    layers: int | None = None,
    length: int | None = None,
    seed: int | None = None,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
) -> Layer:
    """A named system's block: its mixer, or with part="feed" the feed-forward that follows it. Options follow "@".

    >>> import lcsm, torch
    >>> block = lcsm.system("mamba-2", d=64)
    >>> block(torch.randn(2, 16, 64)).shape
    torch.Size([2, 16, 64])
    >>> feed = lcsm.system("mega@feed_hidden=160", d=64, part="feed")

    layer and layers are its place in the model, length the longest sequence, for systems that need them.
    """
    if part not in ("mixer", "feed"):
        raise ValueError(f"lcsm: expected part='mixer' or 'feed', got {part!r}")
    key = {"mixer": "system", "feed": "feed"}[part]
    spec = _spec(**{key: name}, d=d, layer=layer, layers=layers, length=length)
    return Layer(spec, d, seed=seed, device=device, dtype=dtype)


def block(
    name: str,
    d: int,
    *,
    seed: int | None = None,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
    **options: Any,
) -> Layer:
    """A block by its name, with its options.

    >>> import lcsm, torch
    >>> lcsm.block("s4d", d=16, modes=8)(torch.randn(1, 12, 16)).shape
    torch.Size([1, 12, 16])
    """
    texts = {f"set.{key}": str(value).lower() if isinstance(value, bool) else value for key, value in options.items()}
    return Layer(_spec(block=name, d=d, **texts), d, seed=seed, device=device, dtype=dtype)


def eos(
    code: str,
    *,
    i: Tensor,
    e: Tensor,
    s: Tensor,
    state: Mapping[str, Tensor] | None = None,
    oscillation: str | Mapping[str, Any] | None = None,
    definition: bool = False,
    **symbols: Tensor,
) -> tuple[Tensor, State]:
    """The recurrence alone: y [B, T, d] and the state after the last step.

    m_t = o_t (.) m_(t-1) + e_t (x) i_t,  y_t[d] = sum_k s_t[k,d] m_t[k,d]

    i is [B, T, d]; e and s, after their activation, are [B, T, k], or [k, d] where the code has 0. The gate's
    symbols are arguments by their names: p [B, T], p_k [B, T, k], p_d [B, T, d], w_k [k], ...; fixed ones, such as
    theta_k, only to change them. One step at a time, each with the state before it, is the same as all at once:

    >>> import lcsm, torch
    >>> B, T, d, k = 2, 6, 8, 4
    >>> i, e, s, p_k = (torch.randn(B, T, n, dtype=torch.float64) for n in (d, k, k, k))
    >>> y, _ = lcsm.eos("1-3-1-0", i=i, e=e, s=s, p_k=p_k)
    >>> state = None
    >>> for t in range(T):
    ...     now = slice(t, t + 1)
    ...     y_t, state = lcsm.eos("1-3-1-0", i=i[:, now], e=e[:, now], s=s[:, now], p_k=p_k[:, now], state=state)
    >>> torch.allclose(y_t, y[:, -1:])
    True
    """
    k = e.shape[-2] if e.dim() == 2 else e.shape[-1]
    spec = _code_spec(code, index(i.shape[-1]), index(k), oscillation)  # a compiler's symbols become numbers
    names = _library.symbols_of(spec)
    for name in symbols:
        if name not in names:
            raise ValueError(f"lcsm: {code} has no symbol {name!r}: it has {', '.join(names) or 'none'}")
    state = given_state(state)
    i, e, s, *given = _library.in_one_type(
        [i, e, s, *(symbols[name] if name in symbols else i.new_empty(0) for name in names)]
    )
    if torch.compiler.is_compiling():
        y, left = _whole.recurrence(spec, i, e, s, given, state, definition)
        return y, _named(spec, left)
    y, *left = _library.called(
        _library.operators.recurrence.default,
        spec,
        i,
        e,
        s,
        given,
        "\n".join(state),
        list(state.values()),
        _library.learns(i, e, s, *given, *state.values()),
        _library.products_of(i),
        definition,
    )
    return y, _named(spec, left)
