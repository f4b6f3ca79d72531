"""In the company of scikit-learn's other estimators."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score, learning_curve
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from bayes import Classifier


def test_pipeline_of_texts(messages):
    X, y = messages
    pipeline = make_pipeline(FunctionTransformer(lambda X: [x.replace("!", " !") for x in X]), Classifier())
    assert pipeline.fit(X[:800], y[:800]).score(X[800:], y[800:]) > 0.7


def test_pipeline_of_counts(messages):
    X, y = messages
    assert make_pipeline(CountVectorizer(), Classifier(alpha=0.5)).fit(X[:800], y[:800]).score(X[800:], y[800:]) > 0.7


def test_a_column_of_a_table(messages):
    X, y = messages
    table = pd.DataFrame({"n": range(len(X)), "text": X})
    pick = ColumnTransformer([("words", CountVectorizer(), "text")])
    assert make_pipeline(pick, Classifier()).fit(table, y).score(table, y) > 0.9


@pytest.mark.parametrize("jobs", [1, 2])
def test_grid_search(messages, jobs):
    X, y = messages
    search = GridSearchCV(Classifier(), {"alpha": [0.1, 1.0], "ngrams": ["1", "1-2"]}, cv=3, n_jobs=jobs, refit=True)
    search.fit(X, y)
    assert search.best_score_ > 0.7
    assert search.predict(X[:1])[0] in set(y)


def test_cross_validation(messages):
    X, y = messages
    scores = cross_val_score(Classifier(), X, y, cv=5)
    assert scores.mean() > 0.75
    assert np.array_equal(scores, cross_val_score(Classifier(), pd.Series(X), pd.Series(y), cv=5, n_jobs=2))
    assert cross_val_predict(Classifier(), X, y, cv=3, method="predict_proba").shape == (1000, 4)
    learning_curve(Classifier(), X, y, cv=3, train_sizes=[0.2, 1.0])


def test_estimators_around_it(messages):
    X, y = messages
    X = np.array(X, dtype=object)
    assert CalibratedClassifierCV(Classifier(), cv=3).fit(X, y).predict_proba(X[:5]).sum(axis=1) == pytest.approx([1] * 5)
    assert OneVsRestClassifier(Classifier()).fit(X, y).predict(X[:5]).shape == (5,)


def test_clone(messages):
    c = Classifier(alpha=0.3, prior={"account": 0.5, "billing": 0.2, "bug": 0.2, "feature": 0.1}).fit(*messages)
    again = clone(c)
    assert again.get_params() == c.get_params() and not hasattr(again, "classes_")
    assert again.fit(*messages)._core.keep() == c._core.keep()


@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        copy.copy,
        *(lambda c, protocol=protocol: pickle.loads(pickle.dumps(c, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)),
    ],
)
@pytest.mark.parametrize("kind", ["texts", "matrix"])
def test_copies(messages, copied, kind):
    X, y = messages
    if kind == "matrix":
        X = CountVectorizer().fit_transform(X)
    labels = [len(label) for label in y]
    c = Classifier(correct=True).fit(X, labels)
    again = copied(c)
    assert np.array_equal(again.predict_log_proba(X), c.predict_log_proba(X))
    assert again.classes_.dtype == c.classes_.dtype
    if copied is not copy.copy:
        before = c._core.keep()
        again.partial_fit(X[:5], labels[:5])
        assert c._core.keep() == before != again._core.keep()


def test_joblib(messages, tmp_path):
    c = Classifier().fit(*messages)
    joblib.dump(c, tmp_path / "c.joblib")
    assert joblib.load(tmp_path / "c.joblib").predict(messages[0]).tolist() == c.predict(messages[0]).tolist()
    assert joblib.hash(c) == joblib.hash(copy.deepcopy(c))
