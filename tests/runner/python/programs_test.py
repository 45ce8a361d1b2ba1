"""The program is found, its output shown, its errors raised; Ctrl-C reaches it."""

import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import ROOT

import lcsm
from lcsm import programs

pytest.importorskip("pandas")


def test_a_failed_run_is_an_error(here, capsys):
    with pytest.raises(lcsm.Error, match="^lcsm run: 1 of 1 run not done$"):
        lcsm.run("mine.toml", set={"model.code": "1-3-1-2", "seed": 1, "optim.lr": 1e9}, workspace="failed")
    assert "diverged" in capsys.readouterr().err


def test_run_shows_its_output_and_returns_the_table(here, capsys):
    frame = lcsm.run("mine.toml", workspace="second", jobs=2, set={"optim.steps": 20, "seed": [1]})
    shown = capsys.readouterr()
    assert "2 done, 0 failed" in shown.out and "[2/2]" in shown.err
    assert frame["n"].tolist() == [1] * 4
    assert lcsm.run("mine.toml", workspace="second", dry_run=True) is None


LONG = "import lcsm; lcsm.run('mine.toml', workspace='long', set={'optim.steps': 200000, 'seed': 1})"


def python(script):
    return [sys.executable, "-c", script], {**os.environ, "PYTHONPATH": str(ROOT / "runner/python")}


def wait_for_metrics(folder):
    """Until a run has reported something."""
    for _ in range(1200):
        if any(b'"metrics"' in path.read_bytes() for path in folder.glob("runs/*/events.jsonl")):
            return
        time.sleep(0.05)
    raise AssertionError("no run has started")


def assert_interrupted(workspace):
    assert set(lcsm.results(workspace)["status"]) == {"interrupted"}
    assert list(workspace.glob("runs/*/checkpoints/*"))


@pytest.mark.parametrize("send", [os.kill, os.killpg])  # a notebook's server may do either
def test_an_interrupt_reaches_the_program_once(here, send):
    command, environment = python(LONG)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
    wait_for_metrics(here / "long")
    send(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert err.rstrip().endswith("KeyboardInterrupt"), out + err
    assert_interrupted(here / "long")


def test_control_c_on_a_terminal_reaches_the_program(here):
    command, environment = python(LONG)
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], command, environment)
    shown = bytearray()
    reader = threading.Thread(target=read_all, args=(terminal, shown))
    reader.start()
    wait_for_metrics(here / "long")
    os.write(terminal, b"\x03")
    reader.join(60)
    os.waitpid(process, 0)
    os.close(terminal)
    assert b"1/2" in shown or b"of 2" in shown  # the panel
    assert shown.decode().rstrip().endswith("KeyboardInterrupt")
    assert_interrupted(here / "long")


def read_all(terminal, shown):
    try:
        while data := os.read(terminal, 1 << 16):
            shown += data
    except OSError:  # the other side is closed
        pass


@pytest.mark.parametrize(
    "missing, call",
    [
        ("pandas", "lcsm.results()"),
        ("polars", "lcsm.results().polars()"),
        ("matplotlib", "lcsm.plot('mine.toml')"),
        ("torch", "lcsm.Eos"),
    ],
)
def test_what_is_missing_is_named_where_it_is_needed(here, missing, call):
    script = (
        f"import lcsm, sys\nsys.modules[{missing!r}] = None\ntry: {call}\nexcept lcsm.Error as e: print(e)"
    )
    command, environment = python(script)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert f" needs {missing}" in done.stdout and done.stdout.endswith(f": pip install {missing}\n"), (
        done.stderr
    )


def test_import_needs_no_other_package(here):
    script = "import sys, lcsm; dir(lcsm), lcsm.run, lcsm.table, lcsm.plot, lcsm.Error; print(*sys.modules)"
    command, environment = python(script)
    loaded = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"torch", "numpy", "pandas", "polars", "matplotlib"} & set(loaded)


def python_beside(folder, script, *words):
    """Runs the script with the package as it is in a wheel whose programs are those of `folder`."""
    shutil.copytree(ROOT / "runner/python/lcsm", folder / "site/lcsm")
    (folder / "site/lcsm/program").mkdir()
    (folder / "site/lcsm/program/libexec").symlink_to(folder / "libexec")
    environment = {name: value for name, value in os.environ.items() if name != "LCSM_PROGRAM"}
    command = [sys.executable, "-c", script, *words]
    environment["PYTHONPATH"] = str(folder / "site")
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def test_the_wheel_s_program_is_found_first(here, tmp_path):
    (tmp_path / "libexec").mkdir()
    (tmp_path / "libexec/lcsm").symlink_to(programs.program())
    script = "from lcsm import programs; print(programs.program()); programs.lcsm()"
    found, version = python_beside(tmp_path, script, "--version").splitlines()
    assert found == str(tmp_path / "site/lcsm/program/libexec/lcsm")
    assert version == programs.ask("--version").strip()


def test_the_wheel_s_trainer_gets_the_libtorch_that_was_found(tmp_path):
    (tmp_path / "libexec").mkdir()
    scripts = {"lcsm-train.libtorch": "echo a/lib:b", "lcsm-train": 'echo "$LD_LIBRARY_PATH" "$@"'}
    for name, line in scripts.items():
        (tmp_path / "libexec" / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / "libexec" / name).chmod(0o755)
    assert (
        python_beside(tmp_path, "from lcsm import programs; programs.lcsm_train()", "x y") == "a/lib:b x y\n"
    )


def test_without_the_program(here, monkeypatch, tmp_path):
    monkeypatch.setenv("LCSM_PROGRAM", str(tmp_path / "lcsm"))
    with pytest.raises(lcsm.Error, match="LCSM_PROGRAM: expected the program lcsm"):
        lcsm.results()
    monkeypatch.delenv("LCSM_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    with pytest.raises(lcsm.Error, match="install the wheel of lcsm, or set LCSM_PROGRAM"):
        lcsm.results()
    (tmp_path / "lcsm").write_text('#!/bin/sh\necho \'{"columns": ["a"], "rows": [[7]]}\'\n')
    (tmp_path / "lcsm").chmod(0o755)
    assert programs.ask("query", "any") == '{"columns": ["a"], "rows": [[7]]}\n'


def test_names_are_listed_and_unknown_ones_refused():
    assert {"results", "run", "table", "plot", "curves", "plan", "Error", "Results"} <= set(dir(lcsm))
    assert set(lcsm.__all__) <= set(dir(lcsm))
    with pytest.raises(AttributeError, match="no attribute 'tables'"):
        lcsm.tables  # noqa: B018
    assert lcsm.__version__
