"""To and from scikit-learn's estimators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.utils.validation import check_is_fitted

from ._errors import BayesError
from ._library import Core

if TYPE_CHECKING:
    from ._classifier import Classifier

_WORDS = r"(?u)\b\w\w+\b"


def from_sklearn(vectorizer: Any, model: Any) -> Classifier:
    """Return a classifier with the answers of scikit-learn's estimators.

    scikit-learn keeps how often a term is in the examples of a class, and not in which of them.
    That is made up: as many examples as there were have each term as evenly as can be. The file
    says so (``bayes inspect`` shows ``made-up-examples``), as does ``made_up_``. The classifier
    can learn more; its vocabulary stays that of the vectorizer, and it cannot unlearn.

    Parameters
    ----------
    vectorizer : CountVectorizer
        One that is fitted, with a way to cut texts that ``bayes`` has too.
    model : MultinomialNB or ComplementNB
        One that is fitted to what the vectorizer counts.

    Returns
    -------
    Classifier
        One whose :meth:`~Classifier.save` writes a model file.

    Raises
    ------
    BayesError
        If there is no model file with the same answers: of ``BernoulliNB``, and of settings
        of the vectorizer that ``bayes`` has not.
    """
    from ._classifier import Classifier

    space = _space(vectorizer)
    terms: list[str] = vectorizer.get_feature_names_out().tolist()
    event = _event(model, terms)
    sums = np.asarray(model.feature_count_, np.float64)
    if sums.shape[1] != len(terms):
        raise BayesError(f"the vectorizer has {len(terms)} terms, and the model was fitted to {sums.shape[1]}")
    labels = [str(c) for c in model.classes_]
    core = Core.imported(space, event, labels, model.class_count_, terms, sums)
    made = Classifier._with(core, json.loads(core.describe()) | {"columns": 0}, model.classes_.copy())
    return made


def _event(model: Any, terms: Sequence[str]) -> str:
    """Return the description of the event model."""
    if type(model) not in (MultinomialNB, ComplementNB):
        raise BayesError(
            f"{type(model).__name__} is no MultinomialNB or ComplementNB: what it keeps is not how often terms occur"
        )
    check_is_fitted(model, "feature_count_")
    alpha = np.asarray(model.alpha, np.float64)
    if not model.force_alpha:
        alpha = np.maximum(alpha, 1e-10)
    smoothing = repr(float(alpha)) if np.ndim(alpha) == 0 else "1," + _shares(terms, alpha)
    if type(model) is ComplementNB:
        return f"complement smoothing={smoothing}" + (" norm" if model.norm else "")
    return f"multinomial smoothing={smoothing} prior={_prior(model)}"


def _prior(model: Any) -> str:
    if model.class_prior is not None:
        return _shares(map(str, model.classes_), np.exp(model.class_log_prior_))
    return "empirical" if model.fit_prior else "uniform"


def _shares(names: Iterable[str], values: Iterable[float]) -> str:
    return ",".join(f"{json.dumps(name, ensure_ascii=False)}={float(v)!r}" for name, v in zip(names, values))


def _space(vectorizer: Any) -> str:
    """Return the description of a space that counts texts as the vectorizer does."""
    if type(vectorizer) is not CountVectorizer:
        raise BayesError(f"{type(vectorizer).__name__} is no CountVectorizer: the sums of its values are not counts")
    check_is_fitted(vectorizer, "vocabulary_")
    v = vectorizer
    for name in ("preprocessor", "tokenizer"):
        if getattr(v, name) is not None:
            raise BayesError(f"the vectorizer has a {name} of its own, which no model file can hold")
    low, high = v.ngram_range
    words: list[str]
    if v.analyzer == "word":
        if v.token_pattern != _WORDS:
            raise BayesError(f"the vectorizer has the token_pattern {v.token_pattern!r}: bayes has {_WORDS!r} only")
        words = ["sklearn"]
        stop = v.get_stop_words()
        if stop:
            words.append("stopwords=" + "".join("," + quote(w, safe="") for w in sorted(stop)))
        if (low, high) != (1, 1):
            words.append(f"ngrams={low}-{high}")
    elif v.analyzer in ("char", "char_wb"):
        words = [f"{'chars' if v.analyzer == 'char' else 'char-words'}={low}-{high}"]
    else:
        raise BayesError("the vectorizer has an analyzer of its own, which no model file can hold")
    if not v.lowercase:
        words.append("lowercase=false")
    if callable(v.strip_accents):
        raise BayesError("the vectorizer has a strip_accents of its own, which no model file can hold")
    if v.strip_accents is not None:
        words.append("accents=" + {"unicode": "fold", "ascii": "ascii"}[v.strip_accents])
    if v.binary:
        words.append("binary")
    return " ".join(words)


def to_sklearn(classifier: Classifier) -> tuple[CountVectorizer | None, MultinomialNB]:
    """Return what :meth:`Classifier.to_sklearn` returns."""
    if not hasattr(classifier, "_core"):
        raise NotFittedError("This Classifier instance is not fitted yet.")
    known = json.loads(classifier._core.describe())
    event, space = known["event"], known["space"]
    inside = event.removeprefix("selected ")
    if not (event.startswith("multinomial ") or event.startswith("selected ") and "model=(multinomial " in inside):
        raise BayesError(f"{event.split()[0]}: MultinomialNB has the answers of multinomial models only")
    refused = [w for w in space.split()[1:] if w.split("=")[0] in ("idf", "norm", "log", "subwords", "hash", "hash-bits")]
    if refused:
        raise BayesError(f"{' '.join(refused)}: CountVectorizer has no such values")
    prior, weights, log_prob, sums, terms = classifier._core.export()
    to_sorted = np.argsort(classifier._order) if classifier._order is not None else slice(None)
    model = MultinomialNB()
    alpha = event.partition("smoothing=")[2].split()[0].rstrip(")")
    try:
        model.set_params(alpha=float(alpha))
    except ValueError:
        pass  # the smoothing is in the weights
    if "prior=uniform" in event:
        model.set_params(fit_prior=False)
    elif "prior=empirical" not in event:
        model.set_params(class_prior=np.exp(prior[to_sorted]))
    model.classes_ = classifier.classes_.copy()
    model.class_count_ = weights[to_sorted]
    model.class_log_prior_ = prior[to_sorted]
    if not classifier._is_text:
        columns = {name: i for i, name in enumerate(terms)}
        at = np.array([columns[name] for name in classifier._columns()])
        model.feature_count_, model.feature_log_prob_ = sums[to_sorted][:, at], log_prob[to_sorted][:, at]
        model.n_features_in_ = len(at)
        return None, model
    model.feature_count_, model.feature_log_prob_ = sums[to_sorted], log_prob[to_sorted]
    model.n_features_in_ = len(terms)
    return _vectorizer(classifier, space, terms), model


def _vectorizer(classifier: Classifier, space: str, terms: Iterable[str]) -> CountVectorizer:
    """Return what counts terms as the classifier does: by settings, where CountVectorizer has such."""
    vocabulary = {term: i for i, term in enumerate(terms)}
    binary = "binary" in space.split()
    settings: dict[str, Any] = {}
    head, *words = space.split()
    name, _, lengths = head.partition("=")
    for word in words:
        key, _, value = word.partition("=")
        if key == "ngrams":
            settings["ngram_range"] = _range(value)
        elif key == "lowercase":
            settings["lowercase"] = False
        elif key == "accents":
            settings["strip_accents"] = {"fold": "unicode", "ascii": "ascii"}[value]
        elif key != "binary":
            name = ""  # what CountVectorizer has no setting for
    if name == "chars":
        settings.update(analyzer="char", ngram_range=_range(lengths))
    elif name == "char-words":
        settings.update(analyzer="char_wb", ngram_range=_range(lengths))
    elif name != "sklearn":
        settings = {"analyzer": classifier.build_analyzer()}
    made = CountVectorizer(vocabulary=vocabulary, binary=binary, **settings)
    made.fixed_vocabulary_, made.vocabulary_ = True, vocabulary
    return made


def _range(lengths: str) -> tuple[int, int]:
    low, _, high = lengths.partition("-")
    return int(low), int(high or low)
