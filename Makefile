# `make demo` and `make test` work on a fresh machine with Python 3.11 or newer; nothing else needs to be set up first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BLENDER ?= .venv-blender
OUT ?= runs/demo

BRIDGES ?= .venv-bridges
TORCH ?= torch
SUPPLY ?= .venv-supply
MINIMUM ?= .venv-minimum
SEED ?= 1
.PHONY: demo test check kernels unit coverage study test-browser extension test-blender test-bridges bench peers gallery docs clean
.PHONY: fuzz fuzz-again fuzz-files fuzz-keys fuzz-page kills soak lock audit licences sbom test-minimum mutants site package notebooks

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "supple needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

# exact versions, each file by its hash (docs/develop/supply-chain.md); pip itself comes from the lock
LOCKED := -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement
OURS := -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

$(VENV)/.supple-installed: pyproject.toml requirements/run.txt | $(BIN)/python
	$(BIN)/python $(LOCKED) requirements/run.txt
	$(BIN)/python $(OURS)
	touch $@

# most of these packages are imported partly or never, so Python compiles modules on import
$(VENV)/.supple-dev: $(VENV)/.supple-installed requirements/dev.txt
	$(BIN)/python $(LOCKED) requirements/dev.txt --no-compile
	touch $@

$(VENV)/.supple-site: requirements/site.txt | $(BIN)/python
	$(BIN)/python $(LOCKED) requirements/site.txt
	touch $@

demo: $(VENV)/.supple-installed  ## run the default scene; prints the folder of its results and of the page about it
	$(BIN)/supple run jelly --out $(OUT) --overwrite --report

# types are checked while kernels compile: each takes one core
test: $(VENV)/.supple-dev  ## lint, types, import contracts and all tests
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target check kernels
	$(MAKE) --no-print-directory unit

site: $(VENV)/.supple-site  ## build/site: the documentation as pages that require no network; fails on broken links
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "build/site/index.html"

check: $(VENV)/.supple-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# tests start hundreds of processes, each of which would compile all sources again without cached bytecode
kernels unit coverage: export PYTHONDONTWRITEBYTECODE =

kernels: $(VENV)/.supple-dev
	$(BIN)/supple warm --missing

unit: kernels
	$(BIN)/python -m pytest -m "not study and not browser and not blender and not bridges" --ignore=tests/browser --ignore=tests/bridges \
	  -n 2 --dist worksteal --durations=25

coverage: kernels  ## branch coverage of the same tests: a table, and pages in build/coverage (twice the time of make test)
	$(BIN)/python -m pytest -m "not study and not browser and not blender and not bridges" --ignore=tests/browser --ignore=tests/bridges \
	  -n 2 --dist worksteal --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

study: $(VENV)/.supple-dev  ## the long numerical studies, not part of `make test`
	$(BIN)/python -m pytest -m study

test-browser: $(VENV)/.supple-dev site  ## the pages in a real browser (Chromium; installed by apt-get where root may)
	@command -v chromium chromium-browser google-chrome $(CHROMIUM) > /dev/null || \
	  { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -y -q chromium; } || \
	  { echo "no Chromium found, and it could not be installed: install it, or set CHROMIUM=/path"; exit 1; }
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

$(SUPPLY)/.installed: requirements/supply.txt
	$(PYTHON) -m venv $(SUPPLY)
	echo '*' > $(SUPPLY)/.gitignore
	$(SUPPLY)/bin/python $(LOCKED) requirements/supply.txt
	touch $@

lock: $(SUPPLY)/.installed  ## rewrite the locks from pyproject.toml; LOCK=--upgrade takes the newest versions
	$(SUPPLY)/bin/python tools/supply/write_locks.py $(LOCK)

audit: $(SUPPLY)/.installed  ## known vulnerabilities of the locked versions; ends with 3 if no advisory service answers
	@$(SUPPLY)/bin/python tools/supply/audit.py; code=$$?; test $$code = 0 || echo "audit ended with $$code"; exit $$code

licences: $(VENV)/.supple-dev $(VENV)/.supple-site  ## the table of licences in the docs; fails if a required package is under the GPL or has no licence
	$(BIN)/python tools/supply/write_licences.py

sbom: $(VENV)/.supple-dev $(SUPPLY)/.installed  ## build/supple.cdx.json: the bill of materials, checked by its schema
	$(BIN)/python tools/supply/write_sbom.py build/supple.cdx.json
	$(SUPPLY)/bin/python tools/supply/validate_sbom.py build/supple.cdx.json

$(MINIMUM)/.installed: pyproject.toml requirements/minimum.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and "the oldest versions have wheels for Python 3.11: make PYTHON=python3.11 test-minimum")'
	$(PYTHON) -m venv --clear $(MINIMUM)
	echo '*' > $(MINIMUM)/.gitignore
	$(MINIMUM)/bin/python $(LOCKED) requirements/minimum.txt
	$(MINIMUM)/bin/python $(OURS)
	touch $@

test-minimum: $(MINIMUM)/.installed  ## part of the tests with the oldest dependencies that pyproject.toml allows
	$(MINIMUM)/bin/python -m pytest -m "not study and not browser and not blender and not bridges" $$(cat requirements/minimum-tests)

mutants: $(VENV)/.supple-dev $(SUPPLY)/.installed  ## small errors injected into the physics, and the number that the tests detect (N=60: about 40 minutes)
	$(SUPPLY)/bin/python tools/mutants --python $(BIN)/python --count $(or $(N),60) --seed $(SEED)

package: $(VENV)/.supple-dev  ## dist/: source archive and wheel, checked, installed into an empty environment and run there
	$(BIN)/python tools/package dist

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

fuzz: $(VENV)/.supple-dev  ## random scenes in processes with limits; prints each bug with a small reproducer: make fuzz N=10000 SEED=1
	PYTHONPATH=tests $(BIN)/python -m fuzz.main --scenes $(or $(N),10000) --seed $(SEED)

fuzz-again: $(VENV)/.supple-dev  ## random scenes that run, run again, on two threads, and killed and resumed, compared to the bit
	PYTHONPATH=tests $(BIN)/python -m fuzz.again --scenes $(or $(N),2000) --seed $(SEED)

fuzz-files: $(VENV)/.supple-dev  ## damaged meshes, clips, run folders and formulas, and odd options of all commands, in processes with limits
	cd tests && $(abspath $(BIN))/python -m fuzz.files.fuzz_files --meshes 2000 --folders 1000 --clips 1000 --formulas 300 --commands 1500 --seed $(SEED)

fuzz-page: $(VENV)/.supple-dev  ## random visitors of the live page: every control, the mouse handle, recordings, saved scenes
	PYTHONPATH=tests $(BIN)/python -m fuzz.page.fuzz_page --visits $(or $(N),1000) --seed $(SEED)

fuzz-keys: $(VENV)/.supple-dev  ## every key of a scene and every option of a command, with values up a ladder: make fuzz-keys PART=1/8
	PYTHONPATH=tests $(BIN)/python -m fuzz.ladders --part $(or $(PART),1/1) --keep build/ladders

kills: $(VENV)/.supple-dev  ## runs, fits and sweeps killed at random moments and resumed, compared with undisturbed ones
	$(BIN)/python benchmarks/kills.py

soak: $(VENV)/.supple-dev  ## time per step and memory of very long runs
	$(BIN)/python benchmarks/soak.py

gallery: $(VENV)/.supple-dev  ## measure every claim of the sources and rewrite their page in the docs (about 15 minutes)
	$(BIN)/supple gallery --out build/gallery --check
	$(BIN)/python tools/write_gallery.py build/gallery

peers: $(VENV)/.supple-dev  ## the same workloads in other engines, on an otherwise idle machine (about 7 minutes; downloads once)
	$(BIN)/python benchmarks/peers/compare.py --save benchmarks/peers/sitting.json
	$(BIN)/python tools/write_measurements.py
	$(BIN)/python tools/draw_guides.py measurements

notebooks: $(VENV)/.supple-dev  ## execute the notebooks and store them with their outputs
	$(BIN)/python tools/run_notebooks.py

docs: $(VENV)/.supple-dev  ## rewrite generated tables, sections and pictures
	$(BIN)/python tools/write_tables.py
	$(BIN)/python tools/write_scene_file.py
	$(BIN)/python tools/write_materials.py --draw
	$(BIN)/python tools/write_api.py
	$(BIN)/python tools/write_cli.py
	$(BIN)/python tools/write_columns.py
	$(BIN)/python tools/draw_layers.py
	$(BIN)/python tools/draw_flows.py
	$(BIN)/python tools/draw_theory_map.py
	$(BIN)/python tools/draw_runs.py
	$(BIN)/python tools/draw_maps.py
	$(BIN)/python tools/write_errata.py
	$(BIN)/python tools/write_measurements.py

clean:
	rm -rf $(VENV) .numba_cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
