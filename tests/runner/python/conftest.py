"""Tests of the Python package on the build in LCSM_BUILD (default: build/release)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("LCSM_BUILD", ROOT / "build" / "release"))
os.environ.setdefault("LCSM_LIBRARY", str(BUILD / "bin" / "liblcsm_python.so"))
os.environ.setdefault("LCSM_PROGRAM", str(BUILD / "bin" / "lcsm"))
os.environ.setdefault("MPLBACKEND", "agg")
os.environ.pop("LCSM_WORKSPACE", None)
sys.path.insert(0, str(ROOT / "runner" / "python"))

FIRST_STEPS = """\
extends = "quickstart"

[base]
task.train = 2000
optim.steps = 60
eval.steps = 20
"""
SWEEP = f"""\
title = "Does a small gate forget?"
{FIRST_STEPS}
[grid]
model.code = ["1-3-1-2", "1-10-1-2"]

[[claim]]
claim = "1-3-1-2 > 1-10-1-2 in test.accuracy"
"""


def page_block(word: str) -> str:
    """The page's block of Python that has the word, of those without prompts."""
    page = (ROOT / "runner/python/README.md").read_text()
    (block,) = [found for found in re.findall(r"```python\n(?!>>>)(.*?)```", page, re.DOTALL) if word in found]
    return block


@pytest.fixture(scope="session")
def build() -> Path:
    return BUILD


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    if "torch" in sys.modules:  # what tests results needs none
        sys.modules["torch"].manual_seed(0)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with mine.toml and the workspace of its six runs."""
    from lcsm import Error, programs

    try:
        programs.program()
    except Error as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("trained")
    (folder / "mine.toml").write_text(SWEEP)
    subprocess.run(
        [programs.program(), "run", "mine.toml", "--plain"], cwd=folder, check=True, capture_output=True
    )
    return folder


@pytest.fixture
def here(trained: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """That folder as the working folder. What a test writes into it is gone afterwards."""
    before = set(trained.iterdir())
    monkeypatch.chdir(trained)
    yield trained
    for path in set(trained.iterdir()) - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
