"""Names of results have an example in their docstring. It runs here and prints what is shown."""

import doctest
import math
import re

import pytest
from conftest import ROOT, SWEEP

import lcsm

for package in ("matplotlib", "pandas", "polars", "torch"):
    pytest.importorskip(package)

NAMES = sorted(lcsm._MODULES)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", NAMES)
def test_examples_print_what_is_shown(here, name):
    examples = doctest.DocTestFinder(recurse=True).find(getattr(lcsm, name), name, module=False, globs={})
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for example in examples:
        runner.run(example)
    assert runner.tries > 0 and runner.failures == 0


def test_the_package_begins_with_an_example(here):
    result = doctest.testmod(lcsm, optionflags=OPTIONS)
    assert result.attempted > 0 and result.failed == 0


class Nearly(doctest.OutputChecker):
    """Trained numbers differ a little between processors."""

    def check_output(self, want, got, optionflags):
        decimals = re.compile(r"-?\d+\.\d+")
        pairs = list(zip(decimals.findall(want), decimals.findall(got)))
        close = all(math.isclose(float(a), float(b), rel_tol=0.1, abs_tol=0.1) for a, b in pairs)
        want, got = (decimals.sub("NUMBER", text) for text in (want, got))
        return close and super().check_output(want, got, optionflags)


def test_the_page_prints_what_is_shown(here):
    page = ROOT / "runner/python/README.md"
    text = page.read_text().replace("```\n", "\n")  # the end of a block is no output
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(checker=Nearly(), optionflags=OPTIONS)
    runner.run(example)
    assert runner.tries > 0 and runner.failures == 0


def test_the_page_s_sweep_is_the_one_that_is_trained():
    page = (ROOT / "runner/python/README.md").read_text()
    assert f"```toml\n# mine.toml\n{SWEEP}```" in page


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example_and_a_line_in_the_page(name):
    assert ">>> " in (getattr(lcsm, name).__doc__ or "")
    assert f"lcsm.{name}" in (ROOT / "runner/python/README.md").read_text()
