"""Finds the program `lcsm`, runs it, and turns what it refuses into exceptions; the commands of the wheel."""

from __future__ import annotations

import codecs
import importlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

_INTERRUPTED = 5  # exit code of `lcsm`
_IN_WHEEL = Path(__file__).with_name("program") / "libexec"


class Error(RuntimeError):
    """What `lcsm` refuses, in a sentence that says what it expected and what to do.

    >>> import lcsm
    >>> try:
    ...     lcsm.table("mine.tml")
    ... except lcsm.Error as error:
    ...     print(error)
    lcsm table: expected a sweep, its file or the sweep of some runs, got 'mine.tml'...
    """

    __module__ = "lcsm"


def require(package: str, purpose: str) -> Any:
    """Imports an optional package."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.partition(".")[0]
        raise Error(f"{purpose} needs {name}: pip install {name}") from error


def program() -> str:
    """The path of `lcsm`: $LCSM_PROGRAM, the wheel's, the one beside this python's scripts, or on PATH."""
    given = os.environ.get("LCSM_PROGRAM")
    if given:
        found = shutil.which(given)
        if not found:
            raise Error(f"LCSM_PROGRAM: expected the program lcsm, got {given!r}, which cannot be run")
        return found
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    for path in (str(_IN_WHEEL), *folders, None):
        if found := shutil.which("lcsm", path=path):
            return found
    raise Error(
        f"expected the program lcsm in {folders[0]} or on PATH, got none: "
        "install the wheel of lcsm, or set LCSM_PROGRAM to the lcsm of a build"
    )


def flags(**options: Any) -> list[str]:
    """Command-line options: fail_fast=True is --fail-fast, a mapping is KEY=VALUE for each key."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            words += [f"{flag}={key}={_toml(item)}" for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            words += [f"{flag}={item}" for item in value]
        elif value is not None and value is not False:
            words.append(f"{flag}={value}")
    return words


def _toml(value: Any) -> str:
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(json.dumps(one) if isinstance(one, str) else _toml(one) for one in value) + "]"
    return str(value)


def ask(verb: str, *words: str | os.PathLike[str]) -> str:
    """What `lcsm VERB WORDS` prints. Its remarks go to sys.stderr."""
    done = subprocess.run([program(), verb, *words], stdin=subprocess.DEVNULL, capture_output=True)
    remarks = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        raise Error(remarks.strip() or f"lcsm {verb}: exit code {done.returncode}")
    sys.stderr.write(remarks)
    return done.stdout.decode(errors="replace")


def follow(verb: str, *words: str | os.PathLike[str]) -> None:
    """Runs `lcsm VERB WORDS`; its output appears as it comes.

    Each Ctrl-C reaches the program once: it writes checkpoints at the first and kills its runs at the second.
    """
    command = [program(), verb, *words]
    sys.stdout.flush()
    if sys.stderr.isatty() and sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__:
        # The terminal sends Ctrl-C to both or, while a panel reads keys, to the program alone.
        process = subprocess.Popen(command)
        _wait(process, forward=False)
        remarks, interrupted = f"lcsm {verb}: see its message above", True
    else:
        # In a session of its own: a notebook's interrupt may signal the kernel alone or its process group.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        remarks, interrupted = _copy_output(process)
    if process.returncode == _INTERRUPTED and interrupted:
        raise KeyboardInterrupt
    if process.returncode != 0:
        raise Error(
            remarks[remarks.rfind("\nlcsm ") + 1 :].strip() or f"lcsm {verb}: exit code {process.returncode}"
        )


def _wait(process: subprocess.Popen[bytes], *, forward: bool) -> bool:
    interrupted = False
    while process.returncode is None:
        try:
            process.wait()
        except KeyboardInterrupt:
            interrupted = True
            if forward:
                process.send_signal(signal.SIGINT)
    return interrupted


def _copy_output(process: subprocess.Popen[bytes]) -> tuple[str, bool]:
    """Copies both pipes to sys.stdout and sys.stderr. Returns the text of stderr and whether Ctrl-C came."""
    remarks, interrupted = [], False
    with process, selectors.DefaultSelector() as pipes:
        for pipe, name in ((process.stdout, "stdout"), (process.stderr, "stderr")):
            assert pipe is not None
            pipes.register(
                pipe, selectors.EVENT_READ, (name, codecs.getincrementaldecoder("utf-8")("replace"))
            )
        while pipes.get_map():
            try:
                for key, _ in pipes.select():
                    data = os.read(key.fd, 1 << 16)
                    name, decoder = key.data
                    if not data:
                        pipes.unregister(key.fileobj)
                    text = decoder.decode(data, final=not data)
                    if name == "stderr":
                        remarks.append(text)
                    print(text, end="", file=getattr(sys, name), flush=True)
            except KeyboardInterrupt:
                interrupted = True
                process.send_signal(signal.SIGINT)
            except BaseException:  # the output can no longer be shown
                process.send_signal(signal.SIGINT)
                raise
        interrupted |= _wait(process, forward=True)
    return "".join(remarks), interrupted


def lcsm() -> NoReturn:
    """The command `lcsm` of the wheel."""
    os.execve(_IN_WHEEL / "lcsm", sys.argv, _environment())


def lcsm_train() -> NoReturn:
    """The command `lcsm-train` of the wheel, with the LibTorch of this host."""
    environment = _environment()
    search = subprocess.run([_IN_WHEEL / "lcsm-train.libtorch"], stdout=subprocess.PIPE, text=True, env=environment)
    if search.returncode != 0:
        sys.exit(3)
    environment["LD_LIBRARY_PATH"] = search.stdout.strip()
    os.execve(_IN_WHEEL / "lcsm-train", sys.argv, environment)


def _environment() -> dict[str, str]:
    """This python comes first on PATH: its torch is tried before LibTorch is fetched."""
    folder = os.path.dirname(sys.executable)
    return {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", os.defpath)])}
