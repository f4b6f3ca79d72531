"""Measures `bayes train --format mail` beside the filters that people run, and writes tables. Called by
compare/mail.

rounds       the mails of spamassassin in four parts by the first digit of the MD5 of the file's name
             (0-3, 4-7, 8-b, c-f); each is tested once, by a model of the other three. Scores of all
             four are pooled
later        trained on what was received until August 2002, and tested on what came later
progressive  by the time of receipt, each mail is scored and then learned

The time of receipt is that of the first Received line, or else of Date. All filters see the same
files, each with its defaults. A mail's score is

bayes       the difference of log_joint between spam and ham
bogofilter  the spamicity with 17 decimals; where that is the same, ln Q - ln P, which it is made of
spamprobe   what it prints, seven digits
sa-learn    the probability of SpamAssassin's Bayes plugin alone, spam above 0.5; not progressively, as it
            takes a second to start
rspamd      what the symbols of its statistics weigh, which are kept in Redis, with no other symbol; unsure where
            it has none. Not progressively. Its CPU is not measured, as it is a service

1-ROCA % is the share of pairs of ham and spam in the wrong order; of equal scores half. Caught is the
spam whose score is above that of every ham, or of all but one. Unsure is what the filter itself
calls so: bogofilter between its cutoffs, bayes below the one that training sets. Intervals
are those of 95 % of 1,000 resamplings of the mails of each class, the same ones for all filters, so that
a ratio is one of pairs. Seconds are of the wall, of one run; bayes uses all cores, the others one.
"""

import argparse
import atexit
import collections
import email.utils
import hashlib
import json
import math
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

ROUNDS = ["0123", "4567", "89ab", "cdef"]
TO = (2002, 8)  # the last month of training of `later`
RESAMPLINGS = 1000

Mail = collections.namedtuple("Mail", "path name label round at")
Result = collections.namedtuple("Result", "score label")  # label: what the filter calls it


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--bayes", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--data", required=True)
    p.add_argument("--only", default=",".join(FILTERS), help="filters, of " + ",".join(FILTERS))
    p.add_argument("--tests", default="rounds,later,progressive")
    p.add_argument("--flags", default="", help="flags of bayes train")
    p.add_argument("--results", default="", help="file of what was measured, from which the next call goes on")
    return p.parse_args()


def run(command, codes=(0,), **options):
    """Runs a command that must succeed, and returns what it prints."""
    done = subprocess.run(command, capture_output=True, **options)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command[:6])} ...: {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout.decode("utf-8", "replace")


def paths(mails):
    return [m.path for m in mails]


def parts_of(mails):
    for i in range(0, len(mails), 500):
        yield mails[i:i + 500]


def of(mails, label):
    return [m for m in mails if m.label == label]


def folder_size(folder):
    return sum(os.path.getsize(os.path.join(top, f)) for top, _, files in os.walk(folder) for f in files if not f.startswith("__db"))


class Bayes:
    def __init__(self, args, folder):
        self.command, self.folder, self.flags = args.bayes, folder, args.flags.split()
        self.model = os.path.join(folder, "m.nb")

    def copied(self, mails, name):
        """A folder with the mails, as people have them: a folder for each label."""
        top = os.path.join(self.folder, name)
        for m in mails:
            os.makedirs(os.path.join(top, m.label), exist_ok=True)
            shutil.copyfile(m.path, os.path.join(top, m.label, m.name))
        return top

    def prepare(self, train, test):
        self.train_folder, self.test_folder = self.copied(train, "train"), self.copied(test, "test")

    def train(self, mails):
        run([self.command, "train", self.train_folder, "--format", "mail", "-o", self.model, "-q", *self.flags])

    def score(self, mails):
        found = {}
        for line in run([self.command, "predict", self.model, self.test_folder, "--format", "mail", "--json", "-q"]).splitlines():
            r = json.loads(line)
            found[os.path.basename(r["file"])] = Result(r["log_joint"]["spam"] - r["log_joint"]["ham"], r["label"])
        return [found[m.name] for m in mails]

    def size(self):
        return os.path.getsize(self.model)

    def progressive(self, mails):
        folder = self.copied(mails, "all")
        said = json.loads(run([self.command, "cv", folder, "--format", "mail", "--folds", "progressive", "--json", "-q", *self.flags]))
        last, rank = said["curve"][-1], said["ranking"]
        return {"roca": rank["one_minus_roca_percent"], "caught": rank["found_none_lost"], "one": rank["found_one_lost"],
                "spam": rank["documents"], "lost": last["wrong"]["ham"], "missed": last["wrong"]["spam"]}


class Bogofilter:
    unknown = (0.5, 0.0)
    exact = "%0.17f %0.17f %0.17f"  # it prints 19 characters at most

    def __init__(self, args, folder):
        self.folder = folder
        self.command = ["bogofilter", "-C", "-d", folder]

    def prepare(self, train, test):
        pass

    def train(self, mails):
        for label, flag in ("ham", "-n"), ("spam", "-s"):
            run([*self.command, flag, "-b"], input="\n".join(paths(of(mails, label))).encode() + b"\n")

    def score(self, mails):
        files = "\n".join(paths(mails)).encode() + b"\n"
        lines = run([*self.command, "-v", "-b", "--spamicity-formats=" + self.exact], input=files, codes=(0, 1, 2)).splitlines()
        said = {}
        for line in lines:
            path, _, rest = line.partition(" X-Bogosity: ")
            said[path] = re.match(r"(\w+),.*spamicity=([-+.0-9e]+)", rest).groups()
        parts = []
        for line in run([*self.command, "-R", "-b"], input=files, codes=(0, 1, 2)).splitlines():
            if line.strip().startswith("N_P_Q_S_s_x_md"):
                parts.append([float(x) for x in line.split()[2:4]])
        if len(parts) != len(mails):
            sys.exit(f"bogofilter -R: {len(parts)} lines of {len(mails)} mails")
        list = []
        for m, (p, q) in zip(mails, parts):
            word, spamicity = said[m.path]
            least = 1e-320
            list.append(Result((float(spamicity), math.log(max(q, least)) - math.log(max(p, least))), word.lower()))
        return list

    def size(self):
        return folder_size(self.folder)

    def learn(self, m):
        run([*self.command, "-s" if m.label == "spam" else "-n", "-I", m.path])


class Spamprobe:
    unknown = 0.5

    def __init__(self, args, folder):
        self.folder = folder
        self.command = ["spamprobe", "-c", "-M", "-d", folder]

    def prepare(self, train, test):
        pass

    def train(self, mails):
        for label, word in ("ham", "good"), ("spam", "spam"):
            for part in parts_of(of(mails, label)):
                run([*self.command, word, *paths(part)])

    def score(self, mails):
        list = []
        for part in parts_of(mails):
            lines = run([*self.command, "score", *paths(part)]).splitlines()
            if len(lines) != len(part):
                sys.exit(f"spamprobe score: {len(lines)} lines of {len(part)} mails")
            for line in lines:
                word, score = line.split()[:2]
                list.append(Result(float(score), "spam" if word == "SPAM" else "ham"))
        return list

    def size(self):
        return folder_size(self.folder)

    def learn(self, m):
        run([*self.command, "spam" if m.label == "spam" else "good", m.path])


class SpamAssassin:
    def __init__(self, args, folder):
        self.folder, self.command = folder, ["perl", os.path.join(os.path.dirname(os.path.abspath(__file__)), "mail.pl"), folder]

    def prepare(self, train, test):
        pass

    def train(self, mails):
        for label in "ham", "spam":
            run([*self.command, label], input="\n".join(paths(of(mails, label))).encode() + b"\n")

    def score(self, mails):
        lines = run([*self.command, "score"], input="\n".join(paths(mails)).encode() + b"\n").split()
        if len(lines) != len(mails):
            sys.exit(f"SpamAssassin: {len(lines)} lines of {len(mails)} mails")
        return [Result(float(p), "spam" if float(p) > 0.5 else "ham") for p in lines]

    def size(self):
        return folder_size(self.folder)


class Rspamd:
    """rspamd with a Redis of its own, on ports that are not the usual ones. It takes a minute to start, so it is started once."""

    redis, normal, controller = "16399", "127.0.0.1:11399", "127.0.0.1:11398"
    started = []

    def __init__(self, args, folder):
        if not self.started:
            self.start(os.path.join(args.work, "rspamd-service"))
        self.cli("flushall")

    def cli(self, *words):
        return run(["redis-cli", "-p", self.redis, *words])

    def start(self, top):
        shutil.rmtree(top, ignore_errors=True)
        shutil.copytree("/etc/rspamd", top)
        for name, text in {
            "redis.conf": f'servers = "127.0.0.1:{self.redis}";',
            "classifier-bayes.conf": f'backend = "redis"; servers = "127.0.0.1:{self.redis}"; autolearn = false; min_learns = 1;',
            "worker-normal.inc": f'bind_socket = "{self.normal}"; count = 1;',
            "worker-controller.inc": f'bind_socket = "{self.controller}"; secure_ip = "127.0.0.1";',
            "worker-proxy.inc": "enabled = false;", "worker-fuzzy.inc": "enabled = false;",
            "logging.inc": f'level = "error"; type = "file"; filename = "{top}/log";',
            "options.inc": 'dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; }',
        }.items():
            os.makedirs(os.path.join(top, "local.d"), exist_ok=True)
            with open(os.path.join(top, "local.d", name), "w") as f:
                f.write(text + "\n")
        folders = {name: os.path.join(top, name.lower()) for name in ("DBDIR", "RUNDIR", "LOGDIR")}
        for folder in folders.values():
            os.makedirs(folder)
        variables = [f"--var={name}={value}" for name, value in (folders | {"CONFDIR": top, "LOCAL_CONFDIR": top}).items()]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.started.append(subprocess.Popen(["redis-server", "--port", self.redis, "--dir", top, "--save", ""], **quiet))
        self.started.append(subprocess.Popen(["rspamd", "-i", "-f", "-c", os.path.join(top, "rspamd.conf"), *variables], **quiet))
        for process in self.started:
            atexit.register(process.terminate)
        for _ in range(300):
            if subprocess.run(["rspamc", "-h", self.controller, "stat"], **quiet).returncode == 0:
                return
            time.sleep(1)
        sys.exit("rspamd does not answer")

    def prepare(self, train, test):
        pass

    def train(self, mails):
        for label in "ham", "spam":
            for part in parts_of(of(mails, label)):
                run(["rspamc", "-h", self.controller, "learn_" + label, *paths(part)], codes=(0, 1))

    def score(self, mails):
        found = {}
        for part in parts_of(mails):
            said = run(["rspamc", "-h", self.normal, "--json", "--header", 'Settings: {"groups_enabled":["statistics"]}', "symbols", *paths(part)])
            while said := said.lstrip():
                r, end = json.JSONDecoder().raw_decode(said)
                said = said[end:]
                label = next((l for l in ("spam", "ham") if "BAYES_" + l.upper() in r["symbols"]), "unsure")
                found[r["filename"]] = Result(r["symbols"]["BAYES_" + label.upper()]["score"] if label != "unsure" else 0, label)
        return [found[m.path] for m in mails]

    def size(self):
        return int(re.search(r"used_memory:(\d+)", self.cli("info", "memory"))[1])


FILTERS = {"bayes": Bayes, "bogofilter": Bogofilter, "spamprobe": Spamprobe, "sa-learn": SpamAssassin, "rspamd": Rspamd}


def received(raw):
    """Returns the seconds at which a mail came, 0 if that is unknown."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0].decode("latin1")
    fields = re.sub(r"\r?\n[ \t]+", " ", head).splitlines()
    dates = [f.rpartition(";")[2] for f in fields if f.lower().startswith("received:")][:1]
    dates += [f.partition(":")[2] for f in fields if f.lower().startswith("date:")][:1]
    for date in dates:
        try:
            at = email.utils.parsedate_tz(date)
            if at:
                return email.utils.mktime_tz(at)
        except (ValueError, OverflowError):
            pass
    return 0


def read(data):
    mails = []
    for label in "ham", "spam":
        folder = os.path.join(data, "spamassassin", label)
        for name in sorted(os.listdir(folder)):
            path = os.path.abspath(os.path.join(folder, name))
            digit = hashlib.md5(name.encode()).hexdigest()[0]
            with open(path, "rb") as f:
                at = received(f.read())
            mails.append(Mail(path, name, label, next(i for i, r in enumerate(ROUNDS) if digit in r), at))
    return mails


def cpu():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


class Kept:
    """What was measured, in a file, so that a call that was stopped goes on, and one filter can be measured anew."""

    def __init__(self, file):
        self.file, self.all = file, {}
        if file and os.path.exists(file):
            with open(file) as f:
                self.all = json.load(f)

    def get(self, key, measured):
        if key not in self.all:
            print(key, file=sys.stderr, flush=True)
            self.all[key] = json.loads(json.dumps(measured()))
            if self.file:
                with open(self.file + ".new", "w") as f:
                    json.dump(self.all, f)
                os.replace(self.file + ".new", self.file)
        return self.all[key]


def results_of(kept):
    """Returns results as they were before they were JSON."""
    return [Result(tuple(score) if isinstance(score, list) else score, label) for score, label in kept]


def measure(make, args, name, train, test):
    """Trains a filter, and returns what it says of each mail of the test, and what that took."""
    folder = os.path.join(args.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    f = make(args, folder)
    f.prepare(train, test)
    start, used = time.perf_counter(), cpu()
    f.train(train)
    middle, used_middle = time.perf_counter(), cpu()
    results = f.score(test)
    end = time.perf_counter()
    took = {"train": middle - start, "cpu": used_middle - used, "mail": (end - middle) / len(test), "size": f.size()}
    shutil.rmtree(folder)
    return results, took


def progressive(make, args, name, mails):
    """Scores each mail and then learns it."""
    folder = os.path.join(args.work, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    f = make(args, folder)
    start = time.perf_counter()
    if hasattr(f, "progressive"):
        figures = f.progressive(mails)
    else:
        results, tested = [], []
        for i, m in enumerate(mails):
            if len({m.label for m in mails[:i]}) == 2:  # bogofilter crashes before that
                results += f.score([m])
                tested.append(m)
            elif i > 0:
                results.append(Result(f.unknown, "unsure"))
                tested.append(m)
            f.learn(m)
        figures = figures_of(tested, results)
    shutil.rmtree(folder)
    return figures | {"seconds": time.perf_counter() - start}


def in_order(mails, results):
    """Returns the places of mails by score, the highest first, in groups of equal ones."""
    by_score = collections.defaultdict(list)
    for i, r in enumerate(results):
        by_score[r.score].append(i)
    return [by_score[s] for s in sorted(by_score, reverse=True)]


def one_minus_roca(groups, is_spam, times):
    """Returns 1-ROCA %, where mail i is there times[i] times."""
    wrong = hams = spams = 0
    for group in groups:
        s = sum(times[i] for i in group if is_spam[i])
        h = sum(times[i] for i in group if not is_spam[i])
        wrong += s * (hams + h / 2)
        spams, hams = spams + s, hams + h
    return 100 * wrong / (spams * hams)


def caught(groups, is_spam, lost):
    """Returns how much spam is above all ham but so much."""
    found = hams = 0
    for group in groups:
        hams += sum(not is_spam[i] for i in group)
        if hams > lost:
            break
        found += sum(is_spam[i] for i in group)
    return found


def figures_of(mails, results):
    is_spam = [m.label == "spam" for m in mails]
    groups = in_order(mails, results)
    return {
        "roca": one_minus_roca(groups, is_spam, [1] * len(mails)),
        "caught": caught(groups, is_spam, 0), "one": caught(groups, is_spam, 1), "spam": sum(is_spam), "ham": len(mails) - sum(is_spam),
        "unsure": sum(r.label == "unsure" for r in results),
        "lost": sum(r.label == "spam" and m.label == "ham" for m, r in zip(mails, results)),
        "missed": sum(r.label == "ham" and m.label == "spam" for m, r in zip(mails, results)),
    }


def intervals(mails, results_by_name):
    """Returns 1-ROCA % of each filter in each resampling, in order."""
    draw = random.Random(1)
    is_spam = [m.label == "spam" for m in mails]
    classes = [[i for i, s in enumerate(is_spam) if s == c] for c in (True, False)]
    groups = {name: in_order(mails, results) for name, results in results_by_name.items()}
    found = {name: [] for name in groups}
    for _ in range(RESAMPLINGS):
        times = [0] * len(mails)
        for members in classes:
            for i in draw.choices(members, k=len(members)):
                times[i] += 1
        for name in groups:
            found[name].append(one_minus_roca(groups[name], is_spam, times))
    return found


def interval(values):
    values = sorted(values)
    return values[round(0.025 * (len(values) - 1))], values[round(0.975 * (len(values) - 1))]


def table(mails, results_by_name, took):
    """Prints a table of filters that were tested on the same mails."""
    resampled = intervals(mails, results_by_name)
    print("| | 1-ROCA % | 95 % | bayes / it | caught | one lost | unsure | ham as spam | spam as ham | train s | CPU s | ms a mail | store MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, results in results_by_name.items():
        f, t = figures_of(mails, results), took[name]
        low, high = interval(resampled[name])
        ratio = ""
        if "bayes" in resampled and name != "bayes":
            a, b = interval([x / max(y, 1e-9) for x, y in zip(resampled["bayes"], resampled[name])])
            ratio = f"{figures_of(mails, results_by_name['bayes'])['roca'] / max(f['roca'], 1e-9):.2f}, {a:.2f} to {b:.2f}"
        print(f"| {name} | {f['roca']:.4f} | {low:.4f} to {high:.4f} | {ratio} | {f['caught']:,} | {f['one']:,} | {f['unsure']} | {f['lost']} | {f['missed']} |"
              f" {t['train']:.1f} | {t['cpu']:.1f} | {1000 * t['mail']:.2f} | {t['size'] / 1e6:.1f} |")
    print(flush=True)


def measure_all(kept, args, test, names, parts):
    """Trains and tests each filter on each part, of training and test, and prints a table of all of them together."""
    tested = [m for _, _, part in parts for m in part]
    results = {name: [] for name in names}
    took = {name: collections.Counter() for name in names}
    for what, train, part in parts:
        for name in names:
            found, t = kept.get(f"{test} {what} {name}", lambda: measure(FILTERS[name], args, name, train, part))
            results[name] += results_of(found)
            took[name].update({key: value / len(parts) for key, value in t.items()})
    table(tested, results, took)


def main():
    args = arguments()
    names = [n for n in args.only.split(",") if n == "bayes" or shutil.which(n)]
    mails, tests, kept = read(args.data), args.tests.split(","), Kept(args.results)

    def said(what, mails):
        return f"{len(mails):,} mails {what}, {len(of(mails, 'spam')):,} of them spam"

    print(said("in all", mails) + "\n")
    if "rounds" in tests:
        print("Rounds, seconds and sizes of one of them in the mean:\n")
        rounds = [(digits, [m for m in mails if m.round != r], [m for m in mails if m.round == r]) for r, digits in enumerate(ROUNDS)]
        measure_all(kept, args, "rounds", names, rounds)
        for part in rounds:
            print(f"{part[0]} alone:\n")
            measure_all(kept, args, "rounds", names, [part])
    if "later" in tests:
        early = [m for m in mails if time.gmtime(m.at)[:2] <= TO]
        late = [m for m in mails if time.gmtime(m.at)[:2] > TO]
        print(f"Later: {said('until 2002-08', early)}; then {said('tested', late)}\n")
        measure_all(kept, args, "later", names, [("all", early, late)])
    if "progressive" in tests:
        by_time = sorted(mails, key=lambda m: m.at)
        print("Progressively:\n\n| | 1-ROCA % | caught | one lost | ham lost | spam missed | s |\n|---|---|---|---|---|---|---|")
        for name in (n for n in names if hasattr(FILTERS[n], "learn") or hasattr(FILTERS[n], "progressive")):
            f = kept.get(f"progressive {name}", lambda: progressive(FILTERS[name], args, name, by_time))
            print(f"| {name} | {f['roca']:.4f} | {f['caught']:,} | {f['one']:,} | {f['lost']} | {f['missed']} | {f['seconds']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
