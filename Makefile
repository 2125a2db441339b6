# Two commands: `make demo` sets everything up and runs the benchmark problems, `make test` sets everything up and runs the tests.
# CONTRIBUTING.md lists the same commands for machines without make.
PYTHON ?= python3
BIN := .venv/bin

# one worker per core and one more (tests/conftest.py); tests of one file stay together until a worker has nothing left to do
PARALLEL := -n auto --dist worksteal
test test-lowest: export OPENBLAS_NUM_THREADS = 1

.PHONY: demo docs viewer browser references test test-postgres test-slow test-engines test-lowest test-wheel lint bench bench-sweep bench-engines campaign campaign-fresh fuzz clean

demo: .venv/ready
	$(BIN)/grashof demo --out out

test: viewer browser
	$(BIN)/pytest $(PARALLEL)

# the store in PostgreSQL, which is installed if it is missing; `make test` skips these tests then
test-postgres: .venv/ready
	@command -v psql >/dev/null || (apt-get update -qq && apt-get install -y -qq postgresql)
	$(BIN)/pytest tests/bench/test_store.py tests/bench/test_databases.py tests/server/test_kill.py

test-slow: .venv/ready
	$(BIN)/pytest -m slow

# every certified reference again, from both derivations; an hour
references: .venv/ready
	$(BIN)/python scripts/references.py

test-engines: .venv/engines
	$(BIN)/pytest tests/engines

# the lowest versions of the dependencies that pyproject.toml allows
test-lowest: .venv-lowest/ready
	.venv-lowest/bin/pytest $(PARALLEL) tests/tape tests/model tests/cli tests/judge tests/show tests/bench tests/integrate tests/simulation tests/sweeps tests/test_*.py

# the wheel in fresh environments, on every Python found here, with the lowest and the newest versions of the dependencies
test-wheel: .venv/ready
	$(BIN)/python scripts/try_wheel.py

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# the documentation site, as files that need no server: out/site/index.html
docs: viewer
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict

bench: .venv/ready
	$(BIN)/python -m benchmarks

# many runs with other numbers in each, one by one, in lanes and in threads; then a table of 100,000 rows
bench-sweep: .venv/ready
	$(BIN)/python -m benchmarks.varied
	$(BIN)/python -m benchmarks.sweep --engine compiled --rows 100000 --tol 1e-5 --executors serial,threads --workers 2

bench-engines: .venv/engines
	mkdir -p out
	$(BIN)/grashof bench --limit-s 10 --rounds 2 --store out/engines.sqlite
	$(BIN)/grashof results --store out/engines.sqlite --plot out/engines.png --format markdown > out/engines.md

campaign: .venv/ready
	$(BIN)/python -m campaign

campaign-fresh: .venv/ready
	$(BIN)/python -m campaign --fresh

# damaged and hostile input of every kind; some minutes
fuzz: .venv/ready
	$(BIN)/python -m fuzz

# the viewer of web/, made into the package; does nothing if it is there already
viewer: .venv/ready
	$(BIN)/python hatch_build.py

# Debian's Chromium and bubblewrap for the tests of pages and of commands of strangers; where they cannot be installed, these tests say that they are skipped
browser:
	@command -v bwrap >/dev/null || (apt-get update -qq && apt-get install -y -qq bubblewrap) || echo "No bubblewrap: a test of isolation will be skipped."
	@command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium fonts-dejavu-core) || echo "No Chromium: tests of pages will be skipped."

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

.venv/engines: .venv/ready
	$(BIN)/python -m pip install --quiet --editable ".[dev,engines]"
	touch $@

.venv-lowest/ready: pyproject.toml
	$(PYTHON) -m venv --clear .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --upgrade pip packaging
	.venv-lowest/bin/python -m pip install --quiet pytest pytest-xdist hypothesis $$(.venv-lowest/bin/python scripts/lowest.py sweep web)
	.venv-lowest/bin/python -m pip install --quiet --editable .
	touch $@

clean:
	rm -rf .venv .venv-lowest out

# other random examples than those of `make test`, new ones each time
.PHONY: explore
explore: .venv/ready
	$(BIN)/pytest --hypothesis-profile=explore -m "hypothesis and not slow"

# what could differ from processor to processor, with the linear algebra of several (SkylakeX needs AVX-512), and with two threads
MACHINES ?= Haswell SkylakeX Zen Sandybridge
DIFFER := tests/test_bits.py tests/assembly tests/branch tests/freedoms tests/singular tests/simulation tests/problems tests/integrate tests/reactions tests/campaign
.PHONY: test-machines
test-machines: .venv/ready
	for core in $(MACHINES); do \
		echo "BLAS for $$core"; OPENBLAS_CORETYPE=$$core OPENBLAS_NUM_THREADS=1 $(BIN)/pytest $(DIFFER) || exit 1; \
	done
	OPENBLAS_NUM_THREADS=2 $(BIN)/pytest $(DIFFER)

# the digits of arm64, in an emulator, against those of this machine; see scripts/try_arm64.py
.PHONY: test-arm64
test-arm64: .venv/ready
	@command -v qemu-aarch64-static >/dev/null && command -v debootstrap >/dev/null || (apt-get update -qq && apt-get install -y -qq qemu-user-static debootstrap)
	$(BIN)/python scripts/try_arm64.py
