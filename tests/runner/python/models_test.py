"""Models of runs: what was damaged or edited is refused."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from pathlib import Path

import pytest

import lcsm

torch = pytest.importorskip("torch")


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    """A copy of one of the runs, under its id."""
    found = sorted((trained / "workspace/runs").iterdir())[0]
    return Path(shutil.copytree(found, tmp_path / found.name))


def checkpoint_of(run: Path) -> Path:
    return sorted(run.glob("checkpoints/[0-9]*"))[-1]


def test_a_run_is_loaded_by_the_first_digits_of_its_id(run: Path) -> None:
    model = lcsm.load(run.parent / run.name[:8], "last")
    assert model.id == run.name and set(model.state_dict()) == set(model.names)


def test_a_run_of_the_workspace_is_loaded_by_its_id(trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trained)
    monkeypatch.delenv("LCSM_WORKSPACE", raising=False)
    name = sorted(Path("workspace/runs").iterdir())[0].name
    assert lcsm.load(name).id == lcsm.load(name[:8]).id == name
    monkeypatch.chdir("/")
    monkeypatch.setenv("LCSM_WORKSPACE", str(trained / "workspace"))
    assert lcsm.load(name).id == name
    with pytest.raises(ValueError, match="expected one run .*workspace/runs/none, got none"):
        lcsm.load("none")


def test_tokens_outside_the_vocabulary_are_refused(run: Path) -> None:
    model = lcsm.load(run)
    for token in (model.vocab, -1):
        with pytest.raises(ValueError, match=f"expected tokens from 0 to {model.vocab - 1}, got {token}"):
            model(torch.full((2, 12), token))
    with pytest.raises(ValueError, match="expected tokens from 0 to"):
        model.with_state(torch.full((2, 12), model.vocab))


def test_a_source_is_refused_by_a_model_without_an_encoder(run: Path) -> None:
    model, tokens = lcsm.load(run), torch.zeros(2, 12, dtype=torch.long)
    for more in ({"source": tokens}, {"source_padding": tokens.bool()}):
        with pytest.raises((ValueError, RuntimeError), match="expected no source and no source_padding for a model without"):
            model(tokens, **more)


def test_dropout_that_is_not_applied_is_told(run: Path) -> None:
    assert not lcsm.load(run).training
    text, weights = (run / "config.toml").read_text(), dict(lcsm.load(run).state_dict())
    of_rate = lambda rate: lcsm.Model(re.sub(r"dropout = [0-9.]+", f"dropout = {rate}", text), weights)
    dropping = of_rate(0.5)
    with pytest.warns(UserWarning, match="no effect of .*dropout = 0.5"):
        dropping.train()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dropping.eval()
        of_rate(0).train()


def test_an_edited_configuration_is_refused(run: Path) -> None:
    config = run / "config.toml"
    text = config.read_text()
    config.write_text(text.replace("dropout = 0.0", "dropout = 0.5", 1))
    assert config.read_text() != text
    with pytest.raises(ValueError, match=f"expected the configuration of run {run.name[:8]}"):
        lcsm.load(run)


@pytest.mark.parametrize("name", ["model.safetensors", "state.json"])
def test_a_damaged_file_is_refused(run: Path, name: str) -> None:
    file = checkpoint_of(run) / name
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"{name} is damaged"):
        lcsm.load(run, "last")


def test_an_unknown_checkpoint_is_refused(run: Path) -> None:
    with pytest.raises(ValueError, match="expected best, last or one of the steps"):
        lcsm.load(run, 7)
    with pytest.raises(ValueError, match="expected one run"):
        lcsm.load(run.parent / "none")


def test_a_text_is_read_in_pieces_as_at_once(run: Path) -> None:
    model = lcsm.load(run)
    tokens = torch.randint(model.vocab, (3, 12))
    with torch.no_grad():
        whole, pieces, state = model(tokens), [], None
        for piece in tokens.split([5, 1, 1, 5], 1):
            output, state = model.with_state(piece, state)
            pieces.append(output)
    torch.testing.assert_close(torch.cat(pieces, 1), whole)
    assert int(state["steps"]) == 12
    with pytest.raises((ValueError, RuntimeError), match="expected the state after the steps before"):
        model.with_state(tokens, {"steps": torch.tensor(5)})
    with pytest.raises(ValueError, match="got one without 'steps'"):
        model.with_state(tokens, {name: each for name, each in state.items() if name != "steps"})
    with pytest.raises((ValueError, RuntimeError), match="carries no such state"):
        model.with_state(tokens, state | {"carried.0.other": torch.zeros(3)})
    with pytest.raises((ValueError, RuntimeError), match="carries no such state"):
        model.with_state(tokens, {name: each for name, each in state.items() if not name.startswith("carried.1.")})


def test_compiled_around_a_model(run: Path, recwarn: pytest.WarningsRecorder) -> None:
    model, tokens = lcsm.load(run), torch.randint(64, (2, 9))
    twice = torch.compile(lambda values: 2 * model(values))
    assert torch.equal(twice(tokens), 2 * model(tokens))
    assert not [each for each in recwarn if "Dynamo" in str(each.message)]
    with pytest.raises(torch._dynamo.exc.Unsupported, match="outside of compiled graphs"):
        torch.compile(model, fullgraph=True)(tokens)


def test_weights_must_fit(run: Path) -> None:
    model = lcsm.load(run)
    weights = dict(zip(model.names, model.weights()))
    name = model.names[-1]
    with pytest.raises(ValueError, match=f"expected a tensor '{name}', got none"):
        lcsm.Model(model.config, {key: tensor for key, tensor in weights.items() if key != name})
    with pytest.raises(ValueError, match="has no tensor 'more'"):
        lcsm.Model(model.config, {**weights, "more": weights[name]})
    with pytest.raises(ValueError, match="expected shape"):
        lcsm.Model(model.config, {**weights, name: weights[name][:1]})


def model_of_numbers(keys: str) -> lcsm.Model:
    from lcsm import _library

    config = f'task.name = "pythagorean"\nmodel = {{ {keys}, d = 16, layers = 2 }}\n'
    shapes = {row["name"]: row["shape"] for row in json.loads(_library.operators.describe_model(config, 0))["tensors"]}
    return lcsm.Model(config, {name: 0.3 * torch.randn(shape) for name, shape in shapes.items()})


def test_batch_norms_that_stay_are_told() -> None:
    model = model_of_numbers('system = "s4d", skeleton = "source"')
    with pytest.warns(UserWarning, match="batch norms use their stored statistics"):
        model.train()


def test_frozen_models_have_the_gradient_of_numbers() -> None:
    model = model_of_numbers('code = "1-9-1-2", k = 8')
    values = torch.randn(2, 64, 1, requires_grad=True)
    expected = torch.autograd.grad(model(values).sum(), values)[0]
    model.requires_grad_(False)
    assert torch.equal(torch.autograd.grad(model(values).sum(), values)[0], expected) and expected.abs().sum() > 0


def test_padding_must_fit(run: Path) -> None:
    with pytest.raises((ValueError, RuntimeError), match=r"padding \[2, 16\] of Bool, got \[1, 16\] of Bool"):
        lcsm.load(run)(torch.zeros(2, 16, dtype=torch.long), padding=torch.zeros(1, 16, dtype=torch.bool))
