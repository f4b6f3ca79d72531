"""Label errors found by bayes audit where documents have several labels, and by plain probabilities held out.

Of a training file a share of the labels that rows have are changed: half of them are taken away, and as many are given
to rows that lack them, drawn evenly from all labels, or as often as they occur. Then each says how doubtful a row is: by
the one label whose presence or absence is most doubtful. Measured are the area under the ROC curve of that, the precision
at as many rows as were changed, and the precision at as many labels of rows as were changed. Means of the seeds, with the standard error
of the difference to bayes audit.

Plain probabilities are those of bayes train, of five folds, one label against the rest: naive Bayes with a smoothing of 1 and of 0.2,
and corrected.

    python compare/audit_sets.py --bayes ./bayes --data ../shared/data/reuters/train.csv

where `go build ./cmd/bayes` makes the program.
"""
import argparse
import csv
import json
import os
import random
import statistics
import subprocess
import tempfile

csv.field_size_limit(1 << 30)
PLAIN = {
    "naive Bayes, five folds": ["--correct=false"],
    "naive Bayes, smoothing 0.2, five folds": ["--alpha", "0.2"],
    "corrected, five folds": ["--correct", "--label-cutoffs", "none"],
}


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        return [(set(r["labels"].split()), r["text"]) for r in csv.DictReader(f)]


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(["label", "text"])
        w.writerows((" ".join(sorted(labels)) or " ", text) for labels, text in rows)


def change(rows, share, evenly, seed):
    """Returns rows with other labels, and the pairs of a row and a label that were changed."""
    rng = random.Random(seed)
    given = [(i, label) for i, (labels, _) in enumerate(rows) for label in sorted(labels)]
    labels = sorted({label for _, label in given})
    each = round(share * len(given) / 2)
    changed = set(rng.sample(given, each))
    while len(changed) < 2 * each:
        i, label = rng.randrange(len(rows)), rng.choice(labels) if evenly else rng.choice(given)[1]
        if label not in rows[i][0]:
            changed.add((i, label))
    other = [(set(labels), text) for labels, text in rows]
    for i, label in changed:
        other[i][0].symmetric_difference_update({label})
    return other, changed


def lines(*command):
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def audited(bayes, folder, rows):
    """Returns how doubtful pairs are: of each row those that the audit names."""
    path = os.path.join(folder, "rows.csv")
    write(path, rows)
    found = lines(bayes, "audit", path, "--label-separator", " ", "--json", "--quiet")
    return {(r["row"] - 1, c["label"]): c["log_odds"] for r in found for c in r["changes"]}


def plain(bayes, folder, rows, flags):
    """Returns how doubtful pairs are by the log-odds of five folds."""
    doubts, order = {}, list(range(len(rows)))
    random.Random(0).shuffle(order)
    train, test, model = (os.path.join(folder, name) for name in ("train.csv", "test.csv", "m.nb"))
    for fold in range(5):
        held = order[fold::5]
        out = set(held)
        write(train, [r for i, r in enumerate(rows) if i not in out])
        write(test, [rows[i] for i in held])
        subprocess.run([bayes, "train", train, "--label-separator", " ", "-o", model, "--quiet", "--force", *flags], check=True)
        for i, p in zip(held, lines(bayes, "predict", model, test, "--json", "--quiet"), strict=True):
            for label, odds in p["log_joint"].items():
                doubts[i, label] = -odds if label in rows[i][0] else odds
    return doubts


def figures(doubts, n, changed):
    """Returns the area and the precision of rows, and the precision of pairs."""
    of_row = [-1e9] * n
    for (i, _), v in doubts.items():
        of_row[i] = max(of_row[i], v)
    wrong = {i for i, _ in changed}
    order = sorted(range(n), key=lambda i: of_row[i])
    ranks, at = 0.0, 0
    while at < n:  # equal ones share their ranks
        end = at
        while end < n and of_row[order[end]] == of_row[order[at]]:
            end += 1
        ranks += (at + end + 1) / 2 * sum(i in wrong for i in order[at:end])
        at = end
    m = len(wrong)
    area = (ranks - m * (m + 1) / 2) / (m * (n - m))
    top = sorted(doubts, key=lambda pair: (-doubts[pair], pair))[: len(changed)]
    return area, sum(i in wrong for i in order[-m:]) / m, sum(pair in changed for pair in top) / len(changed)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", required=True)
    p.add_argument("--data", required=True)
    p.add_argument("--share", type=float, default=0.05)
    p.add_argument("--seeds", type=int, nargs="+", default=[11, 12, 13, 14, 15])
    a = p.parse_args()
    rows = read(a.data)
    print("| labels given are drawn | | area | precision, rows | precision, labels |\n|---|---|---:|---:|---:|")
    for evenly in (True, False):
        results = {}
        for seed in a.seeds:
            other, changed = change(rows, a.share, evenly, seed)
            with tempfile.TemporaryDirectory() as folder:
                results.setdefault("bayes audit", []).append(figures(audited(a.bayes, folder, other), len(rows), changed))
                for name, flags in PLAIN.items():
                    results.setdefault(name, []).append(figures(plain(a.bayes, folder, other, flags), len(rows), changed))
        best = results["bayes audit"]
        for name, list_ in results.items():
            cells = []
            for k in range(3):
                cell = f"{statistics.mean(r[k] for r in list_):.4f}"
                if name != "bayes audit" and len(list_) > 1:
                    ahead = [b[k] - r[k] for b, r in zip(best, list_)]
                    cell += f" ({statistics.mean(ahead):+.4f} ± {statistics.stdev(ahead) / len(ahead) ** 0.5:.4f})"
                cells.append(cell)
            print("|", "evenly" if evenly else "as they occur", "|", name, "|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
