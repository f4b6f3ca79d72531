"""Runs an old and a new build of the same commands and benchmarks in turn, and prints the
ratio new/old of each: its median over the pairs, and a 95 % interval of that median by
the bootstrap. Called by compare/pairs."""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import time

# Commands, as whole processes. MODEL and FROZEN are made first, by the old build.
COMMANDS = [
    "train 20news/train.csv -o OUT",
    "train --workers 1 20news/train.csv -o OUT",
    "train --ngrams 1-2 20news/train.csv -o OUT",
    "train nsmc/train.csv -o OUT",
    "train livedoor/train.csv -o OUT",
    "predict MODEL nsmc/test.csv",
    "predict FROZEN nsmc/test.csv",
    "test MODEL nsmc/test.csv",
    "cv 20news/train.csv",
]

# Benchmarks: the test binary, the pattern, and how long one run takes.
BENCHMARKS = [
    ("bayes", "^BenchmarkPredict$", "0.3s"),
    ("bayes", "^BenchmarkOpen$", "0.3s"),
    ("eval", "^BenchmarkSelect$", "2x"),
]


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--work", required=True)
    p.add_argument("--data", required=True)
    p.add_argument("--pairs", type=int, default=15)
    p.add_argument("--only", default="", help="only what matches this regular expression")
    return p.parse_args()


def wall(command):
    """Returns the seconds that a command takes."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    return seconds


def benchmark(binary, pattern, length, folder, data):
    """Runs benchmarks once and returns nanoseconds per operation by name."""
    done = subprocess.run([binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", length],
                          cwd=folder, env=os.environ | {"BAYES_DATA": data}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{binary}: {done.stdout}{done.stderr}")
    return {m[1]: float(m[2]) for m in re.finditer(r"^(Benchmark\S+)\s+\d+\s+([0-9.]+) ns/op", done.stdout, re.M)}


def interval(ratios, draws=10_000):
    """Returns the 2.5 and 97.5 percentiles of the median of ratios drawn with replacement."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(draws))
    return medians[int(0.025 * draws)], medians[int(0.975 * draws)]


def report(name, old, new):
    ratios = [n / o for o, n in zip(old, new)]
    low, high = interval(ratios)
    print(f"| {name} | {statistics.median(ratios):.3f} | {low:.3f} to {high:.3f} | {'yes' if low <= 1.03 else 'no'} |")
    sys.stdout.flush()


def main():
    a = arguments()
    binary = {side: os.path.join(a.work, "bayes-" + side) for side in ("old", "new")}
    names = {name: os.path.join(a.work, name.lower() + ".nb") for name in ("MODEL", "FROZEN", "OUT")}

    def spelled(line):
        return [names.get(w) or (os.path.join(a.data, w) if w.endswith(".csv") else w) for w in line.split()]

    wall([binary["old"]] + spelled("train -q nsmc/train.csv -o MODEL"))
    wall([binary["old"]] + spelled("freeze -q MODEL -o FROZEN"))
    print(f"{a.pairs} pairs, old and new in turn; the ratio new/old.\n")
    print("| what | median | 95 % interval | reaches 1.03 |\n|---|---|---|---|")
    sides = ("old", "new")
    for line in COMMANDS:
        if not re.search(a.only, line):
            continue
        times = {side: [] for side in sides}
        for i in range(a.pairs + 1):
            for side in sides if i % 2 else sides[::-1]:
                seconds = wall([binary[side]] + spelled(line))
                if i > 0:  # the first pair warms up
                    times[side].append(seconds)
        report("`" + line + "`", times["old"], times["new"])
    for package, pattern, length in BENCHMARKS:
        if not re.search(a.only, pattern):
            continue
        runs = {side: [] for side in sides}
        for i in range(a.pairs):
            for side in sides if i % 2 else sides[::-1]:
                # Tests read files of their package's folder.
                folder = os.path.join(a.work, "old") if side == "old" else "."
                folder = os.path.join(folder, "" if package == "bayes" else package)
                runs[side].append(benchmark(os.path.join(a.work, f"{side}-{package}.test"), pattern, length, folder, a.data))
        for name in runs["old"][0]:
            if all(name in r for r in runs["new"]):
                report(name, [r[name] for r in runs["old"]], [r[name] for r in runs["new"]])


main()
