"""Runs as models of EleutherAI's lm-evaluation-harness (https://github.com/EleutherAI/lm-evaluation-harness).

    python -m lcsm.lm_eval run --model lcsm --model_args run=workspace/runs/3f9c --tasks lambada_openai
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor

from lcsm.layers import State
from lcsm.models import Model, load
from lcsm.programs import require

_NEEDS = "lcsm.lm_eval"
_api = require("lm_eval.api.model", _NEEDS)
_registry = require("lm_eval.api.registry", _NEEDS)
require("lm_eval.models", _NEEDS)  # a registry that is not empty does not import them
_toml = require("tomllib" if sys.version_info >= (3, 11) else "tomli", _NEEDS)

_BOUNDARY = ord("\n")  # precedes a text of bytes in `lcsm sample`
_Window = tuple[list[int], list[int]]
_Result = TypeVar("_Result")


@_registry.register_model("lcsm")
class LM(_api.LM):  # type: ignore[misc, name-defined]
    """A run that predicts the next byte of a text, at a checkpoint.

    >>> from lcsm.lm_eval import LM
    >>> model = LM(run)                                                  # run = "workspace/runs/3f9c"
    >>> model.max_length                                                 # task.length
    64

    A model sees `task.length` bytes: of a longer context the last ones, of a longer text a window before each byte, as
    the harness does. A text begins as in `lcsm sample`, after a line end. Sequences of one length are a batch.
    """

    def __init__(
        self,
        run: str | Path,
        checkpoint: str | int = "best",
        batch_size: int | str = 64,
        max_batch_size: int | None = None,
        device: str | None = None,
    ) -> None:
        """device: the harness gives one, even where nobody asks for it; a model computes on the CPU."""
        super().__init__()
        self.model = load(run, checkpoint)
        task = _toml.loads(self.model.config)["task"]
        if task.get("tokens") != "bytes" or self.model.task != {"inputs": "tokens", "head": "tokens"}:
            raise ValueError(
                f"lcsm: expected a run that predicts a text's bytes, got task.name = {task['name']!r} with"
                f" task.tokens = {task.get('tokens', 'none')!r}: train one on task.name=text with task.tokens=bytes"
                " (words and byte pairs are numbered by the run's data, which is not in its folder)"
            )
        if task.get("masked"):
            raise ValueError(
                "lcsm: expected a run that predicts the next byte, got task.masked = "
                f"{task['masked']}: train one with task.masked=0"
            )
        self.max_length: int = task["length"]
        self._carries = _carries(self.model)
        self.batch_size = 64 if str(batch_size).startswith("auto") else int(batch_size)

    @property
    def tokenizer_name(self) -> str:
        return "bytes"

    def loglikelihood(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """Of (context, continuation): log p(continuation | context), and whether each byte is the likeliest.

        >>> from lcsm.lm_eval import LM
        >>> from lm_eval.api.instance import Instance
        >>> ((likelihood, greedy),) = LM(run).loglikelihood([Instance("loglikelihood", {}, ("small ", "gates"), 0)])
        >>> likelihood < 0
        True
        """
        pairs = [request.args for request in requests]
        texts = [([_BOUNDARY, *context.encode()], list(continuation.encode())) for context, continuation in pairs]
        return self._kept("loglikelihood", pairs, self._likelihoods(texts))

    def loglikelihood_rolling(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[float]:
        """Of (text,): log p(text).

        >>> from lcsm.lm_eval import LM
        >>> from lm_eval.api.instance import Instance
        >>> (likelihood,) = LM(run).loglikelihood_rolling([Instance("loglikelihood_rolling", {}, ("small gates",), 0)])
        >>> likelihood < 0
        True
        """
        pairs = [request.args for request in requests]
        found = self._likelihoods([([_BOUNDARY], list(text.encode())) for (text,) in pairs])
        return self._kept("loglikelihood_rolling", pairs, [sum_ for sum_, _ in found])

    def generate_until(self, requests: Sequence[Any], disable_tqdm: bool = False) -> list[str]:
        """Of (context, options): the likeliest bytes one by one, up to the first text of "until", at most
        "max_gen_toks" or "max_new_tokens", 256 by default.

        >>> from lcsm.lm_eval import LM
        >>> from lm_eval.api.instance import Instance
        >>> options = {"until": ["."], "max_gen_toks": 40}
        >>> (made,) = LM(run).generate_until([Instance("generate_until", {}, ("small gates ", options), 0)])
        >>> "." in made
        False
        """
        pairs = [request.args for request in requests]
        return self._kept("generate_until", pairs, [self._generated(*pair) for pair in pairs])

    def _kept(self, what: str, pairs: Sequence[tuple[Any, ...]], results: list[_Result]) -> list[_Result]:
        for arguments, result in zip(pairs, results):
            self.cache_hook.add_partial(what, arguments, result)
        return results

    @torch.no_grad()
    def _logits(self, rows: Sequence[Sequence[int]]) -> Tensor:
        logits: Tensor = self.model(torch.tensor(rows))
        return logits.float()

    @torch.no_grad()
    def _after(self, tokens: Sequence[int], before: State | None) -> tuple[Tensor, State | None]:
        """Logits after the tokens, and the state there. before: the state before the last of them."""
        if not self._carries or len(tokens) > self.max_length:
            return self._logits([tokens[-self.max_length :]])[0, -1], None
        logits, state = self.model.with_state(torch.tensor([tokens if before is None else tokens[-1:]]), before)
        return logits[0, -1].float(), state

    def _likelihoods(self, texts: Sequence[tuple[list[int], list[int]]]) -> list[tuple[float, bool]]:
        """Of (bytes before, bytes): the sum of their log-probabilities, and whether all are the likeliest."""
        sums, greedy = [0.0] * len(texts), [True] * len(texts)
        windows = [(at, *window) for at, text in enumerate(texts) for window in windows_of(*text, self.max_length)]
        for batch in _batches(windows, lambda window: len(window[1]), self.batch_size):
            logits = self._logits([inputs for _, inputs, _ in batch]).log_softmax(-1)
            for (at, _, targets), row in zip(batch, logits):
                last = row[len(row) - len(targets) :]
                wanted = torch.tensor(targets)
                sums[at] += float(last.gather(1, wanted[:, None]).double().sum())
                greedy[at] &= bool((last.argmax(-1) == wanted).all())
        return list(zip(sums, greedy))

    def _generated(self, context: str, options: dict[str, Any]) -> str:
        if options.get("do_sample", options.get("temperature")):
            raise ValueError(f"lcsm: expected greedy generation, got {options}: do_sample=False, temperature=0")
        until = options.get("until") or []
        stops = [stop.encode() for stop in ([until] if isinstance(until, str) else until) if stop]
        tokens = [_BOUNDARY, *context.encode()]
        made = bytearray()
        state: State | None = None
        limits = (options.get("max_gen_toks"), options.get("max_new_tokens"))
        for _ in range(next((limit for limit in limits if limit is not None), 256)):
            logits, state = self._after(tokens, state)
            made.append(int(logits.argmax()))
            tokens.append(made[-1])
            if any(made.endswith(stop) for stop in stops):
                break
        ends = [place for stop in stops if (place := made.find(stop)) >= 0]
        return made[: min(ends, default=len(made))].decode(errors="replace")


def _carries(model: Model) -> bool:
    try:
        model.with_state(torch.zeros(1, 1, dtype=torch.long))
    except (ValueError, RuntimeError):  # such as attention; torch 2.15 makes all errors of operators RuntimeErrors
        return False
    return True


def windows_of(before: list[int], tokens: list[int], length: int) -> Iterator[_Window]:
    """Inputs of at most `length`, and the last tokens after them, so that each token is predicted once.

    >>> from lcsm.lm_eval import windows_of
    >>> for inputs, targets in windows_of([9], [0, 1, 2, 3, 4, 5], length=4):
    ...     print(inputs, targets)
    [9, 0, 1, 2] [0, 1, 2, 3]
    [1, 2, 3, 4] [4, 5]
    """
    whole = before + tokens
    for begin in range(0, len(tokens), length):
        end = min(begin + length, len(tokens))
        last = len(before) + end - 1
        yield whole[max(0, last - length) : last], tokens[begin:end]


def _batches(items: list[_Result], size_of: Callable[[_Result], int], most: int) -> Iterator[list[_Result]]:
    """Items of one size, the largest first."""
    sizes: dict[int, list[_Result]] = {}
    for item in items:
        sizes.setdefault(size_of(item), []).append(item)
    for size in sorted(sizes, reverse=True):
        for begin in range(0, len(sizes[size]), most):
            yield sizes[size][begin : begin + most]


if __name__ == "__main__":
    require("lm_eval.__main__", _NEEDS).cli_evaluate()
