"""Writes liblinear.json: small problems, and what liblinear makes of them.

    python -m venv VENV && VENV/bin/pip install scikit-learn
    VENV/bin/python internal/svm/testdata/liblinear.py > internal/svm/testdata/liblinear.json

scikit-learn's LinearSVC is liblinear, one class against the rest, the intercept the weight of a
feature of value 1. Values are multiples of 1/64, so that they are the same in float32.
"""

import json

import numpy as np
from sklearn.svm import LinearSVC

random = np.random.default_rng(22)


def objectives(x, y, w, c, weight):
    margin = 1 - y * (x @ w[:-1] + w[-1])
    return 0.5 * w @ w + c * weight @ np.maximum(0, margin) ** 2


def problem(name, rows, features, classes, density=0.2, weights=None, strengths=(0.01, 1, 100)):
    y = np.arange(rows) % classes
    signal = random.normal(size=(classes, features))
    x = random.normal(size=(rows, features)) + signal[y]
    x[random.random(x.shape) > density] = 0
    x = np.round(x * 16) / 64
    weight = np.ones(rows) if weights is None else random.choice(weights, rows)
    fits = []
    for c in strengths:
        m = LinearSVC(loss="squared_hinge", dual=True, tol=1e-10, C=c, max_iter=10_000_000, random_state=0)
        m.fit(x, y, sample_weight=weight)
        w = np.hstack([m.coef_, m.intercept_[:, None]])
        ours = [np.where(y == (1 if classes == 2 else k), 1.0, -1.0) for k in range(len(w))]
        fits.append({
            "strength": c,
            "objectives": [objectives(x, ours[k], w[k], c, weight) for k in range(len(w))],
            "weights": [[float(f"{v:.8g}") for v in row] for row in w],
        })
    return {
        "name": name, "features": features, "classes": classes, "class": y.tolist(), "weight": weight.tolist(),
        "rows": [[[int(f), float(row[f])] for f in np.flatnonzero(row)] for row in x], "fits": fits,
    }


problems = [
    problem("two", 60, 25, 2),
    problem("two, dense", 40, 6, 2, density=1),
    problem("three", 60, 20, 3),
    problem("eight", 64, 15, 8, strengths=(1,)),
    problem("nine", 63, 15, 9, strengths=(1,)),
    problem("twenty", 80, 12, 20, strengths=(0.01, 1)),
    problem("weighted", 60, 25, 2, weights=[0, 0.5, 1, 20]),
    problem("weighted, three", 60, 12, 3, weights=[0, 1, 3], strengths=(1,)),
    problem("wide", 20, 200, 2, density=0.1, strengths=(0.1, 1, 10)),
]
for i, p in enumerate(problems):
    print("[" if i == 0 else ",", json.dumps(p, separators=(",", ":")), sep="")
print("]")
