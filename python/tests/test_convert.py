"""Models of scikit-learn as files, and files as models of scikit-learn."""

import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from bayes import BayesError, Classifier, from_sklearn


def close(a, b):
    assert a.shape == b.shape
    assert np.abs(a - b).max() < 1e-10 * max(1, np.abs(b).max())


ODD = ["", "Ünïcödé Straße ÉCOLE", "x_y 12 a", "tabs\tand  spaces\n\nlines", "日本語 텍스트", "don't stop-me NOW!"]

VECTORIZERS = [
    {},
    {"ngram_range": (1, 2)},
    {"stop_words": "english"},
    {"stop_words": ["the", "card", "naïve, word"]},
    {"lowercase": False},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii"},
    {"binary": True},
    {"min_df": 2, "max_df": 0.5},
    {"max_features": 300},
    {"vocabulary": ["card", "charged", "never-seen", "crash"]},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (2, 4)},
]


@pytest.mark.parametrize("settings", VECTORIZERS, ids=str)
def test_a_model_becomes_a_file(settings, messages, tmp_path):
    X, y = messages
    vectorizer = CountVectorizer(**settings)
    model = MultinomialNB(alpha=0.5).fit(vectorizer.fit_transform(X[:800]), y[:800])
    asked = X + ODD
    want = model.predict_log_proba(vectorizer.transform(asked))
    c = from_sklearn(vectorizer, model)
    close(c.predict_log_proba(asked), want)
    assert c.predict(asked).tolist() == model.predict(vectorizer.transform(asked)).tolist()
    assert c.made_up_
    c.save(tmp_path / "a.nb")
    loaded = Classifier.load(tmp_path / "a.nb")
    close(loaded.predict_log_proba(asked), want)
    assert loaded.made_up_


@pytest.mark.parametrize(
    "model",
    [
        MultinomialNB(),
        MultinomialNB(alpha=1e-3),
        MultinomialNB(alpha=0, force_alpha=False),
        MultinomialNB(fit_prior=False),
        MultinomialNB(class_prior=[0.4, 0.3, 0.2, 0.1]),
        ComplementNB(),
        ComplementNB(norm=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
@pytest.mark.filterwarnings("ignore:alpha too small")
def test_models(model, weights, messages):
    X, y = messages
    rng = np.random.default_rng(0)
    w = {"none": None, "whole": rng.integers(1, 5, len(y)), "fractions": rng.random(len(y))}[weights]
    vectorizer = CountVectorizer()
    model.fit(vectorizer.fit_transform(X), y, sample_weight=w)
    close(from_sklearn(vectorizer, model).predict_log_proba(X), model.predict_log_proba(vectorizer.transform(X)))


def test_labels_keep_their_type(messages):
    X, y = messages
    labels = np.array([len(label) * 5 for label in y])
    vectorizer = CountVectorizer()
    model = MultinomialNB().fit(vectorizer.fit_transform(X), labels)
    c = from_sklearn(vectorizer, model)
    assert c.classes_.tolist() == model.classes_.tolist() and c.classes_.dtype == model.classes_.dtype
    close(c.predict_log_proba(X), model.predict_log_proba(vectorizer.transform(X)))


def test_newsgroups(newsgroups, tmp_path):
    (X, y), (test, _) = ((texts[:4000], labels[:4000]) for texts, labels in newsgroups)
    vectorizer = CountVectorizer()
    model = MultinomialNB().fit(vectorizer.fit_transform(X), y)
    c = from_sklearn(vectorizer, model)
    close(c.predict_log_proba(test), model.predict_log_proba(vectorizer.transform(test)))
    # And the other way round.
    ours = Classifier(analyzer="sklearn", alpha=0.1).fit(X, y)
    close(make_pipeline(*ours.to_sklearn()).predict_log_proba(test), ours.predict_log_proba(test))


def test_it_goes_on_learning(messages):
    X, y = messages
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(X)
    model = MultinomialNB().fit(counts[:800], y[:800])
    c = from_sklearn(vectorizer, model).partial_fit(X[800:], y[800:])
    close(c.predict_log_proba(X), model.partial_fit(counts[800:], y[800:]).predict_log_proba(counts))


def test_what_is_made_up_keeps_the_laws_and_is_marked(messages, run, tmp_path):
    X, y = messages
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(X)
    model = MultinomialNB().fit(counts, y)
    from_sklearn(vectorizer, model).save(tmp_path / "a.nb")
    run("check", "a.nb")
    assert "made-up-examples=scikit-learn" in run("inspect", "a.nb", "--json")
    assert "a model of scikit-learn, which keeps no examples" in run("predict", "a.nb", input="card")
    with pytest.raises(BayesError, match="^cannot unlearn: made of a model of scikit-learn, which keeps no examples$"):
        Classifier.load(tmp_path / "a.nb").unlearn(X[:1], y[:1])
    # Those that there were of each class, and the sums of the terms.
    c = Classifier.load(tmp_path / "a.nb")
    _, weights, _, sums, terms = c._core.export()
    assert weights.tolist() == model.class_count_.tolist()
    at = [vectorizer.vocabulary_[term] for term in terms]
    assert np.array_equal(sums, model.feature_count_[:, at])


class Own(CountVectorizer):
    pass


@pytest.mark.parametrize(
    "vectorizer, model, message",
    [
        (CountVectorizer(), BernoulliNB(), "BernoulliNB is no MultinomialNB or ComplementNB"),
        (TfidfVectorizer(), MultinomialNB(), "TfidfVectorizer is no CountVectorizer"),
        (Own(), MultinomialNB(), "Own is no CountVectorizer"),
        (CountVectorizer(token_pattern=r"\w+"), MultinomialNB(), "token_pattern"),
        (CountVectorizer(tokenizer=str.split, token_pattern=None), MultinomialNB(), "a tokenizer of its own"),
        (CountVectorizer(preprocessor=str.lower), MultinomialNB(), "a preprocessor of its own"),
        (CountVectorizer(analyzer=str.split), MultinomialNB(), "an analyzer of its own"),
        (CountVectorizer(strip_accents=str.lower), MultinomialNB(), "a strip_accents of its own"),
    ],
    ids=str,
)
def test_what_no_file_can_hold(vectorizer, model, message, messages):
    X, y = messages
    model.fit(vectorizer.fit_transform(X), y)
    with pytest.raises(BayesError, match=message) as e:
        from_sklearn(vectorizer, model)
    assert "\n" not in str(e.value)


def test_an_alpha_for_each_feature(messages):
    X, y = messages
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(X)
    model = MultinomialNB(alpha=np.linspace(0.1, 1, counts.shape[1])).fit(counts, y)
    close(from_sklearn(vectorizer, model).predict_log_proba(X), model.predict_log_proba(counts))


def test_unfitted_models(messages):
    X, y = messages
    vectorizer = CountVectorizer().fit(X)
    with pytest.raises(NotFittedError):
        from_sklearn(vectorizer, MultinomialNB())
    with pytest.raises(NotFittedError):
        from_sklearn(CountVectorizer(), MultinomialNB().fit(vectorizer.transform(X), y))
    with pytest.raises(BayesError, match="terms"):
        from_sklearn(CountVectorizer().fit(X[:10]), MultinomialNB().fit(vectorizer.transform(X), y))


SETTINGS = [
    {},
    {"analyzer": "sklearn", "ngrams": "1-2", "alpha": 0.1},
    {"analyzer": "sklearn", "accents": "fold", "weighting": "presence"},
    {"analyzer": "sklearn", "accents": "ascii", "lowercase": False},
    {"analyzer": "chars", "chars": "1-3"},
    {"analyzer": "chars", "chars": "2-4", "char_words": True},
    {"stem": "en", "stopwords": "en", "negation": True},
    {"prior": "uniform"},
    {"prior": {"account": 0.4, "billing": 0.3, "bug": 0.2, "feature": 0.1}},
    {"min_df": 3, "select": "chi2:200"},
    {"alpha": "evidence"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_classifier_becomes_a_model(settings, messages):
    X, y = messages
    c = Classifier(**settings).fit(X[:800], y[:800])
    asked = X + ODD
    pipeline = make_pipeline(*c.to_sklearn())
    close(pipeline.predict_log_proba(asked), c.predict_log_proba(asked))
    assert pipeline.predict(asked).tolist() == c.predict(asked).tolist()
    close(pickle.loads(pickle.dumps(pipeline)).predict_log_proba(asked), c.predict_log_proba(asked))


def test_a_model_that_goes_on_learning(messages):
    X, y = messages
    c = Classifier(analyzer="sklearn", alpha=0.3).fit(X[:800], y[:800])
    vectorizer, model = c.to_sklearn()
    known = Classifier(analyzer="sklearn", alpha=0.3, vocabulary=vectorizer.get_feature_names_out()).fit(X, y)
    model.partial_fit(vectorizer.transform(X[800:]), y[800:])
    close(model.predict_log_proba(vectorizer.transform(X)), known.predict_log_proba(X))


def test_a_matrix(messages):
    X, y = messages
    counts = CountVectorizer().fit_transform(X)
    labels = [len(label) * 5 for label in y]
    c = Classifier(alpha=0.5).fit(counts, labels)
    vectorizer, model = c.to_sklearn()
    assert vectorizer is None and model.classes_.tolist() == c.classes_.tolist()
    close(model.predict_log_proba(counts), c.predict_log_proba(counts))


def test_there_and_back(messages):
    X, y = messages
    c = Classifier(analyzer="sklearn", ngrams="1-2", alpha=0.2).fit(X, y)
    close(from_sklearn(*c.to_sklearn()).predict_log_proba(X), c.predict_log_proba(X))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"model": "bernoulli"}, "bernoulli"),
        ({"correct": True}, "corrected"),
        ({"idf": True}, "idf"),
        ({"norm": "l2"}, "norm"),
        ({"weighting": "log"}, "log"),
        ({"subwords": "3-5"}, "subwords"),
        ({"hash": 10}, "hash"),
        ({"calibrate": "temperature"}, "calibrated"),
    ],
    ids=str,
)
def test_what_scikit_learn_cannot_hold(settings, message, messages):
    with pytest.raises(BayesError, match=message) as e:
        Classifier(**settings).fit(*messages).to_sklearn()
    assert "\n" not in str(e.value)
