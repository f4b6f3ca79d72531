"""Label errors found by bayes audit and by cleanlab.

A share of the labels of a training file is replaced by other labels, drawn at random. Then both say how doubtful
each label is. Measured are the area under the ROC curve of that, and the precision at as many rows as
were replaced: means of the rates and seeds. Behind them is by how much bayes audit is ahead in the same runs, with
the standard error of the means of the seeds.

cleanlab's scores are of the probabilities of five folds of scikit-learn's MultinomialNB and
LogisticRegression. What they learn from is chosen for each file with seeds that are not reported, by area and precision:
scikit-learn's own words or those of bayes, tf-idf or counts, the smoothing, C, and the way to score,
self-confidence or normalized margin. The weights of tf-idf are those of all texts, which need no labels.

Seconds are those of the processor, reading included for bayes and not for cleanlab. Beside those of the audit are
those of a training with a correction, by which an audit is measured: bayes train --correct --strength 0.2.

    pip install cleanlab scikit-learn
    python compare/audit.py --bayes ./bayes --words ./words --data ../shared/data trec mr agnews

where `go build ./cmd/bayes` and `go build ./compare/words` make the programs.
"""
import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # as many threads as bayes is given

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from cleanlab.rank import get_label_quality_scores
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import MultinomialNB

csv.field_size_limit(1 << 30)
LIMITS = {"nsmc": 20_000}
ANALYZERS = {"nsmc": "ko", "livedoor": "ja"}
HOW = ("self_confidence", "normalized_margin")
NAIVE_BAYES = {f"alpha {a}": lambda a=a: MultinomialNB(alpha=a) for a in (1, 0.1)}
LOGISTIC = {f"C {c}": lambda c=c: LogisticRegression(C=c, max_iter=1000, tol=1e-3) for c in (1, 10)}
MODELS = {"naive Bayes": NAIVE_BAYES, "logistic regression": LOGISTIC}


def read(path, limit):
    with open(path, newline="", encoding="utf-8") as f:
        rows = [(r["label"], r["text"]) for r in csv.DictReader(f)]
    return rows[:limit]


def write(path, labels, texts):
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(["label", "text"])
        w.writerows(zip(labels, texts))


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


def run(*command):
    """Returns what a command prints, and the seconds that it takes of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(bayes, labels, texts, analyzer):
    """Returns doubts, and the seconds of the audit and of one training with a correction."""
    flags = ["--quiet", "--analyzer", analyzer]
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "a.csv")
        write(name, labels, texts)
        out, took = run(bayes, "audit", name, "--json", *flags)
        _, training = run(bayes, "train", name, "--correct", "--strength", "0.2", "-o", name + ".nb", *flags)
    doubt = np.empty(len(labels))
    for line in out.splitlines():
        row = json.loads(line)
        doubt[row["row"] - 1] = row["log_odds"]
    return doubt, took, training


def matrices(words, name, texts, analyzer):
    """Returns what models may learn from, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.csv")
        write(path, ["x"] * len(texts), texts)
        lines = run(words, path, analyzer)[0].decode().split("\n")[:-1]
    assert len(lines) == len(texts), name
    cut = {"token_pattern": r"[^ ]+", "lowercase": False}
    found = {"bayes' words, tf-idf": TfidfVectorizer(**cut).fit_transform(lines)}
    found["bayes' words, counts"] = CountVectorizer(**cut).fit_transform(lines).astype(float)
    if analyzer == "default":  # or else its words are phrases
        found["its words, tf-idf"] = TfidfVectorizer().fit_transform(texts)
        found["its words, counts"] = CountVectorizer().fit_transform(texts).astype(float)
    return found


def cleanlab(model, x, labels, seed):
    """Returns doubts by each way to score, and the seconds that they took."""
    start = time.process_time()
    y = np.unique(labels, return_inverse=True)[1]
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    p = cross_val_predict(model, x, y, cv=folds, method="predict_proba")
    doubts = {how: -get_label_quality_scores(y, p, method=how) for how in HOW}
    return doubts, time.process_time() - start


def measure(doubt, wrong):
    top = np.argsort(-doubt, kind="stable")[: wrong.sum()]
    return roc_auc_score(wrong, doubt), wrong[top].mean()


def choose(family, found, right, seed):
    """Returns the setting of a family of models that does best: what it learns from, its parameter, the score."""
    best, most = None, -1
    labels, wrong = flip(right, 0.05, seed)
    for x in found:
        if family is LOGISTIC and "counts" in x:
            continue  # not of one scale
        for parameter, model in family.items():
            doubts, _ = cleanlab(model(), found[x], labels, seed)
            for how in HOW:
                if (good := sum(measure(doubts[how], wrong))) > most:
                    best, most = (x, parameter, how), good
    return best


class Kept:
    """What was measured before, by its name: it takes hours."""

    def __init__(self, path):
        self.path, self.known = path, {}
        if path and os.path.exists(path):
            with open(path) as f:
                self.known = dict(map(json.loads, f))

    def get(self, name, make):
        if name not in self.known:
            self.known[name] = make()
            if self.path:
                with open(self.path, "a") as f:
                    f.write(json.dumps([name, self.known[name]]) + "\n")
        return self.known[name]


def compare(name, a, kept):
    rows = read(os.path.join(a.data, name, "train.csv"), LIMITS.get(name))
    right, texts = [r[0] for r in rows], [r[1] for r in rows]
    analyzer = ANALYZERS.get(name, "default")
    found = matrices(a.words, name, texts, analyzer)
    chosen, results, price = {}, {}, []  # results: by tool, those of each seed and rate
    for model, family in MODELS.items():
        chosen[model] = kept.get(f"{name}, {model}, {a.choose}", lambda: choose(family, found, right, a.choose))
    rates = [float(rate) for rate in a.rates.split(",")]
    for seed in range(a.first, a.first + a.seeds):
        for rate in rates:
            labels, wrong = flip(right, rate, seed)
            for model, (x, parameter, how) in chosen.items():
                def theirs():
                    doubts, took = cleanlab(MODELS[model][parameter](), found[x], labels, seed)
                    return *measure(doubts[how], wrong), took
                key = f"{name}, {model}, {x}, {parameter}, {how}, {seed}, {rate}"
                results.setdefault(f"cleanlab, {model}", []).append(kept.get(key, theirs))
            if not a.without:
                doubt, took, training = ours(a.bayes, labels, texts, analyzer)
                results.setdefault("bayes audit", []).append((*measure(doubt, wrong), took))
                price.append(training)
    report(name, {tool: np.array(r).reshape(a.seeds, len(rates), 3) for tool, r in results.items()})
    settings = "; ".join(", ".join((model, *setting)) for model, setting in chosen.items())
    print(f"  {name}: {np.mean(price or np.nan):.2f} s a training; {settings}", file=sys.stderr, flush=True)


def report(name, by_tool):
    """Prints the means, and by how much the audit is ahead."""
    audit = by_tool.pop("bayes audit", None)
    if audit is not None:
        area, precision, took = audit.mean(axis=(0, 1))
        print(f"| {name} | bayes audit | {area:.4f} | | {precision:.4f} | | {took:.2f} |")
    for tool, runs in by_tool.items():
        area, precision, took = runs.mean(axis=(0, 1))
        ahead = ["", ""]
        if audit is not None:
            by_seed = (audit - runs).mean(axis=1)
            error = by_seed.std(axis=0, ddof=1) / np.sqrt(len(by_seed))
            ahead = [f"{by_seed[:, k].mean():+.4f} ± {error[k]:.4f}" for k in range(2)]
        print(f"| {name} | {tool} | {area:.4f} | {ahead[0]} | {precision:.4f} | {ahead[1]} | {took:.2f} |", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", default="./bayes")
    p.add_argument("--words", default="./words")
    p.add_argument("--data", default="../shared/data")
    p.add_argument("--seeds", type=int, default=5, help="two or more")
    p.add_argument("--first", type=int, default=2001, help="the first seed")
    p.add_argument("--choose", type=int, default=100, help="the seed by which cleanlab's settings are chosen")
    p.add_argument("--rates", default="0.02,0.05,0.1")
    p.add_argument("--keep", help="a file of what cleanlab was measured to do, which is not done again")
    p.add_argument("--without", action="store_true", help="measure cleanlab alone")
    p.add_argument("names", nargs="+")
    a = p.parse_args()
    print("| data | | area | ahead | precision | ahead | seconds |\n|---|---|---:|---:|---:|---:|---:|")
    kept = Kept(a.keep)
    for name in a.names:
        compare(name, a, kept)


if __name__ == "__main__":
    sys.exit(main())
