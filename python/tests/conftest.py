"""What tests share. The wheel is tested, so nothing of the folder above is on the path."""

import csv
import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def read(file):
    csv.field_size_limit(1 << 30)
    with open(file, encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    return [row["text"] for row in rows], [row["label"] for row in rows]


@pytest.fixture(scope="session")
def messages():
    """The sample of the command's demo: a thousand messages to a company's support."""
    return read(REPOSITORY / "internal" / "cli" / "sample.csv")


def missing(what):
    """Skip a test, and fail where nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"missing: {what}")
    pytest.skip(f"missing: {what}")


@pytest.fixture(scope="session")
def newsgroups():
    data = Path(os.environ.get("BAYES_DATA", REPOSITORY.parent / "shared" / "data")) / "20news"
    if not data.exists():
        pytest.skip(f"no data in {data} (BAYES_DATA names the folder)")
    return read(data / "train.csv"), read(data / "test.csv")


@pytest.fixture(scope="session")
def command(tmp_path_factory):
    """The command bayes."""
    if os.environ.get("BAYES_COMMAND"):
        return os.environ["BAYES_COMMAND"]
    if not shutil.which("go"):
        missing("go, which builds the command bayes (or BAYES_COMMAND names it)")
    file = tmp_path_factory.mktemp("bin") / "bayes"
    subprocess.run(["go", "build", "-o", file, "./cmd/bayes"], cwd=REPOSITORY, check=True)
    return str(file)


@pytest.fixture
def run(command, tmp_path):
    """Run the command, and return what it prints."""

    def run(*arguments, **options):
        done = subprocess.run(
            [command, *map(str, arguments)], capture_output=True, text=True, cwd=tmp_path, **options
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run
