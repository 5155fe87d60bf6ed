#!/usr/bin/env bash
# Makes a virtual environment, installs the exact versions of constraints.txt and runs all checks. CI runs this file.
set -euo pipefail
cd "$(dirname "$0")"
python3 -m venv .venv
. .venv/bin/activate
python -m pip install --quiet --constraint constraints.txt --editable '.[dev,postgres,models,local,ocr,inspect,stats,plots,lab]'
echo "== format and lint"
ruff format --check src tests benchmarks
ruff check src tests benchmarks
echo "== import contracts"
lint-imports
echo "== types"
pyright
echo "== tests"
pytest -n auto --dist loadgroup
