# `make` alone lists the commands. Everything happens inside .venv, which they set up themselves.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help install dev demo test lint types laws mutants bench bench-engines results golden docs clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

.venv/pyvenv.cfg:
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/pyvenv.cfg pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train]'
	@touch $@

.venv/.dev: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,train]'
	@touch $@

install: .venv/.installed ## leave the command at .venv/bin/isolog

dev: .venv/.dev ## install what tests, lint and types need, too

demo: .venv/.installed ## the whole story on a family's knowledge graph
	$(BIN)/isolog demo

test: .venv/.dev ## run the tests
	$(BIN)/pytest -n 2 --dist loadgroup

lint: .venv/.dev ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev ## check types
	$(BIN)/pyright

laws: .venv/.dev ## run the laws with their full number of examples (long)
	ISOLOG_LAWS=full $(BIN)/pytest -n 2 --dist loadgroup tests/laws tests/contracts

mutants: .venv/.dev ## change the algorithms line by line and see that a test goes red (long)
	$(BIN)/python bench/mutants.py

bench: .venv/.dev ## measure, side by side in one run (long)
	@for script in bench/*.py; do case $$script in */mutants.py|*/results*.py|*/workload.py) ;; *) echo "== $$script"; $(BIN)/python $$script || exit 1;; esac; done

bench-engines: .venv/.dev ## measure the engines side by side, with Nemo and clingo (long)
	$(BIN)/python bench/engines.py

results: .venv/.dev ## train every experiment with five seeds on the data in ISOLOG_DATA, and write docs/results.md (long)
	$(BIN)/python bench/results.py "$$ISOLOG_DATA"

golden: .venv/.dev ## accept the present output as the golden files
	ISOLOG_GOLDEN=accept $(BIN)/pytest -q tests/golden

docs: .venv/.dev ## write the generated pages
	$(BIN)/python -m isolog.cli.reference docs/cli.md

clean: ## remove what the commands made
	rm -rf .venv .pytest_cache .hypothesis .ruff_cache isolog-demo
