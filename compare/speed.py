"""Times commands side by side: each command once in turn, so often, so that what else
the machine does falls on all of them. Prints tables of medians, spread, and ratios to
`wc -w` on the same file. Called by compare/run."""

import argparse
import csv
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

csv.field_size_limit(1 << 30)


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--data", required=True)
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--megabytes", type=int, default=100)
    p.add_argument("--grid", action="store_true", help="also run scikit-learn's GridSearchCV, which takes ten minutes")
    return p.parse_args()


def once(command):
    """Runs a command and returns its wall time, CPU time and peak memory in MB, which is
    never less than this program's own, from which the command is started."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {errors.decode()}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(commands, runs):
    """Returns by name the wall times, CPU times and peak memories of commands."""
    results = {name: [] for name, _ in commands}
    for _ in range(runs):
        for name, command in commands:
            results[name].append(once(command))
    return results


def table(title, commands, runs, size, base="wc -w"):
    results = measure(commands, runs)
    unit = statistics.median(r[0] for r in results[base])
    print(f"\n### {title}\n")
    print(f"| command | wall, median (least to most) | ratio to {base} | MB/s | CPU | peak memory |")
    print("|---|---|---|---|---|---|")
    for name, _ in commands:
        wall = [r[0] for r in results[name]]
        median = statistics.median(wall)
        cpu = statistics.median(r[1] for r in results[name])
        memory = max(r[2] for r in results[name])
        print(f"| {name} | {median:.2f} s ({min(wall):.2f} to {max(wall):.2f}) | {median / unit:.2f} | {size / 1e6 / median:.0f} | {cpu:.2f} s | {memory:.0f} MB |")
    sys.stdout.flush()
    return results


def repeated(source, target, size):
    """Writes a table over and over, its header once, until it has so many bytes."""
    with open(source, "rb") as f:
        header = f.readline()
        body = f.read()
    if not body.endswith(b"\n"):
        body += b"\n"
    with open(target, "wb") as f:
        f.write(header)
        for _ in range(max(1, round(size / len(body)))):
            f.write(body)
    return target


def fasttext_file(source, target):
    with open(source, encoding="utf-8", newline="") as f, open(target, "w", encoding="utf-8") as out:
        for row in csv.DictReader(f):
            words = " ".join(re.findall(r"\w+|[^\w\s]", row["text"].lower()))
            out.write(f"__label__{row['label'].replace(' ', '_')} {words}\n")
    return target


SKLEARN = """
import csv, sys
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
csv.field_size_limit(1 << 30)
d = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline="")))
v = CountVectorizer()
MultinomialNB().fit(v.fit_transform(r["text"] for r in d), [r["label"] for r in d])
"""

GRID = """
import csv, sys, numpy
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.model_selection import GridSearchCV, StratifiedKFold
csv.field_size_limit(1 << 30)
d = list(csv.DictReader(open(sys.argv[1], encoding="utf-8", newline="")))
alphas = numpy.geomspace(0.001, 10, 20)
folds = StratifiedKFold(5, shuffle=True, random_state=1)
grid = [{"m": [MultinomialNB(), ComplementNB(), BernoulliNB()], "m__alpha": alphas}]
from sklearn.pipeline import Pipeline
GridSearchCV(Pipeline([("v", CountVectorizer()), ("m", MultinomialNB())]), grid, cv=folds, n_jobs=-1, refit=False).fit([r["text"] for r in d], [r["label"] for r in d])
"""


def version(command, pattern=r"[0-9]+\.[0-9.]+"):
    try:
        out = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "absent"
    found = re.search(pattern, out.stdout + out.stderr)
    return found.group(0) if found else "present"


def main():
    a = arguments()
    path = lambda name: os.path.join(a.work, name)
    data = lambda name: os.path.join(a.data, name)
    for name, text in (("sk.py", SKLEARN), ("grid.py", GRID)):
        with open(path(name), "w") as f:
            f.write(text)
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; Go {version(['go', 'version'])}; Python {platform.python_version()}, "
          f"scikit-learn {version([sys.executable, '-c', 'import sklearn; print(sklearn.__version__)'])}; "
          f"coreutils {version(['wc', '--version'])}; {a.runs} runs of each command, in turn.")

    big = repeated(data("20news/train.csv"), path("big.csv"), a.megabytes * 1e6)
    size = os.path.getsize(big)
    train = [a.bayes, "train", "-q", "-o", path("m.nb")]
    table(f"Training, 20news repeated to {size / 1e6:.0f} MB", [
        ("wc -w", ["wc", "-w", big]),
        ("bayes train", train + [big]),
        ("bayes train --workers 1", train + [big, "--workers", "1"]),
        ("bayes train --ngrams 1-2", train + [big, "--ngrams", "1-2"]),
    ], a.runs, size)
    for name in ("nsmc", "livedoor"):
        file = data(f"{name}/train.csv")
        table(f"Training, {name}", [("wc -w", ["wc", "-w", file]), ("bayes train", train + [file])], a.runs, os.path.getsize(file))

    news = data("20news/train.csv")
    commands = [("bayes train --workers 1", train + [news, "--workers", "1"]), ("bayes train", train + [news]),
                ("scikit-learn CountVectorizer, MultinomialNB", [sys.executable, path("sk.py"), news])]
    if shutil.which("fasttext"):
        ft = fasttext_file(news, path("ft.txt"))
        commands.append(("fastText supervised, 5 epochs, 2 threads", ["fasttext", "supervised", "-input", ft, "-output", path("ft"), "-thread", "2"]))
    table("Training, 20news, whole process", commands, a.runs, os.path.getsize(news), base="bayes train")

    print("\n### Doubling the input\n\n| input | wall, median | MB/s | peak memory |\n|---|---|---|---|")
    for factor in (0.5, 1, 2, 4, 20):
        part = repeated(data("20news/train.csv"), path("part.csv"), factor * a.megabytes * 1e6)
        r = measure([("t", train + [part])], max(3, a.runs // 2) if factor < 20 else 1)["t"]
        median, n = statistics.median(x[0] for x in r), os.path.getsize(part)
        print(f"| {n / 1e6:.0f} MB | {median:.2f} s | {n / 1e6 / median:.0f} | {max(x[2] for x in r):.0f} MB |")
        os.remove(part)

    test = data("nsmc/test.csv")
    subprocess.run(train + [data("nsmc/train.csv")], check=True)
    subprocess.run([a.bayes, "freeze", "-q", path("m.nb"), "-o", path("f.nb")], check=True)
    table("Prediction, 50,000 documents of nsmc", [
        ("wc -w", ["wc", "-w", test]),
        ("bayes predict, a model", [a.bayes, "predict", path("m.nb"), test]),
        ("bayes predict, frozen", [a.bayes, "predict", path("f.nb"), test]),
    ], a.runs, os.path.getsize(test))

    print("\n### 5-fold cross-validation of 60 models\n")
    print("20 smoothings of multinomial, complement and Bernoulli: `go test -bench Select ./eval`.\n")
    if a.grid:
        wall, cpu, _ = once([sys.executable, path("grid.py"), news])
        print(f"scikit-learn's GridSearchCV on 20news, on all cores, once: {wall:.0f} s, {cpu:.0f} s of CPU.\n")
    env = dict(os.environ, BAYES_DATA=os.path.abspath(a.data))
    out = subprocess.run(["go", "test", "-run", "xxx", "-bench", "Select", "-benchtime", "3x", "./eval"], capture_output=True, text=True, env=env)
    print("```\n" + "\n".join(l for l in out.stdout.splitlines() if l.startswith("Benchmark")) + "\n```")

    mail = os.path.join(a.data, "spamassassin")
    if shutil.which("bogofilter") and os.path.isdir(mail):
        bogofilter(a, mail, path)


def bogofilter(a, mail, path):
    folders = sorted(f for f in os.listdir(mail) if os.path.isdir(os.path.join(mail, f)))
    spam = [f for f in folders if "spam" in f]
    ham = [f for f in folders if f not in spam]
    size = sum(os.path.getsize(os.path.join(r, f)) for r, _, fs in os.walk(mail) for f in fs)
    script = path("bogo.sh")
    with open(script, "w") as f:
        f.write("set -e\nd=$(mktemp -d)\n")
        for flag, names in (("-s", spam), ("-n", ham)):
            for name in names:
                f.write(f"find {os.path.join(os.path.abspath(mail), name)} -type f | bogofilter -d $d {flag} -b\n")
        f.write("rm -rf $d\n")
    table("Training, SpamAssassin's mails", [
        ("bayes train", [a.bayes, "train", "-q", mail, "--format", "dir", "--encoding", "latin1", "-o", path("s.nb")]),
        ("bogofilter", ["bash", script]),
    ], a.runs, size, base="bayes train")


if __name__ == "__main__":
    main()
