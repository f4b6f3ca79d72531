"""Processes and threads."""

import concurrent.futures
import gc
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import joblib
import numpy as np
import pytest

from bayes import Classifier, _library
from bayes._library import Core

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@pytest.fixture(scope="module")
def fitted(messages):
    X, y = messages
    c = Classifier().fit(X, y)
    return c, X, y, c.predict(X).tolist()


def in_child(act):
    """Run act in a forked process, and fail if it does, or takes a minute."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            signal.alarm(60)
            act()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0


@forks
def test_everything_works_after_a_fork(fitted):
    c, X, y, want = fitted

    def act():
        assert c.predict(X).tolist() == want
        assert c.predict(X[:1]).tolist() == want[:1]
        other = Classifier(ngrams="1-2").fit(X, y)
        assert other.score(X, y) > 0.9
        before = c._core.keep()
        c.partial_fit(X[:20], y[:20])
        c.unlearn(X[:20], y[:20])
        assert c._core.keep() == before
        assert c.explain(X[0])["label"] == want[0]
        del other
        gc.collect()

    in_child(act)
    assert c.predict(X).tolist() == want


@forks
def test_what_was_learned_just_before_a_fork(fitted):
    _, X, y, _ = fitted
    c = Classifier().partial_fit(X[:500], y[:500])
    for i in range(500, 520):
        c.partial_fit(X[i : i + 1], y[i : i + 1])
        want = c.predict_log_proba(X[:30])

        def act(want=want):
            assert np.array_equal(c.predict_log_proba(X[:30]), want)

        in_child(act)


@forks
def test_forks_of_forks(fitted):
    c, X, _, want = fitted

    def descend(depth):
        def act():
            if depth % 2 == 0:
                assert c.predict(X).tolist() == want
            if depth:
                descend(depth - 1)
            assert c.predict(X).tolist() == want

        in_child(act)

    descend(5)


@forks
def test_a_system_without_copies_in_memory(fitted, monkeypatch):
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(_library._process, "copy", None)
    c, X, _, want = fitted

    def act():
        check(c, X, want)
        in_child(lambda: check(c, X, want))

    in_child(act)


@forks
def test_a_daemon_that_closes_all_files(fitted):
    c, X, _, want = fitted

    def act():
        os.closerange(3, 1024)
        with open(os.devnull) as other:
            assert other.fileno() == 3
            check(c, X, want)

    in_child(act)


@forks
def test_many_forks(fitted):
    c, X, y, want = fitted
    for i in range(int(os.environ.get("BAYES_FORKS", "60"))):
        in_child(lambda: check(c, X[:50], want[:50]))


def check(c, X, want):
    assert c.predict(X).tolist() == want


@forks
def test_forks_while_threads_are_at_work(fitted):
    c, X, y, want = fitted
    done = threading.Event()

    def work():
        while not done.is_set():
            c.predict_proba(X[:50])
            Classifier().fit(X[:100], y[:100])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    try:
        for _ in range(15):
            in_child(lambda: check(c, X, want))
    finally:
        done.set()
        for t in threads:
            t.join()


@forks
def test_threads_in_a_forked_process(fitted):
    c, X, y, want = fitted

    def act():
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert all(p.tolist() == want for p in pool.map(c.predict, [X] * 40))
            pool.map(lambda i: Classifier().fit(X[i:], y[i:]), range(8))

    in_child(act)


@forks
def test_signals_of_python_still_work_after_a_fork(fitted):
    c, X, _, want = fitted

    def act():
        caught = []
        signal.signal(signal.SIGUSR1, lambda *_: caught.append(1))
        for _ in range(50):
            os.kill(os.getpid(), signal.SIGUSR1)
            assert c.predict(X).tolist() == want
        time.sleep(0.01)
        assert caught
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job begins without it
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        assert subprocess.run([sys.executable, "-c", "print(7)"], capture_output=True).stdout == b"7\n"

    in_child(act)


def predict(task):
    c, X = task
    return c.predict(X).tolist()


held = []


def predict_held(X):
    return held[0].predict(X).tolist()


@pytest.mark.parametrize("how", multiprocessing.get_all_start_methods())
def test_pools(fitted, how):
    c, X, _, want = fitted
    with multiprocessing.get_context(how).Pool(2) as pool:
        assert pool.map(predict, [(c, X)] * 4) == [want] * 4


@forks
def test_pools_that_inherit_the_classifier(fitted):
    c, X, _, want = fitted
    held[:] = [c]
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(predict_held, [X] * 12) == [want] * 12


def test_joblib(fitted):
    c, X, _, want = fitted
    for backend in ("loky", "threading", "multiprocessing"):
        assert joblib.Parallel(2, backend=backend)(joblib.delayed(predict)((c, X)) for _ in range(4)) == [want] * 4


def test_threads(fitted):
    c, X, y, want = fitted
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(p.tolist() == want for p in pool.map(c.predict, [X] * 50))
        assert [p[0] for p in pool.map(c.predict, [[x] for x in X])] == want


def test_threads_that_learn_and_ask(fitted):
    _, X, y, _ = fitted
    c = Classifier().partial_fit(X[:100], y[:100])
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        learned = [pool.submit(c.partial_fit, X[i : i + 10], y[i : i + 10]) for i in range(100, 1000, 10)]
        asked = [pool.submit(c.predict_proba, X[:10]) for _ in range(200)]
        for f in learned + asked:
            f.result()
    assert c._core.keep() == Classifier().fit(X, y)._core.keep()


def test_what_is_kept_is_never_older_than_what_was_learned(fitted):
    _, X, y, _ = fitted
    c = Classifier().partial_fit(X[:1], y[:1])
    done = threading.Event()

    def keep():
        while not done.is_set():
            c._core.keep()

    keeping = [threading.Thread(target=keep) for _ in range(2)]
    for t in keeping:
        t.start()
    try:
        for i in range(1, 200):
            c.partial_fit(X[i : i + 1], y[i : i + 1])
            kept = json.loads(Core.load(c._core.keep()).describe())
            assert kept["examples"] == i + 1
    finally:
        done.set()
        for t in keeping:
            t.join()


def test_other_threads_go_on_while_one_learns(fitted):
    _, X, y, _ = fitted
    learning = threading.Thread(target=lambda: Classifier(correct=True, ngrams="1-2").fit(X, y))
    learning.start()
    ticks = 0
    while learning.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 3
