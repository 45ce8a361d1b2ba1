#!/usr/bin/env python3
"""Packs the Python package as a wheel:  make_wheel.py TREE LIBRARY VERSION GLIBC FOLDER

TREE is what runner/package/pack puts into a package, LIBRARY the operators; GLIBC, such as 2.34, is the oldest that
both work with. Nothing in the wheel is compiled for one version of Python.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

METADATA = """\
Metadata-Version: 2.1
Name: lcsm
Version: {version}
Summary: Linear-complexity sequence models: codes, formulas and named systems as torch modules, and a research harness
License: Apache-2.0
Requires-Python: >=3.10
Provides-Extra: torch
Requires-Dist: torch>=2.11; extra == "torch"
Requires-Dist: safetensors; extra == "torch"
Requires-Dist: numpy; extra == "torch"
Provides-Extra: results
Requires-Dist: pandas>=2; extra == "results"
Requires-Dist: matplotlib>=3.7; extra == "results"
Description-Content-Type: text/markdown

{description}"""
ENTRY_POINTS = "[console_scripts]\nlcsm = lcsm.programs:lcsm\nlcsm-train = lcsm.programs:lcsm_train\n"
PROGRAMS = 0o100755
TEXTS = 0o100644


def files_of(tree: Path, library: Path, package: Path) -> dict[str, Path]:
    """What is in the wheel, by its name there."""
    files = {f"lcsm/{file.name}": file for file in [*sorted(package.glob("*.py")), package / "py.typed", library]}
    for folder in ("libexec", "lib", "share"):
        for file in sorted((tree / folder).rglob("*")):
            if file.is_file():
                files[f"lcsm/program/{file.relative_to(tree)}"] = file
    return files


def main(tree: Path, library: Path, version: str, glibc: str, folder: Path) -> None:
    here = Path(__file__).resolve().parent
    tag = f"py3-none-manylinux_{glibc.replace('.', '_')}_x86_64"
    info = f"lcsm-{version}.dist-info"
    texts = {
        f"{info}/METADATA": METADATA.format(version=version, description=(here / "README.md").read_text()),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: lcsm\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{info}/entry_points.txt": ENTRY_POINTS,
    }
    record = []
    wheel = folder / f"lcsm-{version}-{tag}.whl"

    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:

        def put(name: str, content: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # equal files give equal wheels
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")

        for name, file in files_of(tree, library, here / "lcsm").items():
            put(name, file.read_bytes(), PROGRAMS if file.stat().st_mode & 0o100 else TEXTS)
        for name, text in texts.items():
            put(name, text.encode(), TEXTS)
        record.append(f"{info}/RECORD,,")
        put(f"{info}/RECORD", ("\n".join(record) + "\n").encode(), TEXTS)
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4], Path(sys.argv[5]))
