"""The adapter to lm-evaluation-harness, on a run of bytes that is trained here for a second."""

from __future__ import annotations

import doctest
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")
harness = pytest.importorskip("lm_eval", reason="no lm-evaluation-harness: pip install lm_eval")

import torch  # noqa: E402
from conftest import ROOT, page_block  # noqa: E402
from lm_eval.tasks import TaskManager  # noqa: E402
from lm_eval.utils import get_rolling_token_windows  # noqa: E402

import lcsm  # noqa: E402
from lcsm import lm_eval as ours, programs  # noqa: E402

LENGTH = 64
SWEEP = """\
title = "A model of bytes"
[base]
task = { name = "text", path = "text.txt", length = 64, tokens = "bytes" }
model = { d = 32, k = 8, layers = 2, skeleton = "wikitext" }
optim = { batch = 16, steps = 60, warmup = 10, lr = 1e-2 }
eval = { steps = 60, batch = 8 }
[grid]
model.code = ["1-3-1-2"]
"""
DOCUMENTS = "dataset_path: json\ndataset_kwargs: {data_files: {test: FILE}}\ntest_split: test\n"
CHOICE = """\
task: lines
output_type: multiple_choice
doc_to_text: '{{context}}'
doc_to_choice: '{{choices}}'
doc_to_target: label
target_delimiter: ''
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
"""
ROLLING = """\
task: whole
output_type: loglikelihood_rolling
doc_to_text: ''
doc_to_target: '{{text}}'
metric_list: [{metric: bits_per_byte, aggregation: bits_per_byte, higher_is_better: false}]
"""


def lines(count: int) -> list[str]:
    """Lines of 32 bytes, with their ends."""
    words = ["small", "gates", "forget", "slowly", "large", "states", "recall", "well"]
    chosen = random.Random(5)
    return [" ".join(chosen.choices(words, k=6))[:31].ljust(31, ".") + "\n" for _ in range(count)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With text.txt and the workspace of two runs, on its bytes and on its words."""
    try:
        programs.program()
    except lcsm.Error as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "text.txt").write_text("".join(lines(1300)))
    (folder / "of_bytes.toml").write_text(SWEEP)
    (folder / "of_words.toml").write_text(SWEEP.replace('"bytes"', '"words"').replace("steps = 60", "steps = 1"))
    (folder / "hidden.toml").write_text(SWEEP.replace("length = 64", "length = 64, masked = 0.2"))
    for sweep in ("of_bytes", "of_words", "hidden"):
        command = [programs.program(), "run", f"{sweep}.toml", "--plain", f"--workspace={sweep}"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def run_of(folder: Path, sweep: str = "of_bytes") -> Path:
    (found,) = (folder / sweep / "runs").iterdir()
    return found


@pytest.fixture(scope="module")
def model(folder: Path) -> ours.LM:
    return ours.LM(run_of(folder), batch_size=5)


def requests(*arguments: tuple[Any, ...]) -> list[SimpleNamespace]:
    return [SimpleNamespace(args=each) for each in arguments]


def likelihood(model: ours.LM, inputs: Sequence[int], targets: Sequence[int]) -> float:
    """The sum of log softmax of the logits, of the targets after the inputs."""
    logits = model.model(torch.tensor([list(inputs)]))[0, -len(targets) :].double().log_softmax(-1)
    return logits.gather(1, torch.tensor(list(targets))[:, None]).sum().item()


def test_the_examples_of_the_docstrings(folder: Path) -> None:
    found = doctest.testmod(ours, extraglobs={"run": run_of(folder)})
    assert found.attempted > 10 and found.failed == 0


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 11])
def test_windows_are_the_harness_s(count: int) -> None:
    tokens = list(range(count))
    assert list(ours.windows_of([9], tokens, 4)) == list(get_rolling_token_windows(tokens, 9, 4, 1))


def test_the_rolling_likelihood_is_the_loss_of_the_run(folder: Path, model: ours.LM) -> None:
    """An evaluation predicts blocks of task.length, the first byte of each from the last of the block before."""
    test = "".join(lines(1300)[-64:])  # the last twentieth, whole blocks
    (found,) = model.loglikelihood_rolling(requests((test,)))
    (row,) = lcsm.results(folder / "of_bytes").to_dict("records")
    assert -found / len(test) == pytest.approx(row["test.loss"], rel=1e-5)
    assert row["test.loss"] < 2  # it has learned


def test_likelihoods(model: ours.LM) -> None:
    short = [("", "\nsmall"), ("small ", "gates"), ("", ""), ("é", "ß")]
    pairs = [*short, ("small gates " * 9, "forget"), ("a", "b" * 150)]
    results = model.loglikelihood(requests(*pairs))
    for (context, continuation), (got, _) in zip(pairs, results):
        whole = [10, *context.encode(), *continuation.encode()]
        exact, begin = 0.0, len(whole) - len(continuation.encode())
        for at in range(begin, len(whole), LENGTH):
            end = min(at + LENGTH, len(whole))
            exact += likelihood(model, whole[max(0, end - 1 - LENGTH) : end - 1], whole[at:end])
        assert got == pytest.approx(exact, rel=1e-4, abs=1e-4)  # float32


def test_the_chain_rule(model: ours.LM) -> None:
    a, b = "small gates ", "forget slowly"
    (of_a, _), (of_b, _), (of_both, _) = model.loglikelihood(requests(("", a), (a, b), ("", a + b)))
    assert of_a + of_b == pytest.approx(of_both, rel=1e-4)


def test_greedy_generation_is_what_is_likeliest(
    folder: Path, model: ours.LM, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    context = "small gates "
    (made,) = model.generate_until(requests((context, {"until": [], "max_gen_toks": 20})))
    ((_, greedy), (_, other)) = model.loglikelihood(requests((context, made), (context, made[:-1] + "#")))
    assert len(made) == 20 and greedy and not other
    sampler = ["sample", run_of(folder).name, f"--prompt={context}", "--tokens=20", "--temperature=0"]
    printed = programs.ask(*sampler, "--workspace=of_bytes")
    assert printed == context + made + "\n"


def test_generation_stops(model: ours.LM) -> None:
    context, options = "small gates ", {"max_gen_toks": 40}
    (whole,) = model.generate_until(requests((context, options)))
    stop = whole[7:10]
    both = [(context, {**options, "until": until}) for until in (stop, [stop])]
    made = model.generate_until(requests(*both))
    assert made == [whole[: whole.index(stop)]] * 2


def test_generation_of_no_bytes(model: ours.LM) -> None:
    for options in ({"max_gen_toks": 0}, {"max_new_tokens": 0}, {"max_gen_toks": 0, "max_new_tokens": 5}):
        assert model.generate_until(requests(("small ", options))) == [""]


def write_tasks(folder: Path) -> list[dict[str, Any]]:
    """The tasks "lines" and "whole", and their documents."""
    documents = [
        {"context": text[:16], "choices": [text[16:24], "#" * 8], "label": 0, "text": text * 3} for text in lines(40)
    ]
    (folder / "docs.jsonl").write_text("".join(json.dumps(each) + "\n" for each in documents))
    for name, task in (("choice", CHOICE), ("rolling", ROLLING)):
        (folder / f"{name}.yaml").write_text(task + DOCUMENTS.replace("FILE", str(folder / "docs.jsonl")))
    return documents


def test_in_the_harness(folder: Path, model: ours.LM) -> None:
    documents = write_tasks(folder)
    found = harness.simple_evaluate(
        model="lcsm",
        model_args={"run": str(run_of(folder)), "batch_size": 7},
        tasks=["lines", "whole"],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
    )["results"]
    assert found["lines"]["acc,none"] == 1
    sums = model.loglikelihood_rolling(requests(*((each["text"],) for each in documents)))
    bits = -sum(sums) / (40 * 96) / math.log(2)
    assert found["whole"]["bits_per_byte,none"] == pytest.approx(bits, rel=1e-6)


def test_the_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tasks(folder)
    monkeypatch.chdir(folder)
    run, tasks = str(run_of(folder)), str(folder)
    given: dict[str, Any] = {}
    exec(page_block("simple_evaluate").replace("workspace/runs/3f9c", run).replace('"tasks"', f'"{tasks}"'), given)
    assert given["found"]["results"]["lines"]["acc,none"] == 1


def test_the_command(folder: Path) -> None:
    """`python -m lcsm.lm_eval` is the harness's command with the model lcsm."""
    write_tasks(folder)
    words = ["--model=lcsm", f"--model_args=run={run_of(folder)}", "--tasks=lines", f"--include_path={folder}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "runner/python")}
    command = [sys.executable, "-m", "lcsm.lm_eval", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "lines" in done.stdout and "acc" in done.stdout


@pytest.mark.parametrize(
    "sweep, sentence",
    [
        ("of_words", "predicts a text's bytes, got task.name = 'text' with task.tokens = 'words'"),
        ("hidden", "the next byte, got task.masked = 0.2"),
    ],
)
def test_refusals(folder: Path, sweep: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ours.LM(run_of(folder, sweep))


@pytest.mark.parametrize("error", [ValueError, RuntimeError])
def test_a_model_without_a_state_is_known_with_every_torch(error: type[Exception]) -> None:
    def refuse(_: torch.Tensor) -> None:
        raise error("lcsm: expected a model whose layers all carry a state")

    assert not ours._carries(SimpleNamespace(with_state=refuse))


def test_sampling_is_refused(model: ours.LM) -> None:
    with pytest.raises(ValueError, match="greedy generation"):
        model.generate_until(requests(("a", {"do_sample": True, "temperature": 0.7})))
    made = model.generate_until(requests(("a", {"do_sample": False, "temperature": 0.7, "max_new_tokens": 3})))
    assert [len(each) for each in made] == [3]
