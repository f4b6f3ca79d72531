"""Measures how long support vector machines take to fit, and writes a table. Called by
compare/svm.

A matrix is written once, and both programs fit it in turn, several times. Seconds are of
fitting alone, from the matrix in memory to the weights: LinearSVC.fit, and New and Fit of
internal/svm in a process of its own. LinearSVC runs with its defaults, and with the
tolerances below, of which its best counts: the fastest whose objective is within a share
of the least that any run has found. Objectives are sums over all machines, computed here
from the weights in float64, for both alike.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import sklearn
from sklearn.svm import LinearSVC

MATRICES = {
    "imdb": ("imdb/train.csv", "default ngrams=1-2"),
    "agnews": ("agnews/train.csv", "default subwords=3-5 ngrams=1-2"),
    "20news": ("20news/train.csv", "default subwords=3-5 ngrams=1-2"),
    "langid": ("langid/train.csv", "default subwords=1-4"),
}
TOLERANCES = [2e-5, 1e-4, 1e-3, 1e-2, 1e-1]
SHARES = [1e-10, 1e-8, 1e-6, 1e-4]


def arguments():
    p = argparse.ArgumentParser(prog="compare/svm", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--work", required=True, help=argparse.SUPPRESS)
    p.add_argument("--data", required=True, help=argparse.SUPPRESS)
    p.add_argument("--only", default=",".join(MATRICES), help="matrices, with commas between")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--strength", type=float, default=1)
    return p.parse_args()


def load(file):
    """Returns the matrix of a file that compare/machines has written, and the classes of its rows."""
    n, values, features, classes = (int(v) for v in np.fromfile(file, "<i8", 4))
    numbers = np.fromfile(file, "<i8", 2 * n + 1, offset=32)
    at = 32 + 8 * len(numbers)
    columns = np.fromfile(file, "<i4", values, offset=at)
    data = np.fromfile(file, "<f4", values, offset=at + 4 * values).astype(float)
    return scipy.sparse.csr_matrix((data, columns, numbers[:n + 1]), shape=(n, features)), numbers[n + 1:], classes


def objective(x, y, classes, weights, strength):
    total = 0
    for k, w in enumerate(weights):
        target = np.where(y == (1 if classes == 2 else k), 1.0, -1.0)
        violation = np.maximum(0, 1 - target * (x @ w[:-1] + w[-1]))
        total += 0.5 * (w @ w) + strength * (violation @ violation)
    return total


def liblinear(a, matrix, x, y, tolerance):
    """Returns what LinearSVC takes, and its weights."""
    m = LinearSVC(C=a.strength, dual=True, tol=tolerance)
    start = time.perf_counter()
    m.fit(x, y)
    return time.perf_counter() - start, np.hstack([m.coef_, m.intercept_[:, None]]), int(np.max(m.n_iter_))


def ours(a, matrix, x, y, tolerance):
    weights = os.path.join(a.work, "weights")
    out = subprocess.run([os.path.join(a.work, "machines"), "-strength", str(a.strength), "-tolerance", str(tolerance), "fit", matrix, weights],
                         check=True, stdout=subprocess.PIPE).stdout
    r = json.loads(out)
    return r["seconds"], np.fromfile(weights).reshape(-1, x.shape[1] + 1), r["passes"]


def measure(a, name):
    table, analyzer = MATRICES[name]
    matrix = os.path.join(a.work, name)
    subprocess.run([os.path.join(a.work, "machines"), "write", os.path.join(a.data, table), analyzer, matrix], check=True)
    x, y, classes = load(matrix)
    seconds, found = {}, {}
    for run in range(a.runs):
        for tolerance in TOLERANCES:
            for program in (liblinear, ours):
                print(f"{name}, run {run + 1}: {program.__name__}, tolerance {tolerance:g}", file=sys.stderr)
                took, weights, passes = program(a, matrix, x, y, tolerance)
                key = program.__name__, tolerance
                seconds.setdefault(key, []).append(took)
                # liblinear draws its order anew each time, so its objective varies.
                found.setdefault(key, []).append((objective(x, y, classes, weights, a.strength), passes))
    os.remove(matrix)
    least = min(o for list_ in found.values() for o, _ in list_)
    print(f"\n{name}, `{analyzer}`: {x.shape[0]:,} rows, {x.shape[1]:,} features, {x.nnz:,} values, {classes} classes, C = {a.strength:g}.\n")
    print("| tolerance | LinearSVC | passes | above the least objective | internal/svm | passes | above the least objective | seconds ÷ LinearSVC's |")
    print("|---|---|---|---|---|---|---|---|")
    excess = {key: statistics.median(o for o, _ in list_) / least - 1 for key, list_ in found.items()}
    for tolerance in TOLERANCES:
        cells = [f"{tolerance:g}" + (", its default" if tolerance == 1e-4 else "")]
        for program in ("liblinear", "ours"):
            key = program, tolerance
            cells += [spread(seconds[key]), str(round(statistics.median(p for _, p in found[key]))), f"{excess[key]:.1e}"]
        cells.append(f"{statistics.median(u / t for u, t in zip(seconds['ours', tolerance], seconds['liblinear', tolerance])):.2f}")
        print("| " + " | ".join(cells) + " |")
    print("\n| objective within | LinearSVC at its best | internal/svm | ratio |")
    print("|---|---|---|---|")
    for share in SHARES:
        best = {program: min((statistics.median(seconds[p, t]) for p, t in seconds if p == program and excess[p, t] <= share), default=None) for program in ("liblinear", "ours")}
        cells = [f"{best[p]:.3g} s" if best[p] else "–" for p in ("liblinear", "ours")]
        ratio = f"{best['ours'] / best['liblinear']:.2f}" if all(best.values()) else "–"
        print(f"| {share:g} of the least | " + " | ".join(cells) + f" | {ratio} |")
    sys.stdout.flush()


def spread(values):
    return f"{statistics.median(values):.3g} s ({min(values):.3g} to {max(values):.3g})"


def main():
    a = arguments()
    warnings.filterwarnings("ignore", module="sklearn")
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}, scikit-learn {sklearn.__version__}. "
          f"Medians of {a.runs} runs, with the least and the most, one program after the other.")
    for name in a.only.split(","):
        measure(a, name)


if __name__ == "__main__":
    main()
