# A thin front to meson; `make help` lists what there is.
BUILD ?= build
SANITIZED ?= build-san

all: $(BUILD)/build.ninja ## build the program at build/bperc
	@ninja -C $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

setup: ## install the Debian packages that are missing
	@tools/setup

$(BUILD)/build.ninja:
	@tools/setup
	@meson setup $(BUILD) --prefix=/usr/local

$(SANITIZED)/build.ninja:
	@tools/setup
	@meson setup $(SANITIZED) --buildtype=debugoptimized \
	  -Db_sanitize=address,undefined -Db_lundef=false \
	  -Dcheck=true -Dpython=disabled -Dinteractive=disabled

demo: setup all ## solve a problem; judge every claim of the paper into report/
	@tools/demo $(BUILD)/bperc

test: setup all $(SANITIZED)/build.ninja ## all tests, plain and sanitized
	@tools/setup test
	@tools/test $(BUILD) $(SANITIZED)

python: setup all ## the Python package in build/python, and its tests
	@tools/setup test
	@tools/setup pip
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs --suite python
	@echo "use it with PYTHONPATH=$(BUILD)/python, or: pip install --no-index --no-build-isolation ."

web: setup all explorer ## the explorer in one HTML file, build/web/explorer.html, and its tests
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs web/same web/explorer

explorer:
	@tools/setup web
	@$(MAKE) --no-print-directory -j2 -C web/explorer OUT="$(abspath $(BUILD))/web"

docs: setup all ## the site in build/site: manual, references, notebooks, gallery, explorer, and its tests
	@tools/setup docs
	@$(MAKE) --no-print-directory explorer || echo "the site is made without the explorer" >&2
	@/usr/bin/python3 tools/site/build.py $(BUILD)
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs web/site

bench: setup all ## speed against plain baselines, ratios in one run
	@tools/bench $(BUILD)

bench-peers: setup all ## the same problems by clasp, CBC and GLPK (installs them), CPU time
	@tools/setup peers
	@tools/bench-peers $(BUILD)/bperc

lint: setup all ## format, includes, warnings of gcc (with its analyzer) and clang
	@tools/lint

# PREFIX and DESTDIR as everywhere: make install PREFIX=$$HOME/.local
install: all ## library, headers, pkg-config file, man pages, completion
	@[ -z "$(PREFIX)" ] || meson configure $(BUILD) -Dprefix="$(PREFIX)"
	@meson install -C $(BUILD)

release: setup ## release/: tarball, Debian packages, checksums
	@tools/setup release
	@tools/release

clean: ## remove what was built
	rm -rf $(BUILD) $(SANITIZED) build-threads

.PHONY: all help setup demo test python docs web explorer bench bench-peers lint install release clean
