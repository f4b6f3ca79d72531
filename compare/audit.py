"""Label errors found by bayes audit and by cleanlab.

A share of the labels of a training file is replaced by another label, drawn at random. Then both
say how doubtful each label is. Measured are the area under the ROC curve of that, and the precision
at as many rows as were replaced. cleanlab's scores are of the probabilities of five folds of
scikit-learn's MultinomialNB and LogisticRegression on tf-idf; of its two ways to score, self-confidence and
normalized margin, the better is shown.

    pip install cleanlab scikit-learn
    python compare/audit.py --bayes ./bayes --data ../shared/data --seeds 5 trec mr agnews
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from cleanlab.rank import get_label_quality_scores
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

csv.field_size_limit(1 << 30)
LIMITS = {"nsmc": 20_000}
FLAGS = {"nsmc": ["--analyzer", "ko"], "livedoor": ["--analyzer", "ja"]}


def read(path, limit):
    with open(path, newline="", encoding="utf-8") as f:
        rows = [(r["label"], r["text"]) for r in csv.DictReader(f)]
    return rows[:limit]


def flip(labels, rate, seed):
    """Returns other labels, and which of them are wrong."""
    rng = np.random.default_rng(seed)
    classes = sorted(set(labels))
    wrong = np.zeros(len(labels), bool)
    wrong[rng.permutation(len(labels))[: round(rate * len(labels))]] = True
    new = list(labels)
    for i in np.flatnonzero(wrong):
        new[i] = rng.choice([c for c in classes if c != labels[i]])
    return new, wrong


def ours(bayes, labels, texts, flags):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "a.csv")
        with open(name, "w", newline="", encoding="utf-8") as f:
            w = csv.writer(f)
            w.writerow(["label", "text"])
            w.writerows(zip(labels, texts))
        start = time.perf_counter()
        out = subprocess.run([bayes, "audit", name, "--json", "--quiet", *flags], check=True, capture_output=True)
        took = time.perf_counter() - start
    doubt = np.empty(len(labels))
    for line in out.stdout.splitlines():
        row = json.loads(line)
        doubt[row["row"] - 1] = row["log_odds"]
    return {"": doubt}, took


def cleanlab(model, labels, texts, seed):
    start = time.perf_counter()
    classes, y = np.unique(labels, return_inverse=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    p = cross_val_predict(make_pipeline(TfidfVectorizer(), model), texts, y, cv=folds, method="predict_proba")
    scores = {how: -get_label_quality_scores(y, p, method=how) for how in ("self_confidence", "normalized_margin")}
    return scores, time.perf_counter() - start


def measure(doubt, wrong):
    top = np.argsort(-doubt, kind="stable")[: wrong.sum()]
    return roc_auc_score(wrong, doubt), wrong[top].mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", default="./bayes")
    p.add_argument("--data", default="../shared/data")
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("--rates", default="0.02,0.05,0.1")
    p.add_argument("names", nargs="+")
    a = p.parse_args()
    print("| data | | area | precision | seconds |\n|---|---|---:|---:|---:|")
    for name in a.names:
        rows = read(os.path.join(a.data, name, "train.csv"), LIMITS.get(name))
        right, texts = [r[0] for r in rows], [r[1] for r in rows]
        results = {}
        for rate in map(float, a.rates.split(",")):
            for seed in range(a.seeds):
                labels, wrong = flip(right, rate, seed)
                for tool, run in {
                    "bayes audit": lambda: ours(a.bayes, labels, texts, FLAGS.get(name, [])),
                    "cleanlab, naive Bayes": lambda: cleanlab(MultinomialNB(), labels, texts, seed),
                    "cleanlab, logistic regression": lambda: cleanlab(LogisticRegression(max_iter=1000), labels, texts, seed),
                }.items():
                    doubts, took = run()
                    for how, doubt in doubts.items():
                        results.setdefault((tool, how), []).append((*measure(doubt, wrong), took))
        best = {}
        for (tool, _), r in results.items():
            mean = tuple(np.mean(r, axis=0))
            best[tool] = max(best.get(tool, (0, 0, 0)), mean)
        for tool, (area, precision, took) in best.items():
            print(f"| {name} | {tool} | {area:.4f} | {precision:.4f} | {took:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
