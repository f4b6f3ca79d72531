"""Annotations."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

PROGRAM = '''
from bayes import Classifier, Explanation, from_sklearn

c: Classifier = Classifier(alpha=0.5, ngrams="1-2").fit(["a"], ["x"])
labels: list[str] = c.predict(["a"]).tolist()
reveal_type(c.predict_proba(["a"]))
Classifier(alpah=0.5)
'''


def test_programs_are_checked(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], capture_output=True, text=True, cwd=tmp_path)
    assert 'Unexpected keyword argument "alpah"' in done.stdout
    assert "float64" in done.stdout
    assert done.stdout.count("error:") == 1, done.stdout


def test_the_package_is_annotated(tmp_path):
    config = Path(__file__).parents[1] / "pyproject.toml"
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", config, "-p", "bayes"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
