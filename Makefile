# `make help` lists the targets. Each one makes the environment it needs first, in .venv.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Tells whether a Python serves. A pyenv shim without a version behind it fails here, as it should.
SERVES := -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
# The first that serves; say `make PYTHON=...` for another.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	"$$p" $(SERVES) && echo "$$p" && break; done)
CHECK_PYTHON = test -n '$(PYTHON)' && $(PYTHON) $(SERVES) || { echo 'Python 3.11 or later is needed, and \
	$(if $(PYTHON),$(PYTHON) is none: leave PYTHON out or name another,none was found)' >&2; exit 1; }
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# make's own lines stay short: what a command prints is what matters.
.SILENT:

.PHONY: help
help: ## list the targets
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# the environment
# Stamps: an environment is made again when what it depends on changes; otherwise a repeated run
# costs nothing.
STAMP := $(VENV)/.stamp
BENCH_STAMP := $(VENV)/.stamp-bench

$(STAMP): pyproject.toml hatch_build.py
	$(BIN)/python $(SERVES) || { $(CHECK_PYTHON); \
		echo 'making the environment in $(VENV) (once)'; $(PYTHON) -m venv --clear $(VENV); }
	$(PIP) --editable '.[dev]'
	touch $@

$(BENCH_STAMP): $(STAMP)
	$(PIP) --editable '.[bench]'
	touch $@

.PHONY: venv
venv: $(STAMP) ## the environment for all that follows

# use
.PHONY: demo
demo: $(STAMP) ## a tournament of the sample bots, with its standings
	mkdir -p results
	rm -f results/demo.sqlite results/demo.sqlite-shm results/demo.sqlite-wal
	$(BIN)/tarneeb-referee tournament tournaments/demo.toml --results results/demo.sqlite

.PHONY: bench
bench: $(BENCH_STAMP) ## the speed of the rules and of the referee, and the referee's memory
	missed=0; for script in benchmarks/*_speed.py benchmarks/referee_memory.py; do \
		echo "== $$script"; $(BIN)/python "$$script" || missed=1; done; exit $$missed

# the checks
.PHONY: test
test: $(STAMP) ## the tests; those of containers too where a container engine answers
	$(BIN)/python -m pytest $(ARGS)
	if [ -z '$(ARGS)$(CI)' ] && tools/container-engine answers; then tools/test-docker; \
	else echo 'not run here: the tests of bots in containers (make test-docker)'; fi

.PHONY: test-docker
test-docker: $(STAMP) ## the tests of bots in containers; starts an engine where none runs
	tools/test-docker $(ARGS)

.PHONY: test-slow
test-slow: $(STAMP) ## the slow tests
	$(BIN)/python -m pytest -m 'slow and not nightly and not docker' $(ARGS)

.PHONY: nightly
nightly: $(STAMP) ## all tests, the nightly ones too, with far more deals and examples
	TEST_PROFILE=nightly $(BIN)/python -m pytest -m 'not docker' $(ARGS)

.PHONY: coverage
coverage: $(STAMP) ## the tests, and the branches that they leave out
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest $(ARGS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

.PHONY: lint
lint: $(STAMP) ## style and spelling
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell

.PHONY: types
types: $(STAMP) ## types
	$(BIN)/mypy

.PHONY: layers
layers: $(STAMP) ## the direction of imports
	$(BIN)/lint-imports --no-logo --no-cache

.PHONY: protolint
protolint: $(STAMP) ## the .proto files: style, and compatibility with the promised contract
	PATH="$(CURDIR)/$(BIN):$$PATH" tools/check-protos

.PHONY: protos
protos: ## generate the Python code of protos/ again
	tools/generate-protos

.PHONY: protos-check
protos-check: ## fail if the generated code is not what protos/ gives
	tools/check-generated-protos

.PHONY: protos-freeze
protos-freeze: $(STAMP) ## promise the present contract: later ones must be compatible with it
	$(BIN)/buf build protos --output protos/baseline.binpb

.PHONY: wheel-test
wheel-test: ## the tests, against the built wheel in a fresh environment
	$(CHECK_PYTHON)
	PYTHON=$(PYTHON) tools/test-wheel $(ARGS)

.PHONY: wheels
wheels: $(STAMP) ## both wheels, in dist/
	rm -rf dist
	$(BIN)/python -m hatchling build --target wheel
	$(BIN)/python tools/build_sdk_wheel.py

.PHONY: format
format: $(STAMP) ## rewrite the code in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: clean
clean: ## remove environments, caches and build results; keep results/
	rm -rf .venv .venv-* .cache* .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist htmlcov
