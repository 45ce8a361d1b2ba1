"""The wheel, installed: the modules and both programs, each found without anything of the build."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import ROOT


@pytest.fixture(scope="module")
def site(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([ROOT / "runner/package/pack", build, folder, "--wheel"], check=True, capture_output=True)
    (wheel,) = folder.glob("lcsm-*-py3-none-manylinux_*_x86_64.whl")
    assert wheel.stat().st_size < 25 << 20
    site = folder / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel]
    subprocess.run(install, check=True)
    return site


def test_stable_abi(site: Path) -> None:
    """Of LibTorch the library takes C functions of the stable ABI alone, so it works with later versions."""
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", site / "lcsm" / "liblcsm_python.so"], check=True, capture_output=True, text=True
    )
    taken = [line.split()[-1] for line in listed.stdout.splitlines()]
    of_torch = [name for name in taken if re.match(r"_ZN?K?(2at|3c10|5torch)|(aoti_)?torch_", name)]
    assert of_torch and all(re.match(r"(aoti_)?torch_", name) for name in of_torch), of_torch


def test_its_own_libraries(site: Path) -> None:
    """Those of the distribution that it needs are in the wheel: another host may have others."""
    needed = subprocess.run(
        ["ldd", site / "lcsm" / "liblcsm_python.so"], check=True, capture_output=True, text=True, env={"LC_ALL": "C"}
    ).stdout
    found = dict(re.findall(r"(lib\S+) => (\S+)", needed))
    for name, path in found.items():
        if not re.match(r"lib(torch_cpu|c10|stdc\+\+|gcc_s|c|m)\.so", name):
            assert Path(path).is_relative_to(site / "lcsm/program/lib"), needed
    assert len(found) > 3


def run(site: Path, *command: str | Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LCSM_")}
    environment = clean | {"PYTHONPATH": str(site), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=site).stdout


def test_modules(site: Path) -> None:
    layer = "import lcsm, torch; print(lcsm.Eos('1-9-1-4', d=8, k=4)(torch.randn(1, 5, 8)).shape)"
    assert run(site, sys.executable, "-c", layer) == "torch.Size([1, 5, 8])\n"


def test_program(site: Path) -> None:
    """Without torch: `python -S` sees nothing but the wheel."""
    start = "import sys, lcsm.programs; sys.argv[1:] = ['codes', '1-3-1-0']; lcsm.programs.lcsm()"
    assert run(site, sys.executable, "-S", "-c", start).startswith("1-3-1-0")
    assert "sigmoid(p_k)^(1/tau)" in run(site, site / "bin" / "lcsm", "codes", "1-3-1-0")


def test_help_without_torch(site: Path) -> None:
    ask = "import lcsm, pydoc; print(pydoc.plain(pydoc.render_doc(lcsm)), 'Eos' in dir(lcsm))"
    told = run(site, sys.executable, "-S", "-c", ask)
    assert "\n    table(" in told and told.endswith(" False\n")


def test_a_package_that_is_missing_is_named(site: Path) -> None:
    ask = """
        import sys
        import lcsm
        sys.modules["safetensors"] = None
        try:
            lcsm.Eos("1-3-1-0", d=8, k=4).save("layer.safetensors")
        except lcsm.Error as error:
            print(error)
        """
    assert run(site, sys.executable, "-c", dedent(ask)) == "save needs safetensors: pip install safetensors\n"


def test_training_program(site: Path, build: Path) -> None:
    """With this python's torch, if it is the one that lcsm-train was linked against."""
    torch = pytest.importorskip("torch")
    if not torch.__version__.startswith("2.11.0"):
        pytest.skip("lcsm-train needs torch 2.11.0")
    assert "oscillation.p_k.weight" in run(site, site / "bin" / "lcsm-train", "params", "1-3-1-0", "--d", "8", "--k", "4")


def test_version(site: Path, build: Path) -> None:
    version = subprocess.run([build / "bin/lcsm", "--version"], check=True, capture_output=True, text=True).stdout
    assert run(site, sys.executable, "-S", "-c", "import lcsm; print(lcsm.__version__)").split() == version.split()[1:2]
