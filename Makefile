# sdkctl: build, test and install. `make test` on a fresh clone installs what the tests need.

PREFIX = /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
DESTDIR =

INSTALL = install
INSTALL_PROGRAM = $(INSTALL)
INSTALL_DATA = $(INSTALL) -m 644
SWIFT = swift
CLANG = clang
STRIP = strip

DEBUG = .build/debug/sdkctl
STRIPPED = .build/stripped/sdkctl
STATIC = $(CURDIR)/.build/static
SWIFT_SOURCES = Package.swift Sources Tests \
  $(wildcard Sandbox/Package.swift Sandbox/Sources Sandbox/Tests) \
  Examples/Package.swift Examples/Sources Examples/Tests

.PHONY: all build demo release test docs check bench bench-check coverage install install-sandbox uninstall clean packages

all: build

build:
	$(SWIFT) build

# What a process pays for in its first millisecond; docs/performance.md has the figures.
# libstdc++ and libgcc are linked from their archives: a directory that holds nothing but
# libstdc++.a comes first in the search path. No symbol is exported, and no directory beside the
# program is searched for libraries. Relocations are packed (glibc 2.36 and later). The module of
# regular expressions, which the compiler imports by default, is not linked. Each function has a
# section of its own, so that those that are never called are left out.
RELEASE = --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -use-ld=lld -Xlinker -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
  -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
  -Xswiftc -Xfrontend -Xswiftc -function-sections

release:
	mkdir -p $(STATIC)
	ln -sf "$$($(CLANG) -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a
	$(SWIFT) build -c release --product sdkctl $(RELEASE)
	mkdir -p $(dir $(STRIPPED))
	$(STRIP) -o $(STRIPPED) .build/release/sdkctl

packages:
	Tests/install-packages build test

test: packages
	$(SWIFT) build --build-tests
	$(SWIFT) build --build-tests --package-path Sandbox
	$(SWIFT) build --build-tests --package-path Examples
	Tests/run

docs: build
	$(DEBUG) __generate .

check: packages
	$(SWIFT) format lint --strict --parallel -r $(SWIFT_SOURCES)
	Tests/check-sources
	$(SWIFT) build
	Tests/check-docs $(DEBUG)

bench: release
	Tests/install-packages test bench
	Tests/Bench/run $(STRIPPED)
	Tests/Bench/bulk $(STRIPPED)
	Tests/Bench/pin_check.py $(STRIPPED)
	Tests/Bench/transfers $(STRIPPED)

# Fails if a budget of page faults is exceeded: they do not vary as times do.
bench-check: release
	Tests/install-packages test
	Tests/Bench/run --check $(STRIPPED)

# The newcomer's command: builds, and shows the whole job against the sandbox.
# `make demo BROWSER=1` lets a person sign in, in the real browser.
demo:
	Tests/install-packages build
	@echo "building sdkctl and the sandbox; the first time takes about five minutes"
	$(SWIFT) build
	$(SWIFT) build --package-path Sandbox
	Sandbox/Demo/run $(if $(filter command,$(firstword $(origin BROWSER))),--browser)

coverage: packages
	$(SWIFT) test --enable-code-coverage
	Tests/coverage

$(STRIPPED):
	$(MAKE) release

# Builds only when `make release` has not run yet, so that `sudo make install` need not know Swift.
install: $(STRIPPED)
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man7 \
	  $(DESTDIR)$(bashcompletiondir) $(DESTDIR)$(zshcompletiondir) \
	  $(DESTDIR)$(fishcompletiondir)
	$(INSTALL_PROGRAM) $(STRIPPED) $(DESTDIR)$(bindir)/sdkctl
	$(INSTALL_DATA) man/*.1 $(DESTDIR)$(mandir)/man1/
	$(INSTALL_DATA) man/*.7 $(DESTDIR)$(mandir)/man7/
	$(INSTALL_DATA) completions/sdkctl.bash $(DESTDIR)$(bashcompletiondir)/sdkctl
	$(INSTALL_DATA) completions/_sdkctl $(DESTDIR)$(zshcompletiondir)/_sdkctl
	$(INSTALL_DATA) completions/sdkctl.fish $(DESTDIR)$(fishcompletiondir)/sdkctl.fish

# The sandbox is a package of its own, and takes minutes to build.
install-sandbox:
	$(SWIFT) build --package-path Sandbox -c release --static-swift-stdlib
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1
	$(INSTALL_PROGRAM) -s --strip-program=$(STRIP) Sandbox/.build/release/sdkctl-sandbox $(DESTDIR)$(bindir)/
	$(INSTALL_DATA) Sandbox/man/sdkctl-sandbox.1 $(DESTDIR)$(mandir)/man1/

uninstall:
	rm -f $(DESTDIR)$(bindir)/sdkctl-sandbox $(DESTDIR)$(mandir)/man1/sdkctl-sandbox.1
	rm -f $(DESTDIR)$(bindir)/sdkctl
	for page in man/*.[17]; do \
	  rm -f "$(DESTDIR)$(mandir)/man$${page##*.}/$${page#man/}"; \
	done
	rm -f $(DESTDIR)$(bashcompletiondir)/sdkctl $(DESTDIR)$(zshcompletiondir)/_sdkctl \
	  $(DESTDIR)$(fishcompletiondir)/sdkctl.fish

clean:
	rm -rf .build Sandbox/.build Examples/.build Tests/artefacts
