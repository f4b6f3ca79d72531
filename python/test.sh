#!/usr/bin/env bash
# Builds the wheel from this folder, installs it into an empty virtual environment, and runs the
# tests there: what a stranger does. Arguments are those of pytest, such as -k fork.
set -euo pipefail
cd "$(dirname "$0")"

here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work" "$here/build" "$here/bayes.egg-info"' EXIT
python3 -m venv "$work/venv"
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }
pip wheel -q --no-deps -w "$work" .
pip install -q --no-cache-dir "$work"/bayes-*.whl pytest pandas polars mypy
# From elsewhere, so that the package is that of the wheel.
tests=$here/tests
cd "$work"
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider --rootdir "$tests" -c "$tests/../pyproject.toml" "$tests" "$@"
