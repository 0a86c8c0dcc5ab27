# A thin front to meson; `make help` lists what there is.
BUILD ?= build
SANITIZED ?= build-san

all: $(BUILD)/build.ninja ## build the program at build/bperc
	@ninja -C $(BUILD)
	@tools/ready $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

setup: ## install what `make` needs, as Debian packages; `make setup-test`, -web, -docs, ... what these need
	@tools/setup

setup-%:
	@tools/setup $*

$(BUILD)/build.ninja:
	@tools/setup
	@tools/configure $(BUILD) --prefix=/usr/local

demo: setup-demo all ## solve problems; count solutions; fit a table; the page of every claim in report/
	@tools/demo $(BUILD)/bperc

test: ## all tests, plain and sanitized
	@tools/setup demo python test
	@tools/configure $(BUILD) --prefix=/usr/local -Dtests=enabled -Dpython=enabled
	@tools/configure $(SANITIZED) --buildtype=debugoptimized \
	  -Db_sanitize=address,undefined -Db_lundef=false \
	  -Dcheck=true -Dtests=enabled -Dpython=disabled -Dinteractive=disabled
	@ninja -C $(BUILD)
	@tools/test $(BUILD) $(SANITIZED)

python: ## the Python package in build/python, and its tests
	@tools/setup python
	@tools/configure $(BUILD) --prefix=/usr/local -Dpython=enabled
	@ninja -C $(BUILD)
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs --suite python
	@echo 'use it: PYTHONPATH="$(abspath $(BUILD))/python" python3'

wheel: ## dist/bperc-*.whl, which needs numpy, cffi and the C library only
	@tools/setup wheel
	@tools/wheel --explorer $(BUILD)/web/explorer.html

web: setup all explorer ## the explorer in one HTML file, build/web/explorer.html, and its tests
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs web/same web/explorer

explorer:
	@tools/setup web
	@$(MAKE) --no-print-directory -j2 -C web/explorer OUT="$(abspath $(BUILD))/web"

docs: ## the site in build/site: manual, references, notebooks, gallery, explorer, and its tests
	@tools/setup demo python docs
	@tools/configure $(BUILD) --prefix=/usr/local -Dpython=enabled
	@ninja -C $(BUILD)
	@$(MAKE) --no-print-directory explorer || echo "the site is made without the explorer" >&2
	@/usr/bin/python3 tools/site/build.py $(BUILD)
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs web/site

bench: setup all ## speed against plain baselines, ratios in one run
	@tools/bench $(BUILD)

bench-peers: setup all ## the same problems by clasp, CBC and GLPK (installs them), CPU time
	@tools/setup peers
	@tools/bench-peers $(BUILD)/bperc

lint: setup-lint all ## format, includes, warnings of gcc (with its analyzer) and clang
	@tools/lint --build $(BUILD)

lint-deep: setup-lint setup-deep all ## clang-tidy too
	@tools/lint --deep --build $(BUILD)

# PREFIX and DESTDIR as everywhere: make install PREFIX=$$HOME/.local
install: all ## library, headers, pkg-config file, man pages, completion
	@[ -z "$(PREFIX)" ] || meson configure $(BUILD) -Dprefix="$(PREFIX)"
	@meson install -C $(BUILD)

release: ## release/: tarball, Debian packages, wheel, explorer, checksums; reproducible
	@tools/setup python wheel release
	@tools/release

clean: ## remove what was built
	rm -rf $(BUILD) $(SANITIZED) build-threads build-wheel

.PHONY: all help setup demo test python wheel docs web explorer bench bench-peers lint lint-deep install release clean
