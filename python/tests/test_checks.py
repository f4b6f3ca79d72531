"""scikit-learn's own checks, all of them, as MultinomialNB passes them."""

from sklearn.naive_bayes import MultinomialNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayes import Classifier


@parametrize_with_checks([Classifier(), Classifier(model="complement"), Classifier(model="bernoulli", alpha=0.5)])
def test_checks(estimator, check):
    check(estimator)


def test_tags_are_those_of_multinomial_nb():
    assert Classifier().__sklearn_tags__() == MultinomialNB().__sklearn_tags__()
