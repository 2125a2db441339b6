# Two commands: `make demo` sets everything up and runs the problems, `make test` sets everything up and tests.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow test-engines lint bench bench-engines campaign campaign-fresh clean

demo: .venv/ready
	$(BIN)/grashof demo --out out

test: .venv/ready
	$(BIN)/pytest

test-slow: .venv/ready
	$(BIN)/pytest -m slow

test-engines: .venv/engines
	$(BIN)/pytest tests/engines

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready
	$(BIN)/python -m benchmarks

bench-engines: .venv/engines
	mkdir -p out
	$(BIN)/grashof bench --limit-s 10 --rounds 2 --store out/engines.sqlite
	$(BIN)/grashof results --store out/engines.sqlite --plot out/engines.png --format markdown > out/engines.md

campaign: .venv/ready
	$(BIN)/python -m campaign

campaign-fresh: .venv/ready
	$(BIN)/python -m campaign --fresh

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

.venv/engines: .venv/ready
	$(BIN)/python -m pip install --quiet --editable ".[dev,engines]"
	touch $@

clean:
	rm -rf .venv out
