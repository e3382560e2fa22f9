# Everything that is done to oldhand. `make demo` and `make test` need Python 3.11 or newer
# and nothing else: each sets up what it uses in .venv, from pinned packages.

PYTHON ?= python3
BIN := .venv/bin
CODE := src tests bench examples tools

.PHONY: help demo test check docs format bench soak bare pins clean

help:
	@echo 'make demo    see what oldhand does, on your own sessions or on shipped ones'
	@echo 'make test    run all tests but the long ones'
	@echo 'make check   lint, types, layers'
	@echo 'make soak    run the long loops of kills and races'
	@echo 'make bench   measure every claim, and write docs/benchmarks.md'
	@echo 'make docs    renew docs/commands.md'
	@echo 'make bare    install the built wheel without development packages, and use it'
	@echo 'make pins    renew requirements/*.txt'

.venv/core: requirements/core.txt requirements/build.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'oldhand needs Python 3.11 or newer; name one: make PYTHON=python3.12'; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes \
		-r requirements/core.txt -r requirements/build.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/core requirements/dev.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

demo: .venv/core
	@$(BIN)/oldhand demo

test: .venv/dev
	$(BIN)/python -m pytest -q -n auto -m 'not soak'

soak: .venv/dev
	$(BIN)/python -m pytest -q -m soak --timeout 1800

check: .venv/dev
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/command_reference.py --check \
		|| { echo 'docs/commands.md is not current: make docs'; exit 1; }

format: .venv/dev
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

docs: .venv/dev
	$(BIN)/python tools/command_reference.py

bench: .venv/dev
	$(BIN)/python -m bench

bare:
	rm -rf build/bare && mkdir -p build/bare
	$(PYTHON) -m venv build/bare/venv
	build/bare/venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes \
		-r requirements/core.txt
	$(PYTHON) -m pip wheel -q --disable-pip-version-check --no-deps -w build/bare .
	build/bare/venv/bin/python -m pip install -q --disable-pip-version-check --no-deps build/bare/*.whl
	HOME=$(CURDIR)/build/bare build/bare/venv/bin/oldhand --help
	HOME=$(CURDIR)/build/bare build/bare/venv/bin/oldhand demo

# Universal pins with hashes, one file for each requirements/*.in; no index address is written.
pins: .venv/dev
	$(BIN)/python -m pip install -q uv
	set -e; for source in requirements/*.in; do $(BIN)/uv pip compile -q --universal \
		--python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-header $$source -o $${source%.in}.txt; done

clean:
	rm -rf .venv build dist
