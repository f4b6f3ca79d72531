"""How many answers modAL needs, beside compare/order.

The pile is the training file, its true labels are the answers, and the model is scikit-learn's
MultinomialNB on counts of words. Accuracy is measured on the test file, after each 5 % more answers; counted are the
answers after which it is at least 95 % of that of all labels, and stays so the next two times. The first ten texts are
drawn at random. A text is asked by modAL's margin_sampling or uncertainty_sampling.

    pip install modAL-python "scikit-learn<1.8"
    python compare/order.py --data ../shared/data --seeds 3 agnews
"""
import argparse
import csv
import math
import os
import statistics
import sys

import numpy as np
from modAL.models import ActiveLearner
from modAL.uncertainty import margin_sampling, uncertainty_sampling
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

csv.field_size_limit(1 << 30)


def read(path, most=None):
    with open(path, newline="", encoding="utf-8") as f:
        rows = [(r["label"], r["text"]) for r in csv.DictReader(f)]
    return rows[:most]


def at_random(_, pool):
    return np.array([0])  # of a shuffled pile


def needed(strategy, x, y, test, truth, target, seed):
    order = np.random.default_rng(seed).permutation(len(y))
    start, rest = order[:10], list(order[10:])
    learner = ActiveLearner(estimator=MultinomialNB(), query_strategy=strategy, X_training=x[start], y_training=y[start])
    n, following, first, times = 10, 20, 0, 0
    while rest:
        if strategy is at_random:
            at = 0
        else:
            at = int(np.ravel(learner.query(x[np.array(rest)])[0])[0])
        i = rest.pop(at)
        learner.teach(x[i], y[i : i + 1])
        n += 1
        if n < following:
            continue
        following = math.ceil(following * 1.05)
        if (learner.predict(test) == truth).mean() < target:
            times = 0
            continue
        times += 1
        if times == 1:
            first = n
        if times == 3:
            return first
    return n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--pile", type=int, default=20_000)
    p.add_argument("names", nargs="+")
    a = p.parse_args()
    for name in a.names:
        train = read(os.path.join(a.data, name, "train.csv"), a.pile)
        held = read(os.path.join(a.data, name, "test.csv"))
        words = CountVectorizer()
        x, y = words.fit_transform(t for _, t in train), np.array([l for l, _ in train])
        test, truth = words.transform(t for _, t in held), np.array([l for l, _ in held])
        full = (MultinomialNB().fit(x, y).predict(test) == truth).mean()
        print(f"{name}: a pile of {len(y)}, accuracy of all labels {full:.4f}", flush=True)
        for strategy in at_random, uncertainty_sampling, margin_sampling:
            list_ = [needed(strategy, x, y, test, truth, 0.95 * full, seed) for seed in range(a.seeds)]
            print(f"{strategy.__name__:22} {statistics.mean(list_):6.0f} answers, {list_}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
