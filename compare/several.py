"""Several labels a document, beside scikit-learn: Reuters-21578, ModApte, 90 topics.

    python compare/several.py DIR [bayes]

DIR has train.csv and test.csv, with the columns labels and text; labels are separated by spaces. Thresholds of
LinearSVC are those of the best F1 of each label in cross-validation on train.csv. Nothing is chosen by test.csv.
"""
import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

csv.field_size_limit(1 << 30)
folder = Path(sys.argv[1])
program = sys.argv[2] if len(sys.argv) > 2 else "bayes"


def read(name):
    with open(folder / name, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    return [r["text"] for r in rows], [r["labels"].split() for r in rows]


texts, labels = read("train.csv")
test_texts, test_labels = read("test.csv")
binarizer = MultiLabelBinarizer().fit(labels + test_labels)
train, test = binarizer.transform(labels), binarizer.transform(test_labels)


def show(name, predicted, seconds):
    micro = f1_score(test, predicted, average="micro", zero_division=0)
    macro = f1_score(test, predicted, average="macro", zero_division=0)
    print(f"{name:55} {micro:.4f}  {macro:.4f}  {accuracy_score(test, predicted):.4f}  {seconds:7.2f} s", flush=True)


def fitted(name, vectorizer, model):
    start = time.time()
    x = vectorizer.fit_transform(texts)
    model = OneVsRestClassifier(model).fit(x, train)
    show(name, model.predict(vectorizer.transform(test_texts)), time.time() - start)
    return model, vectorizer


def best_cutoff(scores, truth):
    order = np.argsort(-scores, kind="stable")
    found, given = np.cumsum(truth[order]), np.arange(1, len(order) + 1)
    f1 = 2 * found / (given + truth.sum())
    best = int(np.argmax(f1))
    if f1[best] == 0:
        return 0.0
    ranked = scores[order]
    return (ranked[best] + ranked[min(best + 1, len(ranked) - 1)]) / 2


def bayes(name, *flags):
    with tempfile.TemporaryDirectory() as folder_of_model:
        model = f"{folder_of_model}/m.nb"
        start = time.time()
        subprocess.run([program, "train", str(folder / "train.csv"), "--label", "labels", "--label-separator", " ",
                        "-o", model, "--quiet", *flags], check=True)
        seconds = time.time() - start
        out = subprocess.run([program, "test", model, str(folder / "test.csv"), "--json"], check=True, capture_output=True)
        r = json.loads(out.stdout)
        print(f"{name:55} {r['micro_f1']:.4f}  {r['macro_f1']:.4f}  {r['subset_accuracy']:.4f}  {seconds:7.2f} s", flush=True)


print(f"{'':55} micro   macro   subset   training")
bayes("bayes train")
bayes("bayes train --correct=false", "--correct=false")
bayes("bayes train --alpha 0.01 --label-cutoffs f1", "--alpha", "0.01", "--label-cutoffs", "f1")
fitted("MultinomialNB", CountVectorizer(), MultinomialNB())
fitted("MultinomialNB alpha=.01", CountVectorizer(), MultinomialNB(alpha=.01))
fitted("BernoulliNB", CountVectorizer(), BernoulliNB())
model, vectorizer = fitted("LinearSVC, tf-idf", TfidfVectorizer(sublinear_tf=True), LinearSVC())
fitted("LinearSVC, tf-idf, words 1-2", TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)), LinearSVC())

start = time.time()
scores = np.zeros(train.shape)
for kept, held in KFold(5, shuffle=True, random_state=1).split(texts):
    v = TfidfVectorizer(sublinear_tf=True)
    part = OneVsRestClassifier(LinearSVC()).fit(v.fit_transform([texts[i] for i in kept]), train[kept])
    scores[held] = part.decision_function(v.transform([texts[i] for i in held]))
cutoffs = np.array([best_cutoff(scores[:, k], train[:, k]) for k in range(train.shape[1])])
predicted = model.decision_function(vectorizer.transform(test_texts)) >= cutoffs
show("LinearSVC, tf-idf, thresholds from held-out examples", predicted.astype(int), time.time() - start)
