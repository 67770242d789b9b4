# Two commands do everything: `make demo` runs the main job, `make test` every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_VENV := .venv-docs
DOCS_READY := $(DOCS_VENV)/.ready

# Public data sets, where a copy stands beside the checkout.
SHARED_DATA := $(wildcard ../shared/data)
ifneq ($(SHARED_DATA),)
export SCUMBLE_DATA ?= $(abspath $(SHARED_DATA))
endif

.PHONY: demo test types compiled docs bench format lock clean

demo: $(READY)
	$(BIN)/scumble demo --output demo

# Each of the two processes takes one half of the tests, and then from what the other has left:
# tests of a file stay together, so that what they share is made once. They are two already, so
# that neither gets further threads for its matrices.
test: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(MAKE) --no-print-directory --jobs=2 types compiled
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

types: $(READY)
	$(BIN)/mypy

compiled: $(READY)
	$(BIN)/python tools/compile_loops.py

# The site has packages of its own, which nothing else needs. Warnings are errors.
docs: $(DOCS_READY)
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --strict
	$(DOCS_VENV)/bin/python tools/check_site.py site

bench: $(READY)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The set-up is done once, and again only when what it depends on has changed.
$(READY): pyproject.toml requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "scumble needs Python 3.11 or later: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(DOCS_READY): requirements-docs.txt
	test -x $(DOCS_VENV)/bin/python || $(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-docs.txt
	touch $@

# Pin the versions that are installed now (after upgrading them by hand).
lock: $(READY)
	$(BIN)/python -m pip list --format=freeze --exclude scumble --exclude pip --exclude setuptools > requirements.txt

clean:
	rm -rf $(VENV) $(DOCS_VENV) build dist demo site .mypy_cache .pytest_cache .ruff_cache .hypothesis
