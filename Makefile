# `make demo` and `make test` work on a fresh machine with Python 3.11 or newer; nothing else needs to be set up first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BLENDER ?= .venv-blender
OUT ?= runs/demo

BRIDGES ?= .venv-bridges
TORCH ?= torch
.PHONY: demo test check unit study test-browser extension test-blender test-bridges bench peers gallery docs clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "supple needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.supple-installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.supple-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.supple-installed

demo: $(VENV)/.supple-installed  ## run the default scene and say where its results and the page about it are
	$(BIN)/supple run jelly --out $(OUT) --overwrite --report

test: check unit  ## lint, types, import contracts and all tests

check: $(VENV)/.supple-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.supple-dev
	$(BIN)/python -m pytest -m "not study and not browser and not blender and not bridges" -n 2 --dist loadfile

study: $(VENV)/.supple-dev  ## the long numerical studies, not part of `make test`
	$(BIN)/python -m pytest -m study

$(VENV)/.supple-browser: pyproject.toml $(VENV)/.supple-dev
	$(BIN)/python -m pip install --quiet --editable '.[dev,browser]'
	touch $@

test-browser: $(VENV)/.supple-browser  ## the pages in a real browser (Chromium; installed by apt-get where root may)
	@command -v chromium chromium-browser google-chrome $(CHROMIUM) > /dev/null || \
	  { test "$$(id -u)" = 0 && apt-get install -y chromium; } || \
	  { echo "no Chromium here and none could be installed: install it, or name one with CHROMIUM=/path"; exit 1; }
	$(BIN)/python -m pytest -m browser tests/browser

$(BLENDER)/.installed: | $(BIN)/python
	$(PYTHON) -m venv $(BLENDER)
	echo '*' > $(BLENDER)/.gitignore
	$(BLENDER)/bin/python -m pip install --quiet bpy==5.0.1 numpy
	touch $@

extension: | $(BIN)/python  ## build/supple-VERSION.zip, for Blender's preferences
	$(BIN)/python tools/build_extension.py build

test-blender: $(VENV)/.supple-dev $(BLENDER)/.installed  ## Blender imports the exports (downloads 400 MB once; needs Python 3.11)
	BLENDER=$(BLENDER) $(BIN)/python -m pytest -m blender tests/blender

$(BRIDGES)/.installed: pyproject.toml | $(BIN)/python
	$(PYTHON) -m venv $(BRIDGES)
	echo '*' > $(BRIDGES)/.gitignore
	$(BRIDGES)/bin/python -m pip install --quiet '$(TORCH)' --editable '.[jax,test]'
	touch $@

test-bridges: $(BRIDGES)/.installed  ## runs inside PyTorch and JAX (downloads them once; TORCH=torch==X+cpu takes a smaller wheel)
	$(BRIDGES)/bin/python -m pytest -m bridges tests/bridges

bench: $(VENV)/.supple-dev  ## speed, on an otherwise idle machine
	$(BIN)/python benchmarks/newton_iteration.py
	$(BIN)/python benchmarks/bar_steps.py
	$(BIN)/python benchmarks/small.py
	$(BIN)/python benchmarks/scaling.py
	$(BIN)/python benchmarks/solver_choice.py
	$(BIN)/python benchmarks/contact.py
	$(BIN)/python benchmarks/torus.py
	$(BIN)/python benchmarks/constraints.py
	$(BIN)/python benchmarks/energy_momentum.py
	$(BIN)/python benchmarks/swing.py
	$(BIN)/python benchmarks/modes.py
	$(BIN)/python benchmarks/stiffness_cost.py
	$(BIN)/python benchmarks/xpbd.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/formulas.py
	$(BIN)/python benchmarks/render.py
	$(BIN)/python benchmarks/sweep.py
	$(BIN)/python benchmarks/gradient.py
	$(BIN)/python benchmarks/streaming.py

gallery: $(VENV)/.supple-dev  ## every claim of the sources, measured; then their page in the docs (about 15 minutes)
	$(BIN)/supple gallery --out build/gallery --check
	$(BIN)/python tools/write_gallery.py build/gallery

peers: $(VENV)/.supple-dev  ## the same workloads in other engines, on an otherwise idle machine (about 7 minutes; downloads once)
	$(BIN)/python benchmarks/peers/compare.py --save benchmarks/peers/sitting.json
	$(BIN)/python tools/write_measurements.py

docs: $(VENV)/.supple-dev  ## rewrite generated tables, sections and pictures
	$(BIN)/python tools/write_tables.py
	$(BIN)/python tools/write_materials.py --draw
	$(BIN)/python tools/write_api.py
	$(BIN)/python tools/write_errata.py
	$(BIN)/python tools/write_measurements.py

clean:
	rm -rf $(VENV) .numba_cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
