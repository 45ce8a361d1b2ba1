"""Tests of the Python package on the build in LCSM_BUILD (default: build/release)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LCSM_BUILD", ROOT / "build" / "release"))
os.environ.setdefault("LCSM_LIBRARY", str(BUILD / "bin" / "liblcsm_python.so"))
os.environ.setdefault("LCSM_PROGRAM", str(BUILD / "bin" / "lcsm"))
sys.path.insert(0, str(ROOT / "runner" / "python"))


@pytest.fixture(scope="session")
def build() -> Path:
    return BUILD


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
