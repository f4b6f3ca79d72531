"""Examples of the documentation."""

import doctest
import re
from pathlib import Path

import numpydoc_rules
import pytest

import bayes
from bayes import _classifier, _convert

REPOSITORY = Path(__file__).resolve().parents[2]


def run(examples):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(examples)
    assert runner.failures == 0 and runner.tries > 0


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Fences end what an example prints.
    text = re.sub(r"^```.*$", "", (REPOSITORY / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    run(doctest.DocTestParser().get_doctest(text, {}, page, page, 0))


@pytest.mark.parametrize("module", [bayes, _classifier, _convert])
def test_docstrings(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for examples in doctest.DocTestFinder().find(module):
        if examples.examples:
            run(examples)


@pytest.mark.parametrize("name", numpydoc_rules.public())
def test_public_names_are_documented(name):
    assert numpydoc_rules.missing(name) == []


def test_version():
    project = (REPOSITORY / "python" / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{bayes.__version__}"' in project
