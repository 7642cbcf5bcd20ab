# Two commands on a fresh machine: make reproduce, make test. Both create .venv and install what they need.
PYTHON ?= python3
BIN := .venv/bin
# Python compiles what it imports when it first does: doing so here for all of 2.4 GB would double the time. Where it is
# told not to keep that, every process would do it again.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt
PYTEST = $(BIN)/python -m pytest -q -n $(CORES)
CORES := $(shell $(PYTHON) -c "import os; print(os.cpu_count())")

# What takes longest in plain Python: compiled in make test, in plain Python in make test-slow.
QUICK_IN_PYTHON = not tiny_game and not cheat-party and not cheat-whole and not (notices_a_redeal and cego-solo) \
  and not (collaborative_kuhn and (sum_to_zero or perfect_oracle)) and not in_two_processes \
  and not (golden_ones and (bettel or piccolo or raeuber)) and not (preset_keeps and cego-standard) \
  and (hearts or euchre or belote or not with_other_options)

TESTED_WITH = chromium chromium-browser google-chrome

# With these and what kibitz itself needs, core and games are tested in plain Python while the rest is installed,
# but for what compares them with other libraries.
TESTING = pytest pytest-timeout pytest-xdist hypothesis
WITH_OTHERS = $(addprefix tests/games/, skat/test_skat_openspiel.py coinche/test_coinche_agreement.py \
  coinche/test_coinche_scoring.py tricks/test_openspiel_games.py)

# What starts many processes, or waits for them, and compiles nothing: beside the compiled tests.
IN_PYTHON = tests/terminal tests/bots/test_own.py tests/bots/test_strangers.py \
  tests/web/test_server.py tests/web/test_trouble.py

# What waits for a browser, a cluster or a killed process longer than it computes: beside the rest.
WAITING = tests/web/test_browser.py tests/arena/test_tournament.py tests/arena/test_cluster.py \
  tests/cli/test_output.py tests/papers/test_pieces.py

LARGE = torch, ray, sb3_contrib, pyspiel, rlcard, optuna, matplotlib.pyplot, pyarrow, pettingzoo, starlette

MAKEFLAGS += --jobs=3 # tests in plain Python beside the installation, and those that wait beside those that compute

.PHONY: help setup browser test test-plain test-others test-waiting test-compiled test-slow lint bench reproduce clean

help:
	@echo "make reproduce   the quick edition of every experiment -> results/report.html"
	@echo "make test        the tests: compiled, and the core, games, adapters, terminal and server in plain Python"
	@echo "make test-slow   everything, including what takes minutes"
	@echo "make lint        ruff and mypy"
	@echo "make bench       speed, as ratios to other libraries"

.venv/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) --upgrade pip # reads the index in half the time of the one that Python brings
	$(PIP) -e . $(TESTING)
	touch .venv/core

.venv/ready: .venv/core
	$(PIP) "kibitz[dev]" # it is there already, the rest is not
	$(BIN)/python -c "import $(LARGE)" # once, before two processes of tests compile them for Python at the same time
	touch .venv/ready

setup: .venv/ready

# The table is tested in a real browser: installed where that is allowed, asked for where not.
browser:
	@[ -n "$$(which $(TESTED_WITH) 2>/dev/null)" ] \
	  || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	  || { echo "make test needs a browser for the tests of the table: apt-get install chromium"; exit 1; }

test: test-plain test-others test-waiting test-compiled

# Nothing is printed before the end of what runs beside other things.
QUIETLY = >.venv/$@.txt 2>&1 || { cat .venv/$@.txt; exit 1; }; echo "$@: $$(tail -n 1 .venv/$@.txt)"

test-plain: .venv/core
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/core tests/games $(addprefix --ignore ,$(WITH_OTHERS)) \
	  -k "$(QUICK_IN_PYTHON)" $(QUIETLY)

test-others: setup browser test-plain
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q $(WITH_OTHERS) tests/adapters $(IN_PYTHON) \
	  -k "$(QUICK_IN_PYTHON)" $(QUIETLY)

test-waiting: setup browser
	@$(BIN)/python -m pytest -q $(WAITING) $(QUIETLY)

test-compiled: setup browser
	$(PYTEST) $(addprefix --ignore ,$(IN_PYTHON) $(WAITING))

test-slow: setup browser
	$(PYTEST) -m "slow or not slow" --timeout 7200
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/core tests/games
	NUMBA_BOUNDSCHECK=1 $(PYTEST) tests/core tests/games tests/search/test_doubledummy.py

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: setup
	$(BIN)/kibitz bench

reproduce: setup
	$(BIN)/kibitz reproduce --quick --processes $(CORES)
	@echo "open results/report.html"

clean:
	rm -rf .venv results .mypy_cache .ruff_cache .pytest_cache
