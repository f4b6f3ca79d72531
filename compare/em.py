"""What documents without a label add: bayes train --unlabelled, and what scikit-learn has for that.

From a training file some rows of each class are drawn and keep their labels; the others of its first rows are unlabelled. All
are tested on the test file. Beside bayes without and with --unlabelled are scikit-learn's SelfTrainingClassifier
around MultinomialNB, and LabelSpreading (7 neighbours, tf-idf). The differences are paired by draw.
With --calibrate it is the calibration error and the log loss of bayes train --unlabelled, without and with --calibrate temperature.
Each result is appended to a file at once; what that has already is not measured again.

    pip install scikit-learn
    python compare/em.py --bayes ./bayes --data ../shared/data --out em.jsonl --draws 5 agnews mr trec
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile
import time
import warnings

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

csv.field_size_limit(1 << 30)
warnings.filterwarnings("ignore")
FLAGS = {"nsmc": ["--analyzer", "ko"], "livedoor": ["--analyzer", "ja"]}
CHARS = {"analyzer": "char", "ngram_range": (1, 2)}  # of texts without spaces, for scikit-learn


def read(path, limit=None):
    with open(path, newline="", encoding="utf-8") as f:
        return [(r["label"], r["text"]) for r in csv.DictReader(f)][:limit]


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(["label", "text"])
        w.writerows(rows)


def draw(rows, n, seed):
    """Returns n rows of each class, and the others."""
    taken, labelled, others = {}, [], []
    for i in np.random.default_rng(1_000_000 + seed).permutation(len(rows)):
        label = rows[i][0]
        if taken.get(label, 0) < n:
            taken[label] = taken.get(label, 0) + 1
            labelled.append(rows[i])
        else:
            others.append(rows[i])
    return labelled, others


def ours(bayes, folder, flags, test, calibrate):
    def trained(*more):
        model = os.path.join(folder, "m.nb")
        start = time.perf_counter()
        train = [bayes, "train", os.path.join(folder, "labelled.csv"), *more, "-o", model, "--force", "--json", "--quiet", *flags]
        record = json.loads(subprocess.run(train, check=True, capture_output=True).stdout)
        took = time.perf_counter() - start
        out = subprocess.run([bayes, "test", model, test, "--json", "--quiet"], check=True, capture_output=True).stdout
        return json.loads(out), took, record

    unlabelled = "--unlabelled", os.path.join(folder, "others.csv")
    both, took, record = trained(*unlabelled)
    if calibrate:
        after, _, _ = trained(*unlabelled, "--calibrate", "temperature")
        return {column: of[key] for column, of, key in zip(CALIBRATION, (both, after, both, after), ("ece", "ece", "log_loss", "log_loss"))}
    alone, _, _ = trained()
    u = record["unlabelled"]
    return {"bayes": alone["accuracy"], "bayes --unlabelled": both["accuracy"], "weight": u["weight"], "rounds": u["rounds"], "seconds": took}


def theirs(labelled, others, test, how):
    texts = [t for _, t in labelled + others]
    y = np.array([a for a, _ in labelled] + [""] * len(others), dtype=object)
    names = sorted({a for a, _ in labelled})
    y = np.array([names.index(a) if a else -1 for a in y])
    truth = np.array([names.index(a) if a in names else -2 for a, _ in test])
    counter = CountVectorizer(**how)
    x, z = counter.fit_transform(texts), counter.transform([t for _, t in test])
    result = {"SelfTraining": (SelfTrainingClassifier(MultinomialNB()).fit(x, y).predict(z) == truth).mean()}
    tfidf = TfidfVectorizer(**how)
    x, z = tfidf.fit_transform(texts), tfidf.transform([t for _, t in test])
    result["LabelSpreading"] = (LabelSpreading(kernel="knn", n_neighbors=7).fit(x, y).predict(z) == truth).mean()
    return {k: float(v) for k, v in result.items()}


ACCURACY = ["bayes", "bayes --unlabelled", "SelfTraining", "LabelSpreading"]
CALIBRATION = ["calibration error", "calibrated", "log loss", "its log loss"]


def table(results, columns):
    print("| data | labels a class | draws |", " | ".join(columns), "| difference |" if columns is ACCURACY else "|")
    for name in sorted({r["data"] for r in results}):
        for n in sorted({r["labels"] for r in results if r["data"] == name}):
            of = [r for r in results if r["data"] == name and r["labels"] == n]
            mean = [np.mean([r[c] for r in of if c in r] or [np.nan]) for c in columns]
            gain = f" {mean[1] - mean[0]:+.3f} |" if columns is ACCURACY else ""
            print(f"| {name} | {n} | {len(of)} |", " | ".join(f"{m:.3f}" for m in mean), "|" + gain)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", default="./bayes")
    p.add_argument("--data", default="../shared/data")
    p.add_argument("--out", default="em.jsonl")
    p.add_argument("--draws", type=int, default=5)
    p.add_argument("--labels", default="3,10,30,100")
    p.add_argument("--limit", type=int, default=6500, help="rows of the training file")
    p.add_argument("--ours", action="store_true", help="without scikit-learn")
    p.add_argument("--calibrate", action="store_true", help="measure probabilities rather than accuracy; results go to a file of their own")
    p.add_argument("names", nargs="*")
    args = p.parse_args()
    results = [json.loads(line) for line in open(args.out)] if os.path.exists(args.out) else []
    for seed in range(args.draws):
        for n in map(int, args.labels.split(",")):
            for name in args.names:
                if any((r["data"], r["labels"], r["draw"]) == (name, n, seed) for r in results):
                    continue
                path = os.path.join(args.data, name, "test.csv")
                labelled, others = draw(read(os.path.join(args.data, name, "train.csv"), args.limit), n, seed)
                with tempfile.TemporaryDirectory() as folder:
                    write(os.path.join(folder, "labelled.csv"), labelled)
                    write(os.path.join(folder, "others.csv"), others)
                    r = {"data": name, "labels": n, "draw": seed, **ours(args.bayes, folder, FLAGS.get(name, []), path, args.calibrate)}
                if not args.ours and not args.calibrate:
                    r |= theirs(labelled, others, read(path), CHARS if name in FLAGS else {})
                results.append(r)
                with open(args.out, "a") as f:
                    f.write(json.dumps(r) + "\n")
    table(results, CALIBRATION if args.calibrate else ACCURACY)


if __name__ == "__main__":
    main()
