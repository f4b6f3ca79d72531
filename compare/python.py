"""Measures training and prediction beside scikit-learn's CountVectorizer and MultinomialNB, in turn.
Called by compare/python.

Files have the columns text and label. Printed are medians of the wall time.
"""

import argparse
import csv
import statistics
import sys
import time

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from bayes import Classifier


def theirs(texts, labels):
    vectorizer = CountVectorizer()
    model = MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
    return lambda asked: model.predict(vectorizer.transform(asked))


def measured(act, *arguments):
    start = time.perf_counter()
    result = act(*arguments)
    return time.perf_counter() - start, result


def measure(file, runs):
    with open(file, encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    training = {"bayes": [], "scikit-learn": []}
    for _ in range(runs):
        took, classifier = measured(lambda: Classifier().fit(texts, labels))
        training["bayes"].append(took)
        took, predict = measured(theirs, texts, labels)
        training["scikit-learn"].append(took)
    ours, other = (statistics.median(times) for times in training.values())
    print(f"{file}: training on {len(texts):,} texts: bayes {ours:.2f} s, scikit-learn {other:.2f} s, {other / ours:.1f} times as fast")
    length = statistics.median(map(len, texts[:2000]))
    for name, ask in {"predict": classifier.predict, "predict_proba": classifier.predict_proba, "scikit-learn's predict": predict}.items():
        times = [measured(ask, [text])[0] for text in texts[: 200 if ask is predict else 2000]]
        print(f"    {name} of one text, of {length:,.0f} characters in the middle: {1e6 * statistics.median(times):,.1f} µs")


def main():
    p = argparse.ArgumentParser(prog="compare/python", description=__doc__)
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("files", nargs="+", metavar="TRAIN.csv")
    a = p.parse_args()
    csv.field_size_limit(1 << 30)
    for file in a.files:
        measure(file, a.runs)


if __name__ == "__main__":
    main()
