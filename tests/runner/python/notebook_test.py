"""The notebook has no outputs in the repository, and runs from top to bottom in a new folder."""

import re

import pytest
from conftest import FIRST_STEPS, ROOT

nbformat = pytest.importorskip("nbformat")

NOTEBOOK = ROOT / "results/notebook.ipynb"
# In place of the quickstart, its first steps: seconds, not half a minute.
SHORT = f"""\
title = "The quickstart's first steps"
{FIRST_STEPS}"""


def outputs_of(notebook, kind):
    return [
        out.data[kind]
        for cell in notebook.cells
        for out in cell.get("outputs", [])
        if kind in out.get("data", {})
    ]


def test_it_is_committed_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)


def test_it_runs(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    for package in ("ipykernel", "matplotlib", "pandas", "scipy"):
        pytest.importorskip(package)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "runner/python"))
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel draws into the notebook
    (tmp_path / "short.toml").write_text(SHORT)
    notebook = nbformat.reads(NOTEBOOK.read_text().replace('\\"quickstart\\"', '\\"short.toml\\"'), as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    nbformat.write(notebook, tmp_path / "executed.ipynb")
    printed = "".join(
        out.text for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "stream"
    )
    assert "short: 9 done, 0 failed" in printed and ": 1-3-1-2 > 1-3-1-2@gate=frozen" in printed
    by_hand, of_claim = re.search(r"p = (\S+) by hand, p = (\S+) of the claim", printed).groups()
    assert by_hand == of_claim
    assert len(outputs_of(notebook, "image/png")) == 1
    assert len(outputs_of(notebook, "text/html")) == 3  # runs, table, published numbers
