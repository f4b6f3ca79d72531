"""Matrices of counts, beside scikit-learn's naive Bayes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from bayes import Classifier


@pytest.fixture(scope="module")
def counted(messages):
    X, y = messages
    return CountVectorizer().fit_transform(X), np.array(y)


PAIRS = [
    (Classifier(), MultinomialNB()),
    (Classifier(alpha=0.01), MultinomialNB(alpha=0.01)),
    (Classifier(prior="uniform"), MultinomialNB(fit_prior=False)),
    (Classifier(model="bernoulli"), BernoulliNB()),
    (Classifier(model="complement"), ComplementNB()),
    (Classifier(model="complement", complement_norm=True), ComplementNB(norm=True)),
]


@pytest.mark.parametrize("ours, theirs", PAIRS)
@pytest.mark.parametrize("weights", [False, True])
def test_answers_are_those_of_scikit_learn(ours, theirs, weights, counted):
    X, y = counted
    w = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weights else None
    ours.fit(X[:800], y[:800], None if w is None else w[:800])
    theirs.fit(X[:800], y[:800], None if w is None else w[:800])
    assert np.abs(ours.predict_log_proba(X) - theirs.predict_log_proba(X)).max() < 1e-10
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


def test_newsgroups(newsgroups):
    (X, y), (test, _) = ((texts[:4000], labels[:4000]) for texts, labels in newsgroups)
    vectorizer = CountVectorizer()
    matrix, asked = vectorizer.fit_transform(X), vectorizer.transform(test)
    ours, theirs = Classifier().fit(matrix, y), MultinomialNB().fit(matrix, y)
    assert np.abs(ours.predict_log_proba(asked) - theirs.predict_log_proba(asked)).max() < 1e-10 * np.abs(theirs.predict_log_proba(asked)).max()


def test_fractions_and_columns_that_are_never_seen():
    rng = np.random.default_rng(0)
    X = rng.random((60, 9)) * (rng.random((60, 9)) < 0.4)
    X[:, 4] = 0
    y = rng.integers(0, 3, 60)
    ours, theirs = Classifier().fit(X, y), MultinomialNB().fit(X, y)
    assert np.abs(ours.predict_log_proba(X) - theirs.predict_log_proba(X)).max() < 1e-10


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.csr_array, lambda x: x.toarray(), lambda x: np.asfortranarray(x.toarray())])
def test_any_matrix(form, counted):
    X, y = counted
    want = Classifier().fit(X, y)
    got = Classifier().fit(form(X), y)
    assert got._core.keep() == want._core.keep()
    assert np.array_equal(got.predict_proba(form(X)), want.predict_proba(X))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_tables_have_names(frame):
    table = frame({"free": [2, 0, 1], "lunch": [0, 3, 1], "never": [0, 0, 0]})
    c = Classifier().fit(table, ["spam", "ham", "spam"])
    assert c.feature_names_in_.tolist() == ["free", "lunch", "never"]
    assert {t["term"] for t in c.explain(table)[2]["terms"]} == {"free", "lunch"}
    with pytest.raises(ValueError, match="feature names"):
        c.predict(table[["lunch", "free", "never"]])


def test_piece_by_piece_and_back(counted):
    X, y = counted
    c = Classifier().partial_fit(X[:300], y[:300]).partial_fit(X[300:], y[300:])
    assert c._core.keep() == Classifier().fit(X, y)._core.keep()
    c.unlearn(X[500:], y[500:])
    assert c._core.keep() == Classifier().fit(X[:500], y[:500])._core.keep()


def test_the_command_writes_the_same_bytes_of_svmlight(run, tmp_path):
    rng = np.random.default_rng(0)
    X, y = sp.csr_matrix(rng.poisson(0.5, (200, 12)) + np.eye(200, 12, 190, dtype=int)), rng.integers(0, 3, 200)
    dump_svmlight_file(X, y, str(tmp_path / "a.svm"), zero_based=False)
    run("train", "a.svm", "--format", "svmlight", "-o", "a.nb")
    c = Classifier().fit(X, y)
    c.save(tmp_path / "b.nb")
    assert (tmp_path / "a.nb").read_bytes() == (tmp_path / "b.nb").read_bytes()
    loaded = Classifier.load(tmp_path / "a.nb")
    assert loaded.n_features_in_ == 12
    assert loaded.predict(X).tolist() == [str(label) for label in c.predict(X)]
