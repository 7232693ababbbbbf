# `make help` lists the targets. Each one makes the environment it needs first.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

# Made again whenever pyproject.toml changes; otherwise a repeated run costs nothing.
STAMP := $(VENV)/.stamp
$(STAMP): pyproject.toml hatch_build.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: venv
venv: $(STAMP) ## the environment for all that follows, in .venv

.PHONY: test
test: $(STAMP) ## the tests
	$(BIN)/python -m pytest

.PHONY: protos
protos: ## generate the Python code of protos/ again
	PYTHON=$(PYTHON) tools/generate-protos

.PHONY: protos-check
protos-check: ## fail if the generated code is not what protos/ gives
	PYTHON=$(PYTHON) tools/check-generated-protos
