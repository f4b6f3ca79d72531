"""The estimator."""

from __future__ import annotations

import inspect
import json
import numbers
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    check_non_negative,
    column_or_1d,
    validate_data,
)

from ._errors import BayesError
from ._library import Core, Documents, Texts

Floats = npt.NDArray[np.float64]

# What scores are asked for, by the numbers that the library knows them by.
PROBABILITY, LOG_PROBABILITY, LOG_JOINT = range(3)


class Share(TypedDict, total=False):
    """What one term adds to the log-odds: see :meth:`Classifier.explain`."""

    term: str
    value: float
    log_odds: float
    correction: float
    sum_class: float
    sum_against: float


class Highlight(TypedDict):
    """A piece of a text and its share of the log-odds."""

    text: str
    log_odds: float


class _Explanation(TypedDict, total=False):
    label: str
    probability: float
    probabilities: dict[str, float]
    log_joint: dict[str, float]
    known: int
    unknown: int
    against: str
    power: float
    prior: float
    bias: float
    absent: float
    terms: list[Share]
    highlights: list[Highlight]


# A word of Python can be no name in a class.
_Class = TypedDict("_Class", {"class": str})


class Explanation(_Explanation, _Class):
    """Why a document is classified as it is: see :meth:`Classifier.explain`."""


class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes for texts and for matrices of counts.

    The parameters are the flags of the command ``bayes train``, under their names, and
    mean what they mean there; a classifier and the command write the same file of the same
    examples, to within rounding where values are fractions. Where ``X`` is a list, an array
    or a column of strings, each is a text. Where it is a matrix, dense or sparse, its numbers
    are how often each feature was counted, as for scikit-learn's ``MultinomialNB``.

    Parameters
    ----------
    model : {"multinomial", "complement", "one-versus-rest", "bernoulli"}
        The event model.
    alpha : float or str
        The smoothing: a number from 0 up, ``"evidence"``, ``"evidence-terms"``,
        ``"evidence-documents"``, ``"loo"``, or a file of lines ``term<TAB>alpha``.
    prior : str or mapping
        ``"empirical"``, ``"uniform"``, or the probability of each label.
    complement_norm : bool
        Normalise the weights of each class (complement).
    analyzer : str
        What cuts texts into terms: ``"default"``, ``"sklearn"``, ``"nltk"``, ``"whitespace"``,
        ``"ja"``, ``"ko"``, ``"chars"`` and others.
    ngrams, subwords, chars : str
        Lengths of n-grams of words, of pieces of words, and of n-grams of characters,
        such as ``"1-2"``.
    char_words : bool
        Keep n-grams of characters within words.
    lowercase : bool
        Lower-case the text.
    form : {"as-is", "nfc", "nfkc"}
        Spell characters in one way.
    accents : {"keep", "fold", "ascii"}
        What becomes of accents.
    negation : bool
        Mark the words between an English negation and the next punctuation.
    stopwords : str
        Leave out the stop words of a language, or of a file.
    min_length : int
        Leave out words of fewer characters.
    stem : str
        Reduce words to their stems in a language.
    vocabulary : sequence of str, optional
        The only terms to count.
    hash : int
        Count terms in 2 to the power of so many columns, and keep no vocabulary; 0 keeps one.
    subword_weight : float
        What a subword counts, where a word counts 1.
    weighting : {"count", "presence", "log"}
        What a term counts that occurs several times.
    idf : bool
        Multiply by the inverse document frequency.
    norm : {"", "l1", "l2"}
        Scale each document to length one.
    min_df, max_df : int, float or str
        Leave out terms in fewer or in more documents, or a share of them below 1.
    max_features : int
        Keep the most frequent terms; 0 keeps all.
    select : str
        Keep the terms that tell most of the class, such as ``"chi2:1000"``.
    correct : bool
        Learn how far the weights of terms are from where naive Bayes has them.
    strength, trust : float
        How freely corrections move, and the share of naive Bayes in the score.
    spread : bool
        Let corrections move more the more a term tells of the class.
    calibrate : {"none", "temperature", "isotonic"}
        Make probabilities come true, by examples held out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        The columns of the matrix, where there is one.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all are strings.

    Examples
    --------
    >>> from bayes import Classifier
    >>> spam = Classifier(alpha=0.5, ngrams="1-2")
    >>> spam = spam.fit(["win a free prize", "see you at lunch"], ["spam", "ham"])
    >>> spam.predict(["free lunch, free prize"]).tolist()
    ['spam']
    >>> spam = spam.partial_fit(["lunch is free today"], ["ham"])
    >>> spam = spam.unlearn(["lunch is free today"], ["ham"])
    """

    classes_: npt.NDArray[Any]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]

    def __init__(
        self,
        *,
        model: str = "multinomial",
        alpha: float | str = 1.0,
        prior: str | Mapping[str, float] = "empirical",
        complement_norm: bool = False,
        analyzer: str = "default",
        ngrams: str = "1",
        subwords: str = "",
        chars: str = "",
        char_words: bool = False,
        lowercase: bool = True,
        form: str = "as-is",
        accents: str = "keep",
        negation: bool = False,
        stopwords: str = "",
        min_length: int = 1,
        stem: str = "",
        vocabulary: Sequence[str] | None = None,
        hash: int = 0,
        subword_weight: float = 0.25,
        weighting: str = "count",
        idf: bool = False,
        norm: str = "",
        min_df: float | str = "",
        max_df: float | str = "",
        max_features: int = 0,
        select: str = "",
        correct: bool = False,
        strength: float = 1.0,
        spread: bool = False,
        trust: float = 0.0,
        calibrate: str = "none",
    ) -> None:
        self.model = model
        self.alpha = alpha
        self.prior = prior
        self.complement_norm = complement_norm
        self.analyzer = analyzer
        self.ngrams = ngrams
        self.subwords = subwords
        self.chars = chars
        self.char_words = char_words
        self.lowercase = lowercase
        self.form = form
        self.accents = accents
        self.negation = negation
        self.stopwords = stopwords
        self.min_length = min_length
        self.stem = stem
        self.vocabulary = vocabulary
        self.hash = hash
        self.subword_weight = subword_weight
        self.weighting = weighting
        self.idf = idf
        self.norm = norm
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.select = select
        self.correct = correct
        self.strength = strength
        self.spread = spread
        self.trust = trust
        self.calibrate = calibrate

    # Learning.

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Learn examples, and forget what was learned before.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            How many times each example counts.

        Returns
        -------
        Classifier
            This one.
        """
        documents, is_text = self._documents(X, reset=True)
        classes, unlearned = self._label(documents, y, sample_weight)
        columns = None if is_text else self._columns()
        core = Core.new(self._flags(), self._vocabulary(), unlearned or None, columns, documents)
        self._hold(core, is_text, classes)
        self._declared = False
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Classifier:
        """Learn more examples.

        The result is that of :meth:`fit` on all examples at once.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels there will ever be. Without it, new labels may come at any time.
        sample_weight : array-like of shape (n_samples,), optional
            How many times each example counts.

        Returns
        -------
        Classifier
            This one.
        """
        first = not hasattr(self, "_core")
        documents, is_text = self._documents(X, reset=first)
        found, _ = self._label(documents, y, sample_weight)
        if first:
            self._begin(is_text, found, classes)
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(f"classes={classes!r} are not those of the first call: {self.classes_!r}")
        self._check_kind(is_text)
        if self._declared:
            new = sorted(set(map(str, found)) - set(map(str, self.classes_)))
            if new:
                raise ValueError(f"y has the labels {new}, which are not among the classes {list(self.classes_)}")
        self._core.learn(documents)
        self._meet(found)
        return self

    def unlearn(self, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Take examples out that have been learned, exactly.

        What corrections and calibration have learned of them stays, until the next :meth:`fit`.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), optional
            How many times each example had counted.

        Returns
        -------
        Classifier
            This one.

        Raises
        ------
        BayesError
            If more would be unlearned than was learned; nothing is unlearned then.
        """
        check_is_fitted(self)
        documents, is_text = self._documents(X, reset=False)
        self._check_kind(is_text)
        self._label(documents, y, sample_weight)
        self._core.learn(documents, unlearn=True)
        self._meet(self.classes_)
        return self

    # Answers.

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each document.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels.
        """
        # One text after the other is what a program in production asks for.
        if _is_one_text(X) and self.__dict__.get("_is_text"):
            i = self._core.predict_text(X[0])
            if i >= 0:
                if self._order is not None:
                    i = self._order[i]
                label: npt.NDArray[Any] = self.classes_[i : i + 1].copy()
                return label
        documents = self._asked(X)
        indices = self._core.predict(documents)
        classes = self.classes_ if self._order is None else self.classes_[self._order]
        labels: npt.NDArray[Any] = classes[indices]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of ``classes_``.
        """
        return self._scores(X, PROBABILITY)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The logarithms, in the order of ``classes_``.
        """
        return self._scores(X, LOG_PROBABILITY)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return ln P(class, document) of each class: the score before it is normalised.

        Parameters
        ----------
        X : texts, or matrix of shape (n_samples, n_features)
            The documents.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            The scores, in the order of ``classes_``.
        """
        return self._scores(X, LOG_JOINT)

    @overload
    def explain(self, X: str) -> Explanation: ...

    @overload
    def explain(self, X: list[str]) -> list[Explanation]: ...

    @overload
    def explain(self, X: Any) -> Any: ...

    def explain(self, X: Any) -> Any:
        """Return what each term adds to the log-odds of the best class against the next.

        Parameters
        ----------
        X : str, texts, or matrix of shape (n_samples, n_features)
            A text, or documents.

        Returns
        -------
        Explanation or list of Explanation
            That of the text, or one for each document. ``explanation["class"]`` is the best
            class and ``explanation["against"]`` the second; the log-odds are the power of the
            calibration, 1 without one, times the sum of ``prior``, ``absent`` and the
            ``log_odds`` of all ``terms``, whose largest effect is first.
        """
        if isinstance(X, str):
            return self.explain([X])[0]
        documents = self._asked(X)
        return [_explanation(self._core.explain(documents, i)) for i in range(documents.texts.n)]

    # Files.

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the model file, which the command reads and goes on with.

        The old file is there until the new one is whole.

        Parameters
        ----------
        file : path
            Its name, such as ``spam.nb``.
        """
        check_is_fitted(self)
        data = self._core.keep()
        name = os.path.realpath(file)
        handle, temporary = tempfile.mkstemp(prefix=os.path.basename(name) + ".", dir=os.path.dirname(name))
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            mode = os.stat(name).st_mode & 0o777 if os.path.exists(name) else 0o666 & ~_umask()
            os.chmod(temporary, mode)
            os.replace(temporary, name)
        except BaseException:
            os.unlink(temporary)
            raise

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> Classifier:
        """Return the classifier of a model file, also of a frozen one, which learns no more.

        Parameters
        ----------
        file : path
            What :meth:`save` or the command has written.

        Returns
        -------
        Classifier
            One that predicts, and learns on. Its labels are strings.
        """
        with open(file, "rb") as opened:
            data = opened.read()
        try:
            core = Core.load(data)
            known = json.loads(core.describe())
        except BayesError as e:
            raise BayesError(f"{os.fspath(file)}: {e}") from None
        return cls._with(core, known, np.array(known["classes"]))

    @classmethod
    def _with(cls, core: Core, known: Mapping[str, Any], classes: npt.NDArray[Any]) -> Classifier:
        made = cls(**_settings(known["space"], known["event"]))
        columns = int(known["columns"])
        if columns:
            core = Core.load(core.keep(), [str(i) for i in range(1, columns + 1)])
            made.n_features_in_ = columns
        made._hold(core, not columns, classes)
        made._declared = False
        made.made_up_ = bool(known["made_up"])
        return made

    # What is between the two languages.

    def _flags(self) -> list[str]:
        """Return the flags of the command that say what the parameters say."""
        flags = []
        for name, value in self.get_params(deep=False).items():
            if name == "vocabulary" or value is None or _same(value, _DEFAULTS[name]):
                continue
            if name == "model" and value not in ("multinomial", "complement", "one-versus-rest", "bernoulli"):
                raise BayesError(f"model={value!r}: want multinomial, complement, one-versus-rest or bernoulli")
            flags.append(f"--{name.replace('_', '-')}={_flag(value)}")
        return flags

    def _vocabulary(self) -> list[str] | None:
        return None if self.vocabulary is None else [str(term) for term in self.vocabulary]

    def _documents(self, X: Any, *, reset: bool) -> tuple[Documents, bool]:
        """Return documents as the library reads them, and whether they are texts."""
        texts = _texts(X)
        if texts is not None:
            return Documents(Texts.of(texts)), True
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_non_negative(X, "Classifier (input X)")
        n, columns = X.shape
        if hasattr(X, "indptr"):
            ends, cells, values = X.indptr[1:], X.indices, X.data
        else:
            rows, cells = np.nonzero(X)
            ends, values = np.cumsum(np.bincount(rows, minlength=n)), X[rows, cells]
        keep = (
            np.ascontiguousarray(ends, np.int64),
            np.ascontiguousarray(cells, np.int64),
            np.ascontiguousarray(values, np.float64),
        )
        documents = Documents(Texts(n, None, None), **dict(zip(("row_ends", "cells", "values"), (a.ctypes.data for a in keep))))
        documents.kept += keep
        return documents, False

    def _label(self, documents: Documents, y: Any, sample_weight: Any) -> tuple[npt.NDArray[Any], list[str]]:
        """Add labels and weights to documents, and return the labels, and those without weight."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        n = documents.texts.n
        check_consistent_length(range(n), y)
        classes, codes = _coded(y)
        names = Texts.of([str(c) for c in classes])
        documents.labels, documents.names = codes.ctypes.data, names
        documents.kept += codes, names
        without: list[str] = []
        if sample_weight is not None:
            weight = _weights(sample_weight, n)
            documents.weights = weight.ctypes.data
            documents.kept.append(weight)
            total = np.bincount(codes, weight, len(classes))
            without = [str(c) for c, w in zip(classes, total) if w == 0]
        return classes, without

    def _columns(self) -> list[str]:
        """Return the names of the columns of a matrix; without any they are 1, 2 and so on, as in svmlight files."""
        names = getattr(self, "feature_names_in_", None)
        if names is not None and len(set(names)) == len(names):
            return list(names)
        return [str(i) for i in range(1, self.n_features_in_ + 1)]

    def _begin(self, is_text: bool, found: npt.NDArray[Any], classes: Any) -> None:
        """Make a classifier that has learned nothing."""
        declared = None if classes is None else np.unique(classes)
        columns = None if is_text else self._columns()
        labels = None if declared is None else [str(c) for c in declared]
        if declared is not None:
            new = sorted(set(map(str, found)) - set(labels or []))
            if new:
                raise ValueError(f"y has the labels {new}, which are not among the classes {labels}")
        core = Core.new(self._flags(), self._vocabulary(), labels, columns, None)
        self._hold(core, is_text, found if declared is None else declared)
        self._declared = declared is not None

    def _hold(self, core: Core, is_text: bool, classes: npt.NDArray[Any]) -> None:
        self._core = core
        self._is_text = is_text
        self.made_up_ = False
        self.classes_ = classes
        self._sort()

    def _meet(self, found: npt.NDArray[Any]) -> None:
        """Make the classes those that the library knows, of which found has those that are new."""
        known = self._core.classes()
        if known != self._known:
            values = {str(c): c for c in [*found, *self.classes_]}
            self.classes_ = np.unique(_array([values[label] for label in known]))
            self._sort()

    def _sort(self) -> None:
        """Note the places in classes_ of the labels in the order of the library."""
        self._known = sorted(map(str, self.classes_), key=lambda label: label.encode("utf-8", "surrogatepass"))
        places = {str(c): i for i, c in enumerate(self.classes_)}
        order = np.array([places[label] for label in self._known], dtype=np.intp)
        self._order = None if np.array_equal(order, np.arange(len(order))) else order

    def _check_kind(self, is_text: bool) -> None:
        if is_text and not self._is_text:
            raise ValueError("X has texts, and the classifier has learned a matrix of numbers")
        if not is_text and self._is_text:
            raise ValueError("X is a matrix of numbers, and the classifier has learned texts")

    def _asked(self, X: Any) -> Documents:
        check_is_fitted(self)
        documents, is_text = self._documents(X, reset=False)
        self._check_kind(is_text)
        return documents

    def _scores(self, X: Any, kind: int) -> Floats:
        if _is_one_text(X) and self.__dict__.get("_is_text"):
            scores = self._core.scores_text(X[0], kind, len(self.classes_))
        else:
            documents = self._asked(X)
            scores = self._core.scores(documents, kind, len(self.classes_))
        if self._order is None:
            return scores
        sorted_scores = np.empty_like(scores)
        sorted_scores[:, self._order] = scores
        return sorted_scores

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_core")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def build_analyzer(self) -> Callable[[str], list[str]]:
        """Return what cuts texts into terms, for scikit-learn's vectorizers.

        Returns
        -------
        callable
            It takes a text and returns its terms.
        """
        check_is_fitted(self)
        return self._core.analyze

    def to_sklearn(self) -> tuple[Any, Any]:
        """Return scikit-learn's estimators with the same answers.

        Returns
        -------
        vectorizer : CountVectorizer or None
            What counts the terms; ``None`` if the classifier has learned a matrix.
        model : MultinomialNB
            What takes their counts.
        """
        from ._convert import to_sklearn

        return to_sklearn(self)


_DEFAULTS = {name: p.default for name, p in inspect.signature(Classifier.__init__).parameters.items() if name != "self"}


def _same(value: Any, default: Any) -> bool:
    return type(value) in (type(default), int, float) and bool(value == default)


def _flag(value: Any) -> str:
    """Return the value of a parameter as that of a flag."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ",".join(f"{json.dumps(str(label), ensure_ascii=False)}={float(p)!r}" for label, p in value.items())
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        v = float(value)
        return repr(int(v)) if v.is_integer() and abs(v) < 2**53 else repr(v)
    return str(value)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _is_one_text(X: Any) -> bool:
    return type(X) is list and len(X) == 1 and type(X[0]) is str


def _texts(X: Any) -> list[str] | None:
    """Return X as a list of texts, None if it is none."""
    if isinstance(X, str):
        raise ValueError("X is one string: pass a list of texts, such as [X]")
    if isinstance(X, Iterator):
        X = list(X)
    if isinstance(X, tuple):
        X = list(X)
    if not isinstance(X, list):
        shape = getattr(X, "shape", None)
        if shape is None or len(shape) != 1:
            return None
        X = X.to_list() if hasattr(X, "to_list") else X.tolist()
    texts: list[str] = X
    if not any(isinstance(text, str) for text in texts):
        return None
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"X[{i}] is {text!r}, and no text (hint: fill missing texts with '')")
    return texts


def _coded(y: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """Return the labels, sorted, and the place among them of that of each example."""
    if type(y) is list and all(type(label) is str for label in y):
        # What the rest comes to as well, in a tenth of the time.
        found = sorted(set(y))
        places = {label: i for i, label in enumerate(found)}
        return _array(found), np.fromiter(map(places.__getitem__, y), np.int32, len(y))
    if isinstance(y, list):
        y = _array(y)
    elif not isinstance(y, np.ndarray) and hasattr(y, "to_numpy"):
        y = y.to_numpy()
        if y.dtype.kind == "O" and all(isinstance(label, str) for label in y):
            y = y.astype(str)
    y = column_or_1d(y, warn=True)
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, np.ascontiguousarray(codes, np.int32)


def _weights(sample_weight: Any, n: int) -> Floats:
    if isinstance(sample_weight, numbers.Number):
        sample_weight = np.full(n, sample_weight)
    weights: Floats = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    check_non_negative(weights, "sample_weight")
    if n and not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.ascontiguousarray(weights)


def _array(labels: list[Any]) -> npt.NDArray[Any]:
    return np.asarray(labels)


def _explanation(data: bytes) -> Explanation:
    read: Explanation = json.loads(data, object_hook=_finite)
    return read


def _finite(members: dict[str, Any]) -> dict[str, Any]:
    """Make numbers of the strings that infinities are in JSON."""
    return {
        key: float(value) if value in ("inf", "-inf") and key not in ("term", "text", "label", "class", "against") else value
        for key, value in members.items()
    }


def _settings(space: str, event: str) -> dict[str, Any]:
    """Return the parameters that descriptions of a space and an event model stand for, as far as they are simple."""
    settings: dict[str, Any] = {}
    analyzer, *words = space.split()
    name, _, lengths = analyzer.partition("=")
    if name in ("chars", "char-words"):
        settings.update(analyzer="chars", chars=lengths, char_words=name == "char-words")
    else:
        settings["analyzer"] = analyzer
    for word in words:
        key, _, value = word.partition("=")
        key = key.replace("-", "_")
        if key in ("ngrams", "subwords", "form", "accents", "stem", "norm") or key == "stopwords" and not value.startswith(","):
            settings[key] = value
        elif key in ("lowercase", "negation"):
            settings[key] = value == "true"
        elif key == "min_length":
            settings[key] = int(value)
        elif key == "binary":
            settings["weighting"] = "presence"
        elif key == "log":
            settings["weighting"] = "log"
        elif key == "subword_weight":
            settings[key] = float(value)
    kind, *words = event.split()
    if kind not in ("multinomial", "complement", "one-versus-rest", "bernoulli"):
        return settings
    settings["model"] = kind
    for word in words:
        key, _, value = word.partition("=")
        if key == "smoothing" and _number(value) is not None:
            settings["alpha"] = _number(value)
        elif key == "smoothing" and value.startswith("evidence"):
            settings["alpha"] = value
        elif key == "prior":
            settings["prior"] = value
        elif key == "norm":
            settings["complement_norm"] = True
    return settings


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None
