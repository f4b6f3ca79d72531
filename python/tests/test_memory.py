"""Memory that is given back."""

import gc
import os

import pytest

from bayes import Classifier


def resident():
    """Return the memory of this process, in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


linux = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc on this system")


@linux
def test_classifiers_are_freed(messages):
    X, y = messages
    settings = [{"ngrams": "1-3"}, {"alpha": 0.1}, {"subwords": "3-5"}, {"model": "complement"}]

    def make(n):
        for i in range(n):
            c = Classifier(**settings[i % len(settings)]).fit(X, y)
            c.predict_proba(X[:50])
            c.explain(X[0])
            Classifier.__new__(Classifier).__setstate__(c.__getstate__())
        gc.collect()

    make(40)
    before = resident()
    make(300)
    # Three hundred classifiers of some MB each, of which none is left.
    assert resident() - before < 60


@linux
def test_predictions_leave_nothing_behind(messages):
    X, y = messages
    c = Classifier().fit(X, y)
    matrix = [[1.0, 2.0], [3.0, 0.0]]
    m = Classifier().fit(matrix, [0, 1])

    def ask(n):
        for _ in range(n):
            c.predict(X[:1])
            c.predict_proba(X[:3])
            c.explain(X[0])
            m.predict_proba(matrix)
            m.predict(matrix)

    ask(300)
    before = resident()
    ask(3000)
    assert resident() - before < 20
