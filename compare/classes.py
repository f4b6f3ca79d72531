"""Measures what the number of classes costs, and writes a table. Called by
compare/classes.

There are always a million texts of 12 words, of 10 classes or of 100,000: the file that
`wc -w` reads is of one size, so what differs from line to line is the classes alone. The
commands of a size run in turn, each once, and that several times. What does not end
within a limit of time and memory is stopped, and the table says at which of the two.
A command that takes longer than --once runs a single time.
"""

import argparse
import csv
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from speed import version

# The multinomial model of scikit-learn, with whatever keeps it small: fit() would make an
# array of documents × classes, so partial_fit is given as many documents as make one of
# 400 MB. What it cannot do without is its table of terms × classes.
SKLEARN = """
import csv, pickle, sys
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
what, model, table = sys.argv[1:]
d = list(csv.DictReader(open(table, encoding="utf-8", newline="")))
texts = [r["text"] for r in d]
if what == "train":
    vectorizer = CountVectorizer()
    x, y = vectorizer.fit_transform(texts), [r["label"] for r in d]
    classes, nb = sorted(set(y)), MultinomialNB()
    step = max(1000, 50_000_000 // len(classes))
    for i in range(0, len(y), step):
        nb.partial_fit(x[i:i + step], y[i:i + step], classes=classes)
    with open(model, "wb") as f:
        pickle.dump((vectorizer, nb), f, protocol=5)
else:
    with open(model, "rb") as f:
        vectorizer, nb = pickle.load(f)
    for i in range(0, len(texts), 1000):
        print("\\n".join(nb.predict(vectorizer.transform(texts[i:i + 1000]))))
"""


def arguments():
    p = argparse.ArgumentParser(prog="compare/classes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--work", required=True, help=argparse.SUPPRESS)
    p.add_argument("--classes", default="10,100,1000,10000,100000", help="sizes, with commas between")
    p.add_argument("--documents", type=int, default=1_000_000)
    p.add_argument("--held-out", type=int, default=2000)
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--once", type=float, default=60, metavar="SECONDS", help="what takes longer runs a single time")
    p.add_argument("--seconds", type=float, default=600, help="the limit of time of a command")
    p.add_argument("--gigabytes", type=float, default=10, help="the limit of its memory")
    p.add_argument("--only", default="bayes,scikit-learn,fastText hs,fastText ova", help="programs, with commas between")
    p.add_argument("--fasttext", default="-lr 0.1 -epoch 5 -dim 50 -thread 2", help="its settings up to 1,000 classes: of those tried the most accurate")
    p.add_argument("--fasttext-many", default="-lr 0.5 -epoch 20 -dim 50 -thread 2", help="its settings for more, which it learns hardly anything of in 5 epochs")
    p.add_argument("--ova", type=int, default=1000, metavar="CLASSES", help="up to how many one-against-all is measured")
    p.add_argument("--json", metavar="FILE", help="write all figures here")
    return p.parse_args()


class Limits:
    def __init__(self, seconds, gigabytes):
        self.seconds, self.bytes = seconds, gigabytes * 1e9

    def run(self, command, out):
        """Runs a command and returns its figures. A command that is over a limit is killed,
        and "stopped" says why. Memory is watched every 20 ms, since a limit of addresses
        would count what Go reserves and never uses."""
        start = time.perf_counter()
        with open(out, "wb") as f, open(out + ".err", "wb") as errors:
            process = subprocess.Popen(command, stdout=f, stderr=errors)
            stopped = None
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                seconds = time.perf_counter() - start
                if pid:
                    break
                if stopped is None and seconds > self.seconds:
                    stopped = f"stopped after {self.seconds:.0f} s"
                    process.kill()
                elif stopped is None and resident(process.pid) > self.bytes:
                    stopped = f"stopped at {self.bytes / 1e9:.3g} GB"
                    process.kill()
                time.sleep(0.002 if seconds < 2 else 0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        figures = {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024}
        if stopped is None and process.returncode != 0:
            with open(out + ".err", encoding="utf-8", errors="replace") as f:
                said = f.read().strip().splitlines()
            stopped = "failed: " + (said[-1] if said else f"exit {process.returncode}")
        if stopped:
            figures["stopped"] = stopped
        return figures


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


class Program:
    """What is measured of a program: how it trains, answers a first document, and many."""

    def __init__(self, name, train, first, predict, model, label=lambda line: line, extra=None):
        self.name, self.model, self.label = name, model, label
        self.steps = [("train", train), ("first", first), ("predict", predict)]
        if extra:
            self.steps += extra
        self.runs = {step: [] for step, _ in self.steps}
        self.stopped = None


def programs(a, path, classes):
    bayes, m = path("bayes"), path("m.nb")
    made = [Program(
        "bayes", [bayes, "train", "-q", path("train.csv"), "-o", m, "--force"],
        [bayes, "predict", "-q", m, path("first.csv")], [bayes, "predict", "-q", m, path("test.csv")], m,
        lambda line: line.split("\t")[0],
        [("test", [bayes, "test", "-q", "--json", m, path("test.csv")]), ("inside", [path("inside"), m, path("test.csv")])])]
    sk = lambda what, table: [sys.executable, path("sk.py"), what, path("m.pickle"), path(table)]
    made.append(Program("scikit-learn", sk("train", "train.csv"), sk("predict", "first.csv"), sk("predict", "test.csv"), path("m.pickle")))
    for loss in ("hs", "ova"):
        if shutil.which("fasttext") and (loss == "hs" or classes <= a.ova):
            ft = path("ft-" + loss)
            made.append(Program(
                "fastText " + loss,
                ["fasttext", "supervised", "-input", path("train.txt"), "-output", ft, "-loss", loss, "-verbose", "0"] + shlex.split(a.fasttext if classes <= 1000 else a.fasttext_many),
                ["fasttext", "predict", ft + ".bin", path("first.txt")], ["fasttext", "predict", ft + ".bin", path("test.txt")], ft + ".bin",
                lambda line: line.removeprefix("__label__")))
    only = [name.strip() for name in a.only.split(",")]
    return [p for p in made if p.name in only]


def measure(a, path, classes):
    """Returns the figures of one size."""
    subprocess.run([path("texts"), "--classes", str(classes), "--documents", str(a.documents), "--held-out", str(a.held_out), a.work], check=True)
    with open(path("about.json")) as f:
        about = json.load(f)
    limits, wc, list_ = Limits(a.seconds, a.gigabytes), [], programs(a, path, classes)
    about["bytes"] = os.path.getsize(path("train.csv"))
    for run in range(a.runs):
        wc.append(limits.run(["wc", "-w", path("train.csv")], path("out")))
        for p in list_:
            for step, command in p.steps:
                done = p.runs[step]
                if run and (p.stopped or any(r["seconds"] > a.once or "stopped" in r for r in done)):
                    continue
                if p.stopped and step != "train":
                    continue
                print(f"{classes} classes, run {run + 1}: {p.name}, {step}", file=sys.stderr)
                r = limits.run(command, path(f"{p.name} {step}"))
                done.append(r)
                if step == "train" and "stopped" in r:
                    p.stopped = r["stopped"]
                if step == "inside" and "stopped" not in r:
                    with open(path(f"{p.name} {step}")) as f:
                        r["inside"] = json.load(f)
    return {"about": about, "wc": wc, "programs": {p.name: figures(p, path) for p in list_}}


def figures(p, path):
    """Returns what was measured of a program, with the size of its model and how many of
    the held-out texts got the right label."""
    out = {"runs": p.runs}
    if os.path.exists(p.model):
        if not p.stopped:
            out["file"] = os.path.getsize(p.model)
        os.remove(p.model)
    done = p.runs["predict"]
    if done and "stopped" not in done[-1]:
        with open(path("test.csv"), encoding="utf-8", newline="") as f:
            truth = [r["label"] for r in csv.DictReader(f)]
        with open(path(p.name + " predict"), encoding="utf-8") as f:
            got = [p.label(line.rstrip("\n")) for line in f]
        if len(got) != len(truth):
            sys.exit(f"{p.name}: {len(got)} answers to {len(truth)} documents")
        out["right"] = sum(x == y for x, y in zip(truth, got))
    return out


def stopped(runs):
    return next((r["stopped"] for r in runs if "stopped" in r), None)


def spread(values, form, unit=""):
    """Returns the median with the least and the most of several values."""
    if not values:
        return "–"
    text = form(statistics.median(values)) + unit
    if len(values) > 1:
        text += f" ({form(min(values))} to {form(max(values))})"
    return text


def digits(v):
    return f"{v:.3g}" if v < 1000 else f"{v:,.0f}"


def of(runs, key="seconds", form=digits, unit=" s"):
    return stopped(runs) or spread([r[key] for r in runs], form, unit)


def megabytes(v):
    return f"{v / 1e6:,.0f}" if v >= 1e7 else f"{v / 1e6:.1f}"


def share(right, n):
    """Returns a share and half the width of its 95 % interval (Wilson 1927)."""
    z, p = 1.96, right / n
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    return f"{p:.3f} ± {half:.3f}"


def each(runs, n):
    """Returns what each text after the first takes, beyond what both commands do once."""
    if stopped(runs["first"]) or stopped(runs["predict"]):
        return "–"
    texts = [(p["seconds"] - f["seconds"]) / (n - 1) * 1e6 for f, p in zip(runs["first"], runs["predict"])]
    return spread(texts, digits, " µs") if min(texts) > 0 else "–"


def table(sizes):
    print("| classes | program | runs | training | ÷ `wc -w` | peak memory | model file | first answer | predicting | a text | peak memory | accuracy |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for s in sizes:
        n = s["about"]["held_out"]
        for name, p in s["programs"].items():
            r = p["runs"]
            cells = [f"{s['about']['classes']:,}", name, str(len(r["train"])), of(r["train"])]
            if stopped(r["train"]):
                cells += ["–", megabytes(max(x["peak"] for x in r["train"])) + " MB"] + ["–"] * 6
            else:
                ratio = [x["seconds"] / w["seconds"] for x, w in zip(r["train"], s["wc"])]
                cells += [spread(ratio, digits), spread([x["peak"] for x in r["train"]], megabytes, " MB"), megabytes(p["file"]) + " MB",
                          of(r["first"]), of(r["predict"]), each(r, n), of(r["predict"], "peak", megabytes, " MB"), share(p["right"], n) if "right" in p else "–"]
            print("| " + " | ".join(cells) + " |")


def inside(sizes):
    print("| classes | runs | terms | cells | cells visited by a text | opens (counts, model) | a text, one core | per cell and class visited | counts | model | model ÷ counts | bytes a cell | bayes test |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for s in sizes:
        about, p = s["about"], s["programs"].get("bayes")
        if not p:
            continue
        runs = p["runs"]["inside"]
        m = [r["inside"] for r in runs if "inside" in r]
        cells = [f"{about['classes']:,}", str(len(runs)), f"{about['terms']:,}", f"{about['cells']:,}", f"{about['visited']:,.0f}"]
        if m:
            texts = [statistics.median(x["ns_per_document"]) for x in m]
            visited = about["visited"] + about["classes"]
            cells += [spread([x["load_seconds"] for x in m], digits) + " s, " + spread([x["fit_seconds"] + x["first_seconds"] for x in m], digits) + " s",
                      spread([t / 1000 for t in texts], digits, " µs"), spread([t / visited for t in texts], digits, " ns"),
                      spread([x["counts_bytes"] for x in m], megabytes, " MB"), spread([x["model_bytes"] for x in m], megabytes, " MB"),
                      spread([x["model_bytes"] / x["counts_bytes"] for x in m], digits), digits(statistics.median(x["counts_bytes"] for x in m) / about["cells"])]
        else:
            cells += [stopped(runs) or stopped(p["runs"]["train"]) or "–"] + ["–"] * 6
        print("| " + " | ".join(cells + [of(p["runs"]["test"])]) + " |")


def main():
    a = arguments()
    path = lambda name: os.path.join(a.work, name)
    with open(path("sk.py"), "w") as f:
        f.write(SKLEARN)
    machine = (f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; Go {version(['go', 'version'])}; Python {platform.python_version()}, "
               f"scikit-learn {version([sys.executable, '-c', 'import sklearn; print(sklearn.__version__)'])}; fastText `{a.fasttext}`, over more than 1,000 classes `{a.fasttext_many}`")
    sizes = []
    for classes in (int(c) for c in a.classes.split(",")):
        sizes.append(measure(a, path, classes))
        if a.json:
            with open(a.json, "w") as f:
                json.dump({"machine": machine, "limits": {"seconds": a.seconds, "gigabytes": a.gigabytes}, "sizes": sizes}, f, indent=1)
                f.write("\n")
    about = sizes[0]["about"]
    print(f"{machine}.\n")
    print(f"{about['documents']:,} texts of {about['words']} words, {about['held_out']:,} held out. Medians, with the least and the most of the runs, "
          f"one command after the other. A command is stopped after {a.seconds:.0f} s or at {a.gigabytes:g} GB.\n")
    wc = [r["seconds"] for s in sizes for r in s["wc"]]
    print(f"`wc -w` of the {megabytes(about['bytes'])} MB: {spread(wc, digits)} s, {len(wc)} runs.\n")
    table(sizes)
    print("\nIn bayes' own process:\n")
    inside(sizes)


if __name__ == "__main__":
    main()
