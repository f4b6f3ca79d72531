"""Writes eval/testdata/curves.json: what scikit-learn, SciPy, statsmodels and
NumPy say of curves, McNemar's test and the bootstrap.

    pip install scikit-learn==1.9.1 scipy==1.17.1 statsmodels==0.15.0
    python compare/curves.py eval/testdata/metrics.json > eval/testdata/curves.json

The curves are of the predictions in metrics.json, each class against the rest.
The bootstrap draws 200,000 confusion matrices, where the Go code draws 2,000.
"""
import json
import sys
import warnings

import numpy as np
from scipy.stats import binom
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve
from sklearn.utils import shuffle
from statsmodels.stats.contingency_tables import mcnemar

warnings.filterwarnings("ignore")


def curves(case, y, proba, k):
    positive, p = y == k, proba[:, k]
    precision, recall, threshold = precision_recall_curve(positive, p)
    fpr, tpr, _ = roc_curve(positive, p, drop_intermediate=False)
    return {
        "case": case, "label": str(k),
        # without the last point (recall 0), and by falling threshold
        "precision": precision[:-1][::-1].tolist(), "recall": recall[:-1][::-1].tolist(), "threshold": threshold[::-1].tolist(),
        "average_precision": float(average_precision_score(positive, p)), "auc": float(roc_auc_score(positive, p)),
        # where the curve is upright, its upper end
        "tpr_at": [float(max(np.interp(x, fpr, tpr), tpr[fpr <= x].max())) for x in np.linspace(0, 1, 11)],
    }


def quotient(a, b):
    return np.divide(a, b, out=np.zeros(a.shape), where=b > 0)


def bootstrap(rng, confusion, draws=200000):
    m = np.array(confusion)
    n = m.sum()
    drawn = rng.multinomial(n, m.ravel() / n, size=draws).reshape(draws, *m.shape)
    right, actual, predicted = np.diagonal(drawn, axis1=1, axis2=2), drawn.sum(2), drawn.sum(1)
    f1, recall = quotient(2 * right, actual + predicted), quotient(right, actual)
    q = lambda v: np.quantile(v, [.025, .975]).tolist()
    return {
        "confusion": confusion,
        "accuracy": q(right.sum(1) / n),
        "balanced_accuracy": q(recall.sum(1) / (actual > 0).sum(1)),
        "macro_f1": q(f1.sum(1) / (actual + predicted > 0).sum(1)),
        "weighted_f1": q((f1 * actual).sum(1) / n),
        "f1": [q(f1[:, k]) for k in range(len(m))],
        # resampled accuracy is binomial
        "accuracy_exact": (binom.ppf([.025, .975], n, np.trace(m) / n) / n).tolist(),
    }


out = {"curves": [], "mcnemar": [], "bootstrap": []}
for case, c in enumerate(json.load(open(sys.argv[1]))):
    y, proba = np.array(c["y"]), np.array(c["proba"])
    out["curves"] += [curves(case, y, proba, k) for k in range(proba.shape[1])]
for a, b in [(0, 0), (1, 0), (0, 5), (10, 10), (25, 10), (59, 6), (121, 59), (3, 997), (1000, 1100), (40000, 40500)]:
    out["mcnemar"].append({"first": a, "second": b, "p": float(mcnemar([[0, a], [b, 0]], exact=True).pvalue)})
rng = np.random.default_rng(0)
for confusion in [[20, 5], [3, 12]], [[50, 2, 0], [4, 30, 6], [1, 1, 2]]:
    out["bootstrap"].append(bootstrap(rng, confusion))
out["shuffled"] = shuffle(list(range(20)), random_state=3)
json.dump(out, sys.stdout, separators=(",", ":"))
