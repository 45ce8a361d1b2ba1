"""Models of runs: a checkpoint as a module."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from pathlib import Path
from typing import Any, Mapping

import torch
from torch import Tensor, nn

from lcsm import _library
from lcsm.layers import Named, State, given_state, warn_of_dropout
from lcsm.programs import require

# A compiler cannot look into a whole model: a break in its graph.
_uncompiled = torch.compiler.disable(reason="lcsm: a run's model is computed outside of compiled graphs")


class Model(Named):
    """A whole model, as a run's configuration describes it; `load` makes one.

    It computes as an evaluation does: nothing is dropped, and batch norms use their stored statistics. So it begins in
    eval(), and train() warns where the run had dropout or has batch norms.

    >>> import lcsm
    >>> model = lcsm.load(f"workspace/runs/{lcsm.results().id[0]}")
    >>> model.task, model.vocab
    ({'inputs': 'tokens', 'head': 'tokens'}, 64)
    """

    def __init__(self, config: str, weights: Mapping[str, Tensor]) -> None:
        """config: the text of a run's config.toml. weights: every tensor by its name."""
        super().__init__()
        self.config = config
        self.vocab = _vocabulary(weights)
        about = json.loads(_library.operators.describe_model(config, self.vocab))
        self.id: str = about["id"]
        self.task: dict[str, str] = {"inputs": about["inputs"], "head": about["head"]}
        names = [tensor["name"] for tensor in about["tensors"]]
        if unknown := sorted(weights.keys() - names):
            raise ValueError(f"lcsm: this configuration has no tensor {unknown[0]!r}")
        for tensor in about["tensors"]:
            name, shape = tensor["name"], tensor["shape"]
            if name not in weights:
                raise ValueError(f"lcsm: expected a tensor {name!r}, got none")
            if list(weights[name].shape) != shape:
                raise ValueError(f"lcsm: tensor {name!r}: expected shape {shape}, got {list(weights[name].shape)}")
            self._put(name, weights[name], tensor["learned"], tensor["group"])
        self.eval()

    def train(self, mode: bool = True) -> Model:
        """torch's. It changes nothing that is computed."""
        if mode:
            warn_of_dropout(self.config, stacklevel=2)
            if any(name.endswith("_norm.variance") for name in self.names):
                told = "lcsm: batch norms use their stored statistics: only lcsm-train computes those of a batch"
                warnings.warn(told, stacklevel=2)
        return super().train(mode)

    @_uncompiled
    def forward(
        self,
        values: Tensor,
        *,
        padding: Tensor | None = None,
        source: Tensor | None = None,
        source_padding: Tensor | None = None,
    ) -> Tensor:
        """What the task scores: logits [B, T, vocabulary] of a model of tokens, logits [B, classes] of a classifier,
        values [B, T] of a regression. values: tokens [B, T], or numbers [B, T, channels]; padding [B, T] is true where
        nothing is; source and source_padding are a translation's."""
        self._check(values)
        weights = self.weights()
        return _library.called(
            _library.operators.model.default,
            self.config,
            self.vocab,
            values,
            weights,
            padding,
            source,
            source_padding,
            _library.learns(values, *weights),
            _library.products_of(weights[0]),
        )

    @_uncompiled
    def with_state(self, values: Tensor, state: Mapping[str, Tensor] | None = None) -> tuple[Tensor, State]:
        """What forward returns of a piece of sequences, and the state after it, with which they go on. A token costs
        one step, however long the text before it:

        >>> import lcsm, torch
        >>> model = lcsm.load(f"workspace/runs/{lcsm.results().id[0]}")
        >>> tokens = torch.randint(64, (1, 9))
        >>> first, state = model.with_state(tokens[:, :8])
        >>> last, _ = model.with_state(tokens[:, 8:], state)
        >>> torch.allclose(last, model(tokens)[:, 8:], atol=1e-4)
        True

        No gradient goes through the state. Models with attention, dss or tnn have none and are refused.
        """
        if self.task["head"] not in ("tokens", "values"):
            raise ValueError(
                f"lcsm: expected a model with an output at each step, got one with a head of {self.task['head']}:"
                " give it whole sequences"
            )
        before = dict(given_state(state))
        if before and "steps" not in before:
            raise ValueError("lcsm: expected a state that with_state returned, got one without 'steps'")
        begin = int(before.pop("steps", 0))
        self._check(values)
        weights = self.weights()
        output, *left = _library.called(
            _library.operators.continued.default,
            self.config,
            self.vocab,
            values,
            weights,
            begin,
            "\n".join(before),
            list(before.values()),
            _library.learns(values, *weights),
            _library.products_of(weights[0]),
        )
        names = _library.operators.state_names().split("\n")
        return output, dict(zip(names, left)) | {"steps": torch.tensor(begin + values.shape[1])}

    def _check(self, tokens: Tensor) -> None:
        if self.task["inputs"] != "tokens" or torch.compiler.is_compiling() or not tokens.is_cpu or not tokens.numel():
            return
        least, most = int(tokens.min()), int(tokens.max())
        if least < 0 or most >= self.vocab:
            got = least if least < 0 else most
            raise ValueError(f"lcsm: expected tokens from 0 to {self.vocab - 1}, got {got}")


def _vocabulary(weights: Mapping[str, Tensor]) -> int:
    if "embedding.weight" in weights:
        return weights["embedding.weight"].shape[0]
    return sum(
        tensor.shape[0] for name, tensor in weights.items() if name.startswith("embedding.") and name.endswith(".weight")
    )


def load(run: str | Path, checkpoint: str | int = "best") -> Model:
    """The model of a run at a checkpoint: "best", "last" or a step. run is its folder, or its id in the workspace
    LCSM_WORKSPACE, else ./workspace; the first digits of the id do.

    >>> import lcsm, torch
    >>> run = lcsm.results().id[0]
    >>> model = lcsm.load(run)
    >>> model(torch.zeros(1, 16, dtype=torch.long)).shape
    torch.Size([1, 16, 64])
    """
    folder = _run_folder(Path(run))
    chosen = _checkpoint(folder, str(checkpoint))
    for said_in, name in (("written.json", "state.json"), ("state.json", "model.safetensors")):
        expected = json.loads((chosen / said_in).read_text())["sha256"][name]
        if (got := _sha256(chosen / name)) != expected:
            raise ValueError(
                f"lcsm: {chosen / name} is damaged: expected the checksum {expected[:8]}..., got {got[:8]}...;"
                " load another checkpoint"
            )
    require("safetensors", "lcsm.load")
    from safetensors.torch import load_file

    model = Model((folder / "config.toml").read_text(), load_file(chosen / "model.safetensors"))
    if model.id != (name := folder.resolve().name):
        raise ValueError(
            f"lcsm: {folder / 'config.toml'}: expected the configuration of run {name[:8]}, got that of run"
            f" {model.id[:8]}: it was edited, or this version reads it differently; `lcsm show {name[:8]}` prints the"
            " original values"
        )
    return model


def _run_folder(run: Path) -> Path:
    if (run / "config.toml").exists():
        return run
    if run.name == str(run):
        run = Path(os.environ.get("LCSM_WORKSPACE") or "workspace", "runs", run)
    found = sorted(run.parent.glob(run.name + "*/config.toml"))
    if len(found) != 1:
        raise ValueError(
            f"lcsm: expected one run {run}, got {len(found) or 'none'}: pass its folder, or set LCSM_WORKSPACE"
        )
    return found[0].parent


def _checkpoint(folder: Path, which: str) -> Path:
    def place(path: Path) -> tuple[int, int]:
        step, _, segment = path.name.partition(".")
        return int(segment or 0), int(step)

    found = sorted((path for path in folder.glob("checkpoints/[0-9]*") if (path / "state.json").exists()), key=place)
    if not found:
        raise ValueError(f"lcsm: expected a checkpoint in {folder}, got none")
    newest = found[-1]
    if which == "last":
        return newest
    best = json.loads((newest / "state.json").read_text())["state"]["best"] if which == "best" else {"step": which}
    step = str((best or {"step": newest.name.partition(".")[0]})["step"])
    fitting = [path for path in found if path.name.partition(".")[0] == step]
    if not fitting:
        steps = ", ".join(path.name.partition(".")[0] for path in found)
        raise ValueError(f"lcsm: expected best, last or one of the steps {steps} as a checkpoint, got {which!r}")
    return fitting[-1]


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while piece := content.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
