"""Compares how many foreign texts `bayes train --known` finds with what scikit-learn offers, on the
same data: one class in five is left out of training, group by group, and the test files have all
classes. Prints a table in Markdown. Needs scikit-learn.

    python3 compare/known.py --bayes ./bayes --data DATA [--rows 10000] [20news langid agnews]
    python3 compare/known.py --bayes ./bayes --data DATA --rates      stated rates, on re-splits of all folders
    python3 compare/known.py --bayes ./bayes --data DATA --dev        on parts of the training files alone
"""

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

csv.field_size_limit(1 << 30)
GROUPS = 5
RATE = 0.05
FLAGS = {"plain": [], "corrected": ["--correct"]}
FOLDERS = {  # with the columns that are not label and text; reuters has several labels a document, which --known refuses
    "20news": None, "adult": ("income", None), "agnews": None, "chnsenticorp": None, "imdb": None, "langid": None,
    "livedoor": None, "mr": None, "nsmc": None, "sms": ("v1", "v2"), "spamassassin": None, "trec": None, "ucinews": None,
}
COLUMNS = {"adult": ["--numeric", "age,fnlwgt,education_num,capital_gain,capital_loss,hours_per_week", "--categorical", "*"]}


def rows(path, label="label", text="text"):
    """Returns a label and a text of each row, or without a text a label and all other columns."""
    with open(path, newline="", encoding="utf-8", errors="replace") as f:
        return [(r.pop(label), r[text] if text else r) for r in csv.DictReader(f)]


def mails(path):
    """Returns a label and a text of each file of a folder for each label, as --format dir reads them."""
    examples = []
    for label in sorted(os.listdir(path)):
        for folder, _, names in sorted(os.walk(os.path.join(path, label))):
            for name in sorted(names):
                with open(os.path.join(folder, name), encoding="latin1", newline="") as f:
                    examples.append((label, f.read()))
    return examples


def pool(options, name):
    """Returns the examples of all files of a folder."""
    folder = os.path.join(options.data, name)
    paths = sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".csv"))
    if not paths:
        return mails(folder)
    return [e for path in reversed(paths) for e in rows(path, *(FOLDERS[name] or ()))]


def write(path, examples):
    columns = list(examples[0][1]) if isinstance(examples[0][1], dict) else None
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["label"] + (columns or ["text"]))
        w.writerows([c] + ([t[k] for k in columns] if columns else [t]) for c, t in examples)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def bayes(options, train, test, folder, flags):
    """Returns a foreign or not of each test text."""
    a, b, model = (os.path.join(folder, n) for n in ("a.csv", "b.csv", "m.nb"))
    write(a, train)
    write(b, test)
    run(options.bayes, "train", a, "--known", str(1 - RATE), *flags, "-o", model, "--quiet")
    lines = run(options.bayes, "predict", model, b, "--json", "--top", "1").splitlines()
    assert len(lines) == len(test)
    return [json.loads(line).get("reason") == "foreign" for line in lines]


def peers(train, test):
    """Yields a name and the score of each held-out and each test text: the less, the more foreign. A fifth of
    the training texts is held out, and sets the threshold."""
    import numpy as np
    from sklearn.ensemble import IsolationForest
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import LocalOutlierFactor

    fit, held = train[len(train) // 5:], train[: len(train) // 5]
    vectorizer = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+")
    x = vectorizer.fit_transform([t for _, t in fit])
    h, t = (vectorizer.transform([t for _, t in part]) for part in (held, test))
    linear = LogisticRegression(C=10, max_iter=300).fit(x, [c for c, _ in fit])

    def energy(v):
        scores = linear.decision_function(v)
        if scores.ndim == 1:
            scores = np.stack([-scores / 2, scores / 2], 1)
        return np.logaddexp.reduce(scores, 1)

    for name, score in {
        "largest probability": lambda v: linear.predict_proba(v).max(1),
        "energy": energy,
        "IsolationForest": IsolationForest(random_state=0).fit(x).score_samples,
        "LocalOutlierFactor": LocalOutlierFactor(novelty=True).fit(x).score_samples,
    }.items():
        yield name, score(h), score(t)


def share(hits, of):
    """Returns the share of those `of` is true."""
    list_ = [h for h, o in zip(hits, of) if o]
    return sum(list_) / max(1, len(list_))


def measure(options, name):
    """Prints, of each method, the shares of foreign texts found and of false alarms, and their means."""
    train, test = rows(f"{options.data}/{name}/train.csv"), rows(f"{options.data}/{name}/test.csv")
    if options.dev:
        random.Random(1).shuffle(train)
        train, test = train[len(train) // 4:], train[: len(train) // 4]
    random.Random(0).shuffle(train)
    train, test = train[: options.rows], test[: options.rows]
    labels = sorted({c for c, _ in train})
    found, alarms, at_rate = {}, {}, {}
    for g in range(GROUPS):
        left = set(labels[g::GROUPS])
        if not left:  # there are fewer than five classes
            continue
        known = [e for e in train if e[0] not in left]
        is_foreign = [c in left for c, _ in test]
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            for kind, flags in FLAGS.items():
                said = bayes(options, known, test, folder, flags)
                found.setdefault("bayes, " + kind, []).append(share(said, is_foreign))
                alarms.setdefault("bayes, " + kind, []).append(share(said, [not f for f in is_foreign]))
        if options.no_peers:
            continue
        for kind, held, scores in peers(known, test):
            threshold = sorted(held)[int(RATE * (len(held) + 1)) - 1]
            said = [s <= threshold for s in scores]
            found.setdefault(kind, []).append(share(said, is_foreign))
            alarms.setdefault(kind, []).append(share(said, [not f for f in is_foreign]))
    for kind in found:
        groups = " ".join(f"{v:.3f}" for v in found[kind])
        print(f"| {name} | {kind} | {sum(found[kind]) / len(found[kind]):.3f} | {groups} | {sum(alarms[kind]) / len(alarms[kind]):.3f} |", flush=True)


def wilson(k, n):
    p, z = k / n, 1.96
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def rates(options, name):
    """Prints the false alarms on a fifth of the pooled files, which is split off at random."""
    pooled = pool(options, name)
    for kind, flags in FLAGS.items():
        cells = []
        for seed in range(options.splits):
            random.Random(seed).shuffle(pooled)
            some = pooled[: options.rows]
            test, train = some[: len(some) // 5], some[len(some) // 5:]
            with tempfile.TemporaryDirectory(dir=options.work) as folder:
                said = bayes(options, train, test, folder, flags + COLUMNS.get(name, []))
            low, high = wilson(sum(said), len(said))
            cells.append(f"{sum(said) / len(said):.4f} ({low:.3f} to {high:.3f})")
        print(f"| {name} | {kind} | " + " | ".join(cells) + " |", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("names", nargs="*")
    p.add_argument("--bayes", default="./bayes")
    p.add_argument("--data", default=os.environ.get("BAYES_DATA", "../shared/data"))
    p.add_argument("--rows", type=int, default=10000, help="training texts used, for all methods")
    p.add_argument("--work", default=None, help="folder of temporary files")
    p.add_argument("--splits", type=int, default=3, help="with --rates, how often to split")
    p.add_argument("--rates", action="store_true")
    p.add_argument("--dev", action="store_true")
    p.add_argument("--no-peers", action="store_true")
    options = p.parse_args()
    if options.rates:
        print("| data | model | " + " | ".join(f"split {s + 1}" for s in range(options.splits)) + " |\n|---|---|" + "---|" * options.splits)
        for name in options.names or FOLDERS:
            rates(options, name)
        return
    print("| data | method | found | by group | false alarms |\n|---|---|---|---|---|")
    for name in options.names or ["20news", "langid", "agnews"]:
        measure(options, name)


main()
