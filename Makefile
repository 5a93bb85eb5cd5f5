# Two commands do all the set-up:  make studio  and  make test.
# Needed: make and Python 3.11 or newer; another interpreter is chosen with  make test PYTHON=python3.12
# Known-good versions of everything are installed;  make test LATEST=1  takes the newest instead.

PYTHON ?= python3
LATEST ?=
ONLY ?=
WHAT ?=
SCENE ?=
REV ?= HEAD
MINUTES ?=
SEED ?=
CASES ?=
VENV := .venv
BIN := $(VENV)/bin
CLIENT := tinkerdyne/studio/client
# The lock also holds for what builds the package: older pips look there at the first name, newer ones at the second.
LOCK := requirements-lock.txt
LOCKED := $(if $(LATEST),,PIP_CONSTRAINT=$(LOCK) PIP_BUILD_CONSTRAINT=$(LOCK))
PIP := $(LOCKED) $(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(LATEST),--upgrade --upgrade-strategy eager)
PAGE := $(LOCKED) $(BIN)/python hatch_build.py
export TINKERDYNE_LATEST := $(LATEST)
# One stamp for each sort of versions, so that the other sort is installed anew.
STAMP := $(VENV)/.$(if $(LATEST),latest,locked)
OTHER := $(VENV)/.$(if $(LATEST),locked,latest)
PEERS := dm_control drake example-robot-data exudyn mujoco pin py-slvs pybullet pymunk rapier3d
WHEELS := $(PEERS:%=--only-binary %)

.PHONY: help studio protocol stubs docs film films pictures lock browser always test checked-page checked-python test-long scenes bench bench-studio bench-sketch same fuzz soak clean

help:
	@echo "make studio       set up, build the page, and start the studio in the browser; make studio SCENE=four_bar for another scene"
	@echo "make test         set up, and run the linter, the type checker and the tests; LATEST=1 with the newest versions of all libraries"
	@echo "make test-long    set up, and run the longer tests, most of them by hand in the browser"
	@echo "make scenes       set up, and run every scene of the gallery with its checks, the slow ones too"
	@echo "make bench        set up with the peers, and measure everything; make bench ONLY=loop for a part"
	@echo "make bench-studio set up, and measure the studio"
	@echo "make bench-sketch set up with the peers, and measure motion sketching"
	@echo "make same         set up, and compare bytes and times of simulations with those of a commit: make same REV=042fdbe"
	@echo "make fuzz         set up, and attack files, formulas, edits and the socket with random cases: make fuzz MINUTES=10 ONLY=scenes"
	@echo "make soak         set up, and run the gallery for long: energy, gap, memory; make soak MINUTES=1 ONLY=jansen"
	@echo "make lock         write requirements-lock.txt anew: the newest versions of all dependencies that go together"
	@echo "make docs         set up, and build the documentation site in build/site; open build/site/index.html"
	@echo "make film         set up, and draw the film of the README (needs Chromium)"
	@echo "make films        set up, and take the films of docs/sketching.md (needs Chromium); make films ONLY=die for one"
	@echo "make pictures     set up, and take the pictures of docs/studio.md (needs Chromium); make pictures ONLY='gizmo plots' for some"
	@echo "make protocol     write the page's types from tinkerdyne/studio/wire/messages"
	@echo "make stubs        write tinkerdyne/__init__.pyi, the public door for type checkers and editors"
	@echo "make clean        remove the environment and everything generated"

studio: $(STAMP)
	$(PAGE)
	$(BIN)/tinkerdyne studio $(SCENE)

protocol: $(STAMP)
	$(BIN)/python -m tinkerdyne.studio.wire.typescript

stubs: $(STAMP)-dev
	$(BIN)/python -m tools.stubs

lock: $(STAMP)-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python tools/lock.py

# Before the first test: what draws the page is there, or is installed, or a sentence says what to do.
browser: $(STAMP)-dev
	@$(BIN)/python tools/browser.py

docs: $(STAMP)-docs
	$(PAGE)
	$(BIN)/python -m tools.site

film: $(STAMP)-dev browser
	$(PAGE)
	$(BIN)/tinkerdyne render docs/film.py --out docs/pictures/film.gif --rate 20 --size 700x300

films: $(STAMP)-dev browser
	$(PAGE)
	$(BIN)/python -m tools.films $(ONLY)

pictures: $(STAMP)-dev browser
	$(PAGE)
	$(BIN)/python -m tools.pictures $(ONLY)

# One thread: the digits of BLAS change with the number of threads, and measurements with the load.
test test-long scenes bench bench-studio bench-sketch fuzz soak: export OMP_NUM_THREADS := 1
test test-long scenes bench bench-studio bench-sketch fuzz soak: export OPENBLAS_NUM_THREADS := 1
test test-long scenes bench bench-studio bench-sketch fuzz soak: export MKL_NUM_THREADS := 1

# One worker more than two cores: tests with a browser wait half of their time.
WORKERS ?= 3

# The page on one core, and on the other the linters and what all workers of pytest would else compile, each for itself.
test: $(STAMP)-dev browser
	$(MAKE) --jobs 2 checked-page checked-python
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not long"

checked-page:
	$(PAGE) lint test
	$(PAGE)

checked-python:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -c 'from tinkerdyne.studio.session.warm import warm; warm()'
	$(BIN)/mypy tinkerdyne

test-long: $(STAMP)-lab browser
	$(PAGE)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m long

scenes: $(STAMP)
	$(BIN)/tinkerdyne gallery run --all

bench: $(STAMP)-peers
	$(BIN)/python -m benchmarks $(ONLY)

bench-studio: $(STAMP)-dev browser
	$(BIN)/python -m benchmarks.bars_studio

bench-sketch: $(STAMP)-peers
	$(BIN)/python -m benchmarks sketch

# Both trees run with the libraries installed here. ONLY='random 17' takes a part, WHAT=--object the object code of the core.
same: $(STAMP)
	$(BIN)/python -m benchmarks.same --rev $(REV) --only '$(ONLY)' $(WHAT)

# A seed that failed runs again with  make fuzz ONLY=scenes SEED=… CASES=1
fuzz: $(STAMP)-dev
	$(BIN)/python -m benchmarks.fuzz $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES))

soak: $(STAMP)-dev
	$(BIN)/python -m benchmarks.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(ONLY),--only $(ONLY))

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps: nothing is installed again until pyproject.toml or the lock changes; with LATEST, every time.

NEEDS := pyproject.toml $(if $(LATEST),always,$(LOCK))
FRESH := @rm -rf $(OTHER)* $(if $(LATEST),$(CLIENT)/node_modules $(CLIENT)/dist)

$(STAMP): $(NEEDS) | $(VENV)/.created
	$(FRESH)
	@echo "installing tinkerdyne into $(VENV)"
	$(PIP) --editable .
	@touch $@

$(STAMP)-dev: $(NEEDS) | $(VENV)/.created
	$(FRESH)
	@echo "installing tinkerdyne and its development tools into $(VENV)"
	$(PIP) --editable '.[dev]'
	@touch $@ $(STAMP)

$(STAMP)-lab: $(STAMP)-dev
	@echo "installing the notebook and the USD that long tests open into $(VENV)"
	$(PIP) --editable '.[dev,lab]'
	@touch $@

$(STAMP)-docs: $(NEEDS) | $(VENV)/.created
	$(FRESH)
	@echo "installing tinkerdyne and what makes its documentation into $(VENV)"
	$(PIP) --editable '.[docs]'
	@touch $@ $(STAMP)

# Peers come as wheels only: building one can take half an hour. One without a wheel for this machine is left out, and
# the others are still compared.
$(STAMP)-peers: $(NEEDS) | $(VENV)/.created
	$(FRESH)
	@echo "installing tinkerdyne and the peers it is measured against into $(VENV)"
	$(PIP) $(WHEELS) --editable '.[dev,peers]' || { \
	  $(PIP) --editable '.[dev]' && \
	  for peer in $(PEERS); do $(PIP) $(WHEELS) "$$peer" || echo "peer $$peer cannot be installed here and is left out"; done; }
	@touch $@ $(STAMP)-dev $(STAMP)

$(VENV)/.created:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "'$(PYTHON)' was not found; install Python 3.11 or newer, or name it: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version). Name another: make PYTHON=python3.12"; \
	  exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing $$package, which Debian keeps apart from Python"; \
	    apt-get update -qq && { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$$package" || \
	      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; }; \
	  else \
	    echo "Python's venv module is missing; install it first, on Debian or Ubuntu: sudo apt-get install $$package"; \
	    exit 1; \
	  fi; }
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@
