"""Accuracies of scikit-learn's naive Bayes on the data folders of the README.

Each model is trained on train.csv with CountVectorizer's defaults and alpha 1,
and tested on test.csv. Prints a Markdown table.

    pip install scikit-learn==1.2.1 'numpy<1.24'
    python compare/accuracy.py --data DIR
"""

import argparse
import csv
import pathlib
import sys

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

csv.field_size_limit(1 << 30)


class OneVersusRest:
    """Of each class a MultinomialNB against all others; the largest log-odds win."""

    def fit(self, x, y):
        self.labels = np.unique(y)
        self.models = [MultinomialNB().fit(x, np.asarray(y) == label) for label in self.labels]
        return self

    def score(self, x, y):
        joint = [model.predict_joint_log_proba(x) for model in self.models]
        best = np.argmax([j[:, 1] - j[:, 0] for j in joint], axis=0)
        return (self.labels[best] == np.asarray(y)).mean()


MODELS = [
    ("multinomial", MultinomialNB()),
    ("complement", ComplementNB()),
    ("complement, norm", ComplementNB(norm=True)),
    ("one-versus-rest", OneVersusRest()),
    ("Bernoulli", BernoulliNB()),
]
PAIRS = {"analyzer": "char", "ngram_range": (2, 2)}
FOLDERS = [
    ("sms", {}), ("ucinews", {}), ("agnews", {}), ("mr", {}), ("20news", {}), ("spamassassin", {}), ("langid", {}),
    ("nsmc", {}), ("nsmc", PAIRS), ("livedoor", {}), ("livedoor", PAIRS), ("chnsenticorp", {}), ("chnsenticorp", PAIRS),
]


def rows(path, label, text, encoding="utf-8"):
    """Returns the texts and the labels of a CSV file."""
    with open(path, encoding=encoding, newline="") as f:
        records = list(csv.DictReader(f))
    return [r[text] for r in records], [r[label] for r in records]


def load(data, name):
    """Returns the training texts and labels and the test texts and labels."""
    folder = data / name
    if name == "sms":
        texts, labels = rows(folder / "spam.csv", "v1", "v2", "latin-1")
    elif name == "spamassassin":
        files = sorted(f"{c}/{p.name}" for c in ("ham", "spam") for p in (folder / c).iterdir())
        texts = [(folder / f).read_bytes().decode("latin-1") for f in files]
        labels = [f.split("/")[0] for f in files]
    else:
        return *rows(folder / "train.csv", "label", "text"), *rows(folder / "test.csv", "label", "text")
    train_x, test_x, train_y, test_y = train_test_split(texts, labels, test_size=0.2, random_state=1)
    return train_x, train_y, test_x, test_y


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("folders", nargs="*", help="only these folders")
    args = parser.parse_args()
    print("| data | " + " | ".join(name for name, _ in MODELS) + " |")
    print("|---" * (len(MODELS) + 1) + "|")
    for name, params in FOLDERS:
        if args.folders and name not in args.folders:
            continue
        train_x, train_y, test_x, test_y = load(args.data, name)
        vectorizer = CountVectorizer(**params)
        train, test = vectorizer.fit_transform(train_x), vectorizer.transform(test_x)
        scores = [f"{model.fit(train, train_y).score(test, test_y):.4f}" for _, model in MODELS]
        print(f"| {name}{' (character pairs)' if params else ''} | " + " | ".join(scores) + " |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
