class BayesError(ValueError):
    """What cannot be done, in one line: a setting that makes no sense, data that breaks a law, a file that is no model."""


BayesError.__module__ = "bayes"
