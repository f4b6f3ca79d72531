"""Files: the same bytes as the command's, read by both."""

import csv
import os
import stat

import numpy as np
import pytest

from bayes import BayesError, Classifier

SETTINGS = [
    {},
    {"alpha": 0.1, "ngrams": "1-2"},
    {"model": "bernoulli", "stopwords": "en", "stem": "en"},
    {"model": "complement", "complement_norm": True, "weighting": "presence", "negation": True},
    {"model": "one-versus-rest", "prior": "uniform", "subwords": "3-5", "subword_weight": 0.5},
    {"analyzer": "chars", "chars": "2-4", "char_words": True, "lowercase": False},
    {"analyzer": "sklearn", "accents": "fold", "form": "nfc", "min_length": 3},
    {"idf": True, "norm": "l2", "weighting": "log"},
    {"alpha": "evidence", "min_df": 2, "max_df": 0.5, "max_features": 2000, "select": "chi2:500"},
    {"alpha": "loo", "calibrate": "temperature"},
    {"correct": True, "spread": True, "strength": 0.5, "trust": 0.4},
    {"hash": 10},
    {"prior": {"account": 0.4, "billing": 0.3, "bug": 0.2, "feature": 0.1}},
]


def flags(settings):
    words = []
    for name, value in settings.items():
        if isinstance(value, dict):
            value = ",".join(f"{label}={p}" for label, p in value.items())
        value = str(value).lower() if isinstance(value, bool) else value
        words.append(f"--{name.replace('_', '-')}={value}")
    return words


@pytest.fixture
def sample(messages, tmp_path):
    file = tmp_path / "sample.csv"
    with open(file, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["text", "label"])
        rows.writerows(zip(*messages))
    return file


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: " ".join(flags(s)) or "default")
def test_the_command_writes_the_same_bytes(settings, sample, messages, run, tmp_path):
    run("train", sample, "-o", "command.nb", *flags(settings))
    c = Classifier(**settings).fit(*messages)
    c.save(tmp_path / "python.nb")
    if "idf" in settings:
        # Sums of fractions depend on the order of adding, which is that of several cores.
        trained = Classifier.load(tmp_path / "command.nb")
        assert np.allclose(trained.predict_log_proba(messages[0]), c.predict_log_proba(messages[0]), rtol=1e-12, atol=1e-12)
        assert (trained.predict(messages[0]) == c.predict(messages[0])).all()
        return
    assert (tmp_path / "python.nb").read_bytes() == (tmp_path / "command.nb").read_bytes()


def test_vocabulary(sample, messages, run, tmp_path):
    terms = ["card", "charged", "crash", "password"]
    (tmp_path / "terms").write_text("\n".join(terms))
    run("train", sample, "-o", "command.nb", "--vocabulary", "terms")
    Classifier(vocabulary=terms).fit(*messages).save(tmp_path / "python.nb")
    assert (tmp_path / "python.nb").read_bytes() == (tmp_path / "command.nb").read_bytes()


def test_both_go_on_with_a_file(sample, messages, run, tmp_path):
    X, y = messages
    Classifier(ngrams="1-2").fit(X[:500], y[:500]).save(tmp_path / "a.nb")
    c = Classifier.load(tmp_path / "a.nb").partial_fit(X[500:], y[500:])
    c.save(tmp_path / "a.nb")
    run("train", sample, "-o", "b.nb", "--ngrams", "1-2")
    assert (tmp_path / "a.nb").read_bytes() == (tmp_path / "b.nb").read_bytes()
    assert run("predict", "a.nb", input=X[0]).split("\t")[0] == c.predict(X[:1])[0]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: " ".join(flags(s)) or "default")
def test_load(settings, messages, tmp_path):
    X, y = messages
    c = Classifier(**settings).fit(X, y)
    c.save(tmp_path / "a.nb")
    loaded = Classifier.load(tmp_path / "a.nb")
    assert np.array_equal(loaded.predict_log_proba(X), c.predict_log_proba(X))
    assert loaded.classes_.tolist() == c.classes_.tolist()
    loaded.save(tmp_path / "b.nb")
    assert (tmp_path / "a.nb").read_bytes() == (tmp_path / "b.nb").read_bytes()


def test_loaded_parameters_are_those_it_was_trained_with(messages, tmp_path):
    settings = {"alpha": 0.1, "ngrams": "1-2", "model": "complement", "complement_norm": True, "weighting": "presence", "stem": "en"}
    Classifier(**settings).fit(*messages).save(tmp_path / "a.nb")
    assert Classifier.load(tmp_path / "a.nb").get_params() == Classifier(**settings).get_params()


def test_frozen(messages, run, tmp_path):
    X, y = messages
    Classifier().fit(X, y).save(tmp_path / "a.nb")
    run("freeze", "a.nb", "-o", "frozen.nb")
    c = Classifier.load(tmp_path / "frozen.nb")
    assert c.predict(X).tolist() == Classifier.load(tmp_path / "a.nb").predict(X).tolist()
    with pytest.raises(BayesError, match="frozen"):
        c.partial_fit(X, y)


def test_a_file_is_whole_or_not_there(messages, tmp_path):
    file = tmp_path / "a.nb"
    c = Classifier().fit(*messages)
    c.save(file)
    os.chmod(file, 0o640)
    c.save(file)
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o640
    with pytest.raises(FileNotFoundError):
        c.save(tmp_path / "no" / "a.nb")
    assert os.listdir(tmp_path) == ["a.nb"]


def test_what_is_no_model(tmp_path):
    (tmp_path / "a.nb").write_text("label,text\n")
    with pytest.raises(BayesError, match=r"a\.nb: .*not a model file"):
        Classifier.load(tmp_path / "a.nb")
    with pytest.raises(FileNotFoundError):
        Classifier.load(tmp_path / "b.nb")


def test_damaged_files(messages, tmp_path):
    Classifier().fit(*messages).save(tmp_path / "a.nb")
    data = (tmp_path / "a.nb").read_bytes()
    for at in range(0, len(data), len(data) // 50):
        (tmp_path / "b.nb").write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(BayesError, match="b.nb"):
            Classifier.load(tmp_path / "b.nb")
