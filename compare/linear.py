"""Measures the accuracy of `bayes train --auto` beside the classifiers that people would use
instead, and writes tables. Called by compare/linear.

Every classifier sees the training file alone: its settings are those of the highest accuracy in
five stratified folds of it (of equals the first), with which it is fitted to all of it and tested
once. --auto does its own cross-validation, in its default budget. What each says of each test
document is kept, so that two classifiers are compared in pairs: the standard error is that of the
mean of the differences between what the two have right.

nb      bayes train, its defaults
nb-auto bayes train --auto --correct=false: naive Bayes alone
auto    bayes train --auto
sknb    MultinomialNB of scikit-learn on counts of words (CountVectorizer's defaults), words 1-2 or
        characters; smoothing .01, .1 or 1
svc     LinearSVC on tf-idf of words 1-2, characters or both, with sublinear_tf, which is the usual
        choice for texts; strength .1, .3, 1, 3 or 10
nbsvm   Wang & Manning's NBSVM: presence of words 1-2 (Chinese, Japanese and Korean: characters) times
        naive Bayes' log-ratio, smoothing 1, beta .25, one class against the rest; strength .001, .003, .01,
        .03, .1 or 1
ft      fastText of the command fasttext on one thread: learning rate, epochs, pairs of words. In Chinese,
        Japanese and Korean each character is a word. Autotune is left out, which is not deterministic

Words 1-2 are words and punctuation marks, which beat scikit-learn's words of two letters and more
on questions. Characters are 2 to 5 within words (char_wb), and 1 to 3 (char) in Chinese, Japanese
and Korean. Features and their document frequencies are of the training part of a fold.

Characters of agnews and chnsenticorp have the strengths .3, 1 and 3 alone. LONG says what LinearSVC
tries on the long sets, where five folds of more would take over fifteen minutes: no characters of
imdb, no words of languages without spaces. In their folds machines stop at liblinear's own
tolerance of .1, and at LinearSVC's in the end; NBSVM has the strengths .003 and .01 there, and is
not run on langid (75 machines, on words, which Chinese and Thai do not have); fastText has one
setting there and on chnsenticorp, and 30 dimensions instead of 100. Where one setting is left there
is nothing to choose, and no fold.
"""

import argparse
import csv
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC

csv.field_size_limit(1 << 30)

SETS = ["trec", "ucinews", "sms", "mr", "agnews", "chnsenticorp", "spamassassin", "livedoor", "nsmc", "langid", "20news", "imdb"]
BAYES = {"nb": [], "nb-auto": ["--auto", "--correct=false"], "auto": ["--auto"]}
METHODS = ["sknb", "svc", "nbsvm", "ft", *BAYES]
SYLLABIC = {"chnsenticorp", "livedoor", "nsmc"}
STRENGTHS = [.1, .3, 1, 3, 10]

# What LinearSVC tries on the long sets.
LONG = {
    "spamassassin": {"words": [1, 3], "characters": [1], "both": [1]},
    "livedoor": {"characters": [1, 3], "both": [1]},
    "nsmc": {"characters": [.3, 1], "both": [.3]},
    "20news": {"words": [1], "both": [1]},
    "imdb": {"words": [.3, 1]},
    "langid": {"characters": [1]},
}
BETA = 0.25

# The best of the test file: four strengths, LinearSVC on words, characters and both, and NBSVM.
PICKED = {"imdb": .9124, "trec": .912, "ucinews": .9757, "agnews": .8934, "20news": .8772,
          "livedoor": .9668, "chnsenticorp": .9112, "sms": .9973, "mr": .7831, "nsmc": .8755}


def grid(name, method):
    """Returns the settings of a method that are tried on a set, the features first."""
    long = name in LONG
    if method == "sknb":
        if name == "langid":
            return [("characters", .01), ("characters", .1)]
        return [(f, alpha) for f in ["word", "words"] + ["characters"] * (name in SYLLABIC) for alpha in (.01, .1, 1)]
    if method == "svc":
        some = [.3, 1, 3] if name in ("agnews", "chnsenticorp") else STRENGTHS
        strengths = LONG.get(name, {"words": STRENGTHS, "characters": some, "both": some})
        return [(f, c) for f, list_ in strengths.items() for c in list_]
    if method == "nbsvm":
        return [("characters" if name in SYLLABIC else "words", c) for c in ([.003, .01] if long else [.001, .003, .01, .03, .1, 1])]
    longest = 3 if name in SYLLABIC else 2
    if long or name == "chnsenticorp":
        return [(.5, 25, 1, 2, 4) if name == "langid" else (.5, 25, longest, 0, 0)]
    return [(*run, 0, 0) for run in [(.5, 5, longest), (.1, 25, longest), (.5, 25, longest)]]


def arguments():
    p = argparse.ArgumentParser(prog="compare/linear", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bayes", "work", "data"):
        p.add_argument("--" + name, required=True, help=argparse.SUPPRESS)
    p.add_argument("--results", required=True, help="folder of what is measured, kept between runs")
    p.add_argument("--only", default=",".join(SETS), help="sets, with commas between")
    p.add_argument("--methods", default=",".join(METHODS), help="methods, with commas between; none: the tables alone")
    p.add_argument("--again", action="store_true", help="measure anew what has been measured")
    return p.parse_args()


def rows(path, label, text, encoding):
    with open(path, encoding=encoding, newline="") as f:
        records = list(csv.DictReader(f))
    return [r[text] for r in records], [r[label] for r in records]


class Set:
    """The texts and labels of the training file (0) and the test file (1), and their flags for bayes."""

    def __init__(self, a, name):
        self.name = name
        self.flags, self.columns = [], []
        if name == "spamassassin":
            self.mails(a)
            return
        label, text, encoding = "label", "text", "utf-8"
        self.paths = [os.path.join(a.data, name, part + ".csv") for part in ("train", "test")]
        if name == "sms":
            label, text, encoding = "v1", "v2", "latin-1"
            self.flags = ["--label", label, "--text", text]
            target = os.path.join(a.work, name)
            self.paths = [f"{target}.{part}.csv" for part in ("train", "test")]
            run(a.bayes, "split", os.path.join(a.data, "sms/spam.csv"), "--label", label, "--test", "0.2", "--seed", "1",
                "--sklearn", "-q", "--force", "-o", target)
        self.texts, self.labels = zip(*(rows(p, label, text, encoding) for p in self.paths))

    def mails(self, a):
        """Makes two folders of links, by the MD5 sum that each file has in its name: c to f are the test."""
        self.paths = [os.path.join(a.work, self.name, part) for part in ("train", "test")]
        self.flags = ["--format", "dir", "--encoding", "latin1"]
        self.texts, self.labels, self.files = ([], []), ([], []), ([], [])
        for label in ("ham", "spam"):
            for path in self.paths:
                os.makedirs(os.path.join(path, label), exist_ok=True)
            folder = os.path.join(os.path.abspath(a.data), self.name, label)
            for file in sorted(os.listdir(folder)):
                part = int(re.search(r"\.([0-9a-f]{32})\.eml$", file)[1][0] in "cdef")
                link = os.path.join(self.paths[part], label, file)
                if not os.path.lexists(link):
                    os.symlink(os.path.join(folder, file), link)
                with open(link, encoding="latin-1") as f:
                    self.texts[part].append(f.read())
                self.labels[part].append(label)
                self.files[part].append(link)


class Matrices:
    """Counts of features of a set; those of the test file for features of the training file."""

    def __init__(self, set_):
        self.set, self.made = set_, {}

    def counts(self, features):
        if features not in self.made:
            options = {
                "word": {},
                "words": {"ngram_range": (1, 2), "token_pattern": r"(?u)\w+|[^\w\s]"},
                "characters": {"analyzer": "char_wb", "ngram_range": (2, 5)},
            }[features]
            if features == "characters" and self.set.name in SYLLABIC:
                options = {"analyzer": "char", "ngram_range": (1, 3)}
            v = CountVectorizer(**options)
            self.made[features] = v.fit_transform(self.set.texts[0]), v.transform(self.set.texts[1])
        return self.made[features]

    def split(self, features, fold, kind):
        """Returns the rows of both parts of a fold, or of both files if that is None."""
        learned, tested = self.counts(features)
        if fold is not None:
            learned, tested = learned[fold[0]], learned[fold[1]]
            known = np.flatnonzero(learned.getnnz(axis=0))
            learned, tested = learned[:, known], tested[:, known]
        if kind == "tf-idf":
            t = TfidfTransformer(sublinear_tf=True).fit(learned)
            return t.transform(learned), t.transform(tested)
        if kind == "presence":
            return tuple((x > 0).astype(float).tocsr() for x in (learned, tested))
        return learned, tested


def machine(strength, tolerance):
    return LinearSVC(C=strength, dual=True, tol=tolerance, random_state=1)


def svc(strength, x, y, tested, tolerance):
    return machine(strength, tolerance).fit(x, y).predict(tested)


def sknb(alpha, x, y, tested, tolerance):
    return MultinomialNB(alpha=alpha).fit(x, y).predict(tested)


def nbsvm(strength, x, y, tested, tolerance):
    """Wang and Manning 2012, "Baselines and bigrams", section 2.3, of each class against the rest."""
    classes = np.unique(y)
    scores = np.zeros((tested.shape[0], len(classes)))
    for k, c in enumerate(classes):
        if k == 0 and len(classes) == 2:
            continue
        target = y == c
        p, q = (1 + np.asarray(x[of].sum(axis=0)).ravel() for of in (target, ~target))
        r = np.log(p / p.sum()) - np.log(q / q.sum())
        scaled = x.copy()
        scaled.data = r[x.indices]
        m = machine(strength, tolerance).fit(scaled, target)
        w = m.coef_[0]
        # Interpolated as weights are, or the rare class of two would never win.
        base = (1 - BETA) * np.abs(w).mean()
        scores[:, k] = tested @ (r * (base + BETA * w)) + base * np.log(target.mean() / (1 - target.mean())) + BETA * m.intercept_[0]
    return classes[np.argmax(scores, axis=1)]


FITS = {"svc": (svc, "tf-idf"), "sknb": (sknb, "count"), "nbsvm": (nbsvm, "presence")}


def spaced(set_, part):
    """Returns the texts as fastText wants them."""
    letter = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
    pattern = re.compile(rf"{letter}|(?:(?!{letter})\w)+|[^\w\s]" if set_.name in SYLLABIC else r"\w+|[^\w\s]")
    return [" ".join(pattern.findall(t.lower())) for t in set_.texts[part]]


def fasttext(a, set_, setting, texts, labels, tested):
    rate, epochs, words, least, most = setting
    classes = sorted(set(labels))
    path = lambda name: os.path.join(a.work, name)
    with open(path("ft.train"), "w", encoding="utf-8") as f:
        # fastText learns in the order of the file, which may be one class after the other.
        order = np.random.default_rng(1).permutation(len(texts))
        f.writelines(f"__label__{classes.index(labels[i])} {texts[i]}\n" for i in order)
    with open(path("ft.test"), "w", encoding="utf-8") as f:
        f.writelines(t + "\n" for t in tested)
    subprocess.run(["fasttext", "supervised", "-input", path("ft.train"), "-output", path("ft"), "-lr", str(rate), "-epoch", str(epochs),
                    "-wordNgrams", str(words), "-minn", str(least), "-maxn", str(most), "-dim", "30" if set_.name in LONG else "100",
                    "-bucket", "300000", "-thread", "1"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    out = subprocess.run(["fasttext", "predict", path("ft.bin"), path("ft.test")], check=True, capture_output=True, text=True).stdout.split("\n")
    # A text without a known word gets an empty line.
    return np.array([classes[int(l.removeprefix("__label__") or 0)] for l in out[:len(tested)]])


class Results:
    """What is measured of a set by a method, in a file that is written after each step."""

    def __init__(self, folder, name, method):
        self.file = os.path.join(folder, f"{name}.{method}.json")
        self.found = {"folds": {}, "seconds": 0}
        if os.path.exists(self.file):
            with open(self.file) as f:
                self.found = json.load(f)

    def write(self):
        with open(self.file + ".new", "w") as f:
            json.dump(self.found, f)
        os.replace(self.file + ".new", self.file)


def note(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def spell(method, setting):
    if method == "ft":
        rate, epochs, words, least, most = setting
        return f"rate {rate:g}, {epochs} epochs, words{f' 1-{words}' if words > 1 else ''}" + (f", pieces {least}-{most}" if most else "")
    features = {"word": "words", "words": "words 1-2"}.get(setting[0], setting[0])
    return f"{features}, {setting[1]:g}"


def choose(a, set_, method, matrices, results):
    """Measures each setting of a method in five folds, and tests the best."""
    labels = np.array(set_.labels[0])
    lines = [spaced(set_, part) for part in (0, 1)] if method == "ft" else None
    folds = list(StratifiedKFold(5, shuffle=True, random_state=1).split(labels, labels))

    def predictions(setting, fold, parts):
        if method == "ft":
            learned = range(len(labels)) if fold is None else fold[0]
            tested = lines[1] if fold is None else [lines[0][i] for i in fold[1]]
            return fasttext(a, set_, setting, [lines[0][i] for i in learned], [labels[i] for i in learned], tested)
        fit, kind = FITS[method]
        features = setting[0]
        if features not in parts:
            wanted = ("words", "characters") if features == "both" else (features,)
            for f in wanted:
                if f not in parts:
                    parts[f] = matrices.split(f, fold, kind)
            if features == "both":
                parts[features] = tuple(scipy.sparse.hstack(p, format="csr") for p in zip(*(parts.pop(f) for f in wanted)))
        x, tested = parts[features]
        if fold is None:
            return fit(setting[1], x, labels, tested, 1e-4)
        return fit(setting[1], x, labels[fold[0]], tested, .1 if set_.name in LONG else 1e-4)

    found = results.found
    if len(grid(set_.name, method)) == 1:
        folds = []
    for k, fold in enumerate(folds):
        parts = {}
        for setting in grid(set_.name, method):
            right = found["folds"].setdefault(spell(method, setting), [])
            if len(right) > k:
                continue
            start = time.perf_counter()
            right.append(int((predictions(setting, fold, parts) == labels[fold[1]]).sum()))
            took = time.perf_counter() - start
            found["seconds"] += took
            note(f"{set_.name}, {method}, fold {k + 1}, {spell(method, setting)}: {right[-1] / len(fold[1]):.4f} in {took:.1f} s")
            results.write()
    total = {setting: sum(found["folds"].get(spell(method, setting), [])) for setting in grid(set_.name, method)}
    best = max(total, key=total.get)
    start = time.perf_counter()
    decisions = predictions(best, None, {})
    found["seconds"] += time.perf_counter() - start
    found |= {"settings": spell(method, best), "decisions": decisions.tolist()}
    if folds:
        found["fold accuracy"] = total[best] / len(labels)


def run(*command):
    """Runs a command, and returns its output and its notes."""
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode != 0:
        sys.exit(f"{' '.join(command)}: {r.stderr}")
    return r.stdout, r.stderr


def bayes(a, set_, method, found):
    model = os.path.join(a.work, "model.nb")
    start = time.perf_counter()
    _, notes = run(a.bayes, "train", set_.paths[0], *set_.flags, *BAYES[method], "--force", "-o", model)
    found["seconds"] = time.perf_counter() - start
    best = re.search(r"settings: (.*), accuracy", notes)
    calibrated = re.search(r"(?m)^(temperature|isotonic): calibration", notes)
    found["settings"] = (best[1] if best else "") + (f" --calibrate {calibrated[1]}" if calibrated else "")
    if short := re.search(r"[\d,]+ of [\d,]+ combinations were tried.*", notes):
        found["cut short"] = short[0]
    measured = json.loads(run(a.bayes, "test", model, set_.paths[1], *set_.flags, "--json")[0])
    found |= {key: measured[key] for key in ("log_loss", "ece")}
    flags = set_.flags if set_.name == "spamassassin" else []
    lines = [l.split("\t") for l in run(a.bayes, "predict", model, set_.paths[1], *flags)[0].splitlines()]
    if set_.name == "spamassassin":
        of = {l[-1]: l for l in lines}
        lines = [of[f] for f in set_.files[1]]
    found["decisions"] = [l[0] for l in lines]
    right = np.mean(np.array(found["decisions"]) == np.array(set_.labels[1]))
    if abs(right - measured["accuracy"]) > 1e-9:
        sys.exit(f"{set_.name}: predict and test do not agree: {right} and {measured['accuracy']}")
    os.remove(model)


def measure(a, name):
    set_, matrices = None, None
    for method in a.methods.split(","):
        results = Results(a.results, name, method)
        if "decisions" in results.found and not a.again:
            continue
        if method == "ft" and not shutil.which("fasttext") or (name, method) == ("langid", "nbsvm"):
            continue
        if set_ is None:
            set_ = Set(a, name)
            matrices = Matrices(set_)
        if a.again:
            results.found = {"folds": {}, "seconds": 0}
        if method in BAYES:
            bayes(a, set_, method, results.found)
        else:
            choose(a, set_, method, matrices, results)
        results.found["right"] = (np.array(results.found["decisions"]) == np.array(set_.labels[1])).astype(int).tolist()
        results.write()
        note(f"{name}, {method}: {np.mean(results.found['right']):.4f}, {results.found['settings']}, {results.found['seconds']:.0f} s")


def table(header, lines):
    print("\n| " + " | ".join(header) + " |")
    print("|---" * len(header) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def mean(values):
    values = list(values)
    return f"{statistics.mean(values):.4f}" if all(v is not None for v in values) else ""


def tables(a):
    """Writes what has been measured of the sets."""
    names = a.only.split(",")
    of = {(n, m): Results(a.results, n, m).found for n in names for m in METHODS}
    accuracy = {key: statistics.mean(r["right"]) if "right" in r else None for key, r in of.items()}
    show = lambda v: "" if v is None else f"{v:.4f}"
    every = {"nb": "naive Bayes", "nb-auto": "`--auto --correct=false`", "auto": "`--auto`", "sknb": "scikit-learn's naive Bayes",
             "svc": "LinearSVC", "nbsvm": "NBSVM", "ft": "fastText"}
    heads = {m: head for m, head in every.items() if any("right" in of[n, m] for n in names)}
    lines = [[n] + [show(accuracy[n, m]) for m in heads] for n in names]
    table(["data", *heads.values()], lines + [["**mean**"] + [mean(accuracy[n, m] for n in names) for m in heads]])

    lines, ours, theirs = [], [], []
    for n in names:
        linear = [m for m in ("svc", "nbsvm") if "right" in of[n, m]]
        if not linear or accuracy[n, "auto"] is None:
            continue
        best = max(linear, key=lambda m: of[n, m].get("fold accuracy", 0))
        ours.append(accuracy[n, "auto"])
        theirs.append(accuracy[n, best])
        r = of[n, "auto"]
        d = np.array(r["right"]) - np.array(of[n, best]["right"])
        error = d.std(ddof=1) / len(d) ** .5
        holds = "yes" if d.mean() >= -max(.003, error) else "**no**"
        lines.append([n, show(ours[-1]), show(theirs[-1]), "LinearSVC" if best == "svc" else "NBSVM", f"{PICKED[n]:.4f}" if n in PICKED else "",
                      f"{d.mean():+.4f}", f"{error:.4f}", holds, f"{r['log_loss']:.3f}", f"{r['ece']:.3f}",
                      f"{r['seconds']:.0f}" + (", cut short" if "cut short" in r else "")])
    if lines:
        lines.append(["**mean**", mean(ours), mean(theirs), "", "", f"{np.mean(ours) - np.mean(theirs):+.4f}"] + [""] * 5)
        table(["data", "`--auto`", "best linear by folds", "which", "picked on the test file", "difference", "its standard error", "not lower by .003 and one error",
               "log loss", "calibration error", "seconds"], lines)
    chosen = lambda r: r.get("settings", "") + (f" ({r['fold accuracy']:.4f})" if "fold accuracy" in r else "")
    table(["data", *heads.values()], [[n] + [chosen(of[n, m]) for m in heads] for n in names])
    table(["seconds", *heads.values()], [[n] + [f"{of[n, m]['seconds']:.0f}" if "right" in of[n, m] else "" for m in heads] for n in names])


def main():
    a = arguments()
    warnings.filterwarnings("ignore", module="sklearn")
    os.makedirs(a.results, exist_ok=True)
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}, scikit-learn {sklearn.__version__}.")
    if a.methods:
        for name in a.only.split(","):
            measure(a, name)
    tables(a)


if __name__ == "__main__":
    main()
