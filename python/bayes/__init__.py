"""Naive Bayes that learns and unlearns one example at a time, and explains its answers.

>>> from bayes import Classifier
>>> spam = Classifier().fit(["win a free prize", "see you at lunch"], ["spam", "ham"])
>>> spam.predict(["free lunch, free prize"]).tolist()
['spam']
"""

from ._classifier import Classifier, Explanation, Highlight, Share
from ._convert import from_sklearn
from ._errors import BayesError

__all__ = ["BayesError", "Classifier", "Explanation", "Highlight", "Share", "from_sklearn"]
__version__ = "0.1.0"
