"""Texts in, labels out."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from bayes import BayesError, Classifier

TEXTS = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
LABELS = ["yes", "yes", "yes", "no"]


def files(*classifiers):
    return [c._core.keep() for c in classifiers]


def test_textbook():
    # Introduction to Information Retrieval, example 13.1.
    china = Classifier().fit(TEXTS, LABELS)
    joint = china.predict_joint_log_proba(["Chinese Chinese Chinese Tokyo Japan"])[0]
    assert joint == pytest.approx([math.log(1 / 4 * (2 / 9) ** 5), math.log(3 / 4 * (3 / 7) ** 3 * (1 / 14) ** 2)], rel=1e-12)
    assert china.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    "column",
    [
        list,
        tuple,
        iter,
        np.array,
        lambda x: np.array(x, dtype=object),
        pd.Series,
        lambda x: pd.Series(x, dtype="object"),
        lambda x: pd.Series(x, index=range(7, 7 + len(x))),
        lambda x: pd.DataFrame({"text": x})["text"],
        pl.Series,
        lambda x: pl.DataFrame({"text": x})["text"],
    ],
)
def test_any_column_of_strings(column):
    want = Classifier().fit(TEXTS, LABELS)
    labels = list if column is iter else column
    got = Classifier().fit(column(TEXTS), labels(LABELS))
    assert files(got) == files(want)
    assert got.predict(column(TEXTS)).tolist() == LABELS
    assert got.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("labels", [[3, 3, 3, 20], [True, True, True, False], [2.0, 2.0, 2.0, -1.0]])
def test_labels_keep_their_type(labels):
    c = Classifier().fit(TEXTS, labels)
    assert c.classes_.dtype == np.asarray(labels).dtype
    assert c.predict(TEXTS).tolist() == labels
    assert c.predict(TEXTS[:1]).tolist() == labels[:1]
    proba = c.predict_proba(TEXTS)
    assert [c.classes_[i] for i in proba.argmax(axis=1)] == labels
    assert np.array_equal(proba[:1], c.predict_proba(TEXTS[:1]))


def test_numbers_as_labels_are_in_the_order_of_numbers():
    # As strings 10 is before 9.
    c = Classifier().fit(["a a", "b b", "c c"], [10, 9, 100])
    assert c.classes_.tolist() == [9, 10, 100]
    assert c.predict(["a", "b", "c"]).tolist() == [10, 9, 100]
    assert c.predict(["b"]).tolist() == [9]
    assert c.predict_log_proba(["a", "b", "c"]).argmax(axis=1).tolist() == [1, 0, 2]


def test_one_text_is_as_many(messages):
    X, y = messages
    c = Classifier(ngrams="1-2", alpha=0.1).fit(X, y)
    assert c.predict(X).tolist() == [c.predict([x])[0] for x in X]
    assert np.array_equal(c.predict_proba(X), np.vstack([c.predict_proba([x]) for x in X]))
    assert np.array_equal(np.exp(c.predict_log_proba(X)).argmax(axis=1), c.predict_proba(X).argmax(axis=1))
    assert c.score(X, y) > 0.9


@pytest.mark.parametrize("text", ["", "\0", "a\0b", "naïve", "日本語のテキスト", "\ud800 half a pair", "x" * 100_000])
def test_any_text(text):
    c = Classifier().fit([*TEXTS, text], [*LABELS, "odd"])
    many = c.predict_proba([text, text])
    assert np.array_equal(c.predict_proba([text])[0], many[1])
    assert c.explain(text)["label"] == c.predict([text])[0]
    assert c.explain([text, text])[1] == c.explain(text)


def test_learning_piece_by_piece_is_learning_at_once(messages):
    X, y = messages
    whole = Classifier(subwords="3-5").fit(X, y)
    pieces = Classifier(subwords="3-5")
    for start in range(0, len(X), 70):
        pieces.partial_fit(X[start : start + 70], y[start : start + 70])
    assert files(pieces) == files(whole)
    assert pieces.classes_.tolist() == whole.classes_.tolist()


def test_unlearning_is_never_having_learned(messages):
    X, y = messages
    c = Classifier().fit(X, y).unlearn(X[800:], y[800:])
    assert files(c) == files(Classifier().fit(X[:800], y[:800]))


def test_unlearning_a_class():
    c = Classifier().fit([*TEXTS, "bonjour"], [*LABELS, "french"])
    assert c.classes_.tolist() == ["french", "no", "yes"]
    c.unlearn(["bonjour"], ["french"])
    assert c.classes_.tolist() == ["no", "yes"]
    assert files(c) == files(Classifier().fit(TEXTS, LABELS))
    assert c.predict(TEXTS).tolist() == LABELS


def test_unlearning_too_much_changes_nothing():
    c = Classifier().fit(TEXTS, LABELS)
    before = files(c)
    with pytest.raises(BayesError, match="more was unlearned than was learned"):
        c.unlearn(["Tokyo Tokyo", "Osaka"], ["no", "yes"])
    assert files(c) == before


def test_new_classes():
    c = Classifier().partial_fit(TEXTS, LABELS).partial_fit(["bonjour"], ["french"])
    assert c.classes_.tolist() == ["french", "no", "yes"]
    assert c.predict(["bonjour"]).tolist() == ["french"]
    declared = Classifier().partial_fit(TEXTS, LABELS, classes=["yes", "no", "maybe"])
    assert declared.classes_.tolist() == ["maybe", "no", "yes"]
    assert declared.predict_proba(TEXTS).shape == (4, 3)
    with pytest.raises(ValueError, match="french"):
        declared.partial_fit(["bonjour"], ["french"])
    with pytest.raises(ValueError, match="french"):
        Classifier().partial_fit(["bonjour"], ["french"], classes=["yes", "no"])


def test_weights():
    weighted = Classifier().fit(TEXTS, LABELS, sample_weight=[2, 1, 0, 3])
    repeated = Classifier().fit(TEXTS[:1] * 2 + TEXTS[1:2] + TEXTS[3:] * 3, ["yes"] * 3 + ["no"] * 3)
    assert np.allclose(weighted.predict_proba(TEXTS), repeated.predict_proba(TEXTS), rtol=1e-12)


def test_explanation_adds_up(messages):
    X, y = messages
    c = Classifier(ngrams="1-2").fit(X[:800], y[:800])
    for text, joint in zip(X[800:820], c.predict_joint_log_proba(X[800:820])):
        e = c.explain(text)
        classes = c.classes_.tolist()
        odds = joint[classes.index(e["class"])] - joint[classes.index(e["against"])]
        assert e["power"] * (e["prior"] + e["absent"] + sum(t["log_odds"] for t in e["terms"])) == pytest.approx(odds, abs=1e-9)
        assert "".join(h["text"] for h in e["highlights"]) == text


def test_infinities():
    c = Classifier(alpha=0).fit(TEXTS, LABELS)
    assert c.predict_log_proba(["Tokyo Japan"])[0].tolist() == [0, -math.inf]
    assert c.predict_log_proba(["Tokyo Japan", "Macao"])[1].tolist() == [-math.inf, 0]
    assert math.isinf(c.explain("Tokyo Japan")["log_joint"]["yes"])


@pytest.mark.parametrize(
    "act, message",
    [
        (lambda c: c.fit("text", ["a"]), "one string"),
        (lambda c: c.fit(["a", None], ["a", "b"]), r"X\[1\] is None, and no text"),
        (lambda c: c.fit(["a", float("nan")], ["a", "b"]), r"X\[1\] is nan, and no text"),
        (lambda c: c.fit(["a", "b"], ["a"]), "inconsistent numbers of samples"),
        (lambda c: c.fit(["a"], None), "y cannot be None|requires y"),
        (lambda c: c.fit(["a"], ["x"], sample_weight=[-1]), "[Nn]egative"),
        (lambda c: c.fit(["a"], ["x"], sample_weight=[1, 2]), "sample_weight.shape"),
        (lambda c: c.fit(["a", "b"], ["x", "y\ty"]), "no tab and no line end"),
        (lambda c: c.set_params(alpha=-1).fit(["a"], ["x"]), "^alpha -1: want a number from 0 up to 1e150$"),
        (lambda c: c.set_params(alpha="half").fit(["a"], ["x"]), "^alpha: neither a number nor a file: half"),
        (lambda c: c.set_params(ngrams="x").fit(["a"], ["x"]), "ngrams"),
        (lambda c: c.set_params(analyzer="nope").fit(["a"], ["x"]), "nope"),
        (lambda c: c.set_params(model="gaussian").fit(["a"], ["x"]), "model='gaussian': want multinomial"),
        (lambda c: c.set_params(spread=True).fit(["a"], ["x"]), "^spread goes with correct$"),
        (lambda c: c.set_params(stopwords="no-such-file").fit(["a"], ["x"]), "no-such-file"),
        (lambda c: c.set_params(correct=True).partial_fit(["a"], ["x"]), "use fit"),
        (lambda c: c.fit(["a"], ["x"]).predict([[1.0]]), "matrix"),
        (lambda c: c.fit([[1.0]], ["x"]).predict(["a"]), "texts"),
        (lambda c: c.fit([[1.0]], ["x"]).predict(["a", "b"]), "texts"),
        (lambda c: c.fit(["a"], ["x"]).unlearn(["a"], ["x"]).predict(["a"]), "no examples"),
    ],
)
def test_errors_are_one_plain_line(act, message):
    with pytest.raises(ValueError, match=message) as e:
        act(Classifier())
    if isinstance(e.value, BayesError):
        assert "\n" not in str(e.value) and "--" not in str(e.value)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "explain", "save", "to_sklearn", "build_analyzer", "unlearn"])
def test_unfitted(method):
    arguments = {"to_sklearn": [], "build_analyzer": [], "unlearn": [["a"], ["x"]]}.get(method, [["a"]])
    with pytest.raises(NotFittedError):
        getattr(Classifier(), method)(*arguments)


def test_mixed_settings(messages):
    X, y = messages
    for settings in [
        {"prior": {"billing": 0.7, "bug": 0.1, "account": 0.1, "feature": 0.1}},
        {"vocabulary": ["card", "charged", "crash"]},
        {"hash": 12},
        {"min_df": 2, "max_df": 0.5, "select": "chi2:100"},
        {"correct": True, "spread": True, "trust": 0.4},
        {"calibrate": "temperature"},
        {"alpha": "loo"},
        {"idf": True, "norm": "l2", "weighting": "log"},
    ]:
        c = Classifier(**settings).fit(X, y)
        assert c.predict_proba(X[:9]).sum(axis=1) == pytest.approx([1] * 9)
        assert c.score(X, y) > 0.25, settings
