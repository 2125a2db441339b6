# Two commands: `make demo` sets everything up and runs the problems, `make test` sets everything up and tests.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow lint bench campaign clean

demo: .venv/ready
	$(BIN)/grashof demo --out out

test: .venv/ready
	$(BIN)/pytest

test-slow: .venv/ready
	$(BIN)/pytest -m slow

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready
	$(BIN)/python -m benchmarks

campaign: .venv/ready
	$(BIN)/python -m campaign

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

clean:
	rm -rf .venv out
