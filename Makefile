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
# That of Swift: GNU strip removes the segment that makes the loader's tables read-only (RELRO).
STRIP = llvm-objcopy --strip-all

DEBUG = .build/debug/sdkctl
STRIPPED = .build/stripped/sdkctl
SANDBOX = .build/stripped/sdkctl-sandbox
STATIC = $(CURDIR)/.build/static
SWIFT_SOURCES = Package.swift Sources Tests \
  Examples/Package.swift Examples/Sources Examples/Tests

# A key of ssh for the checksums of `make dist`.
SIGN =

.PHONY: all build demo release release-sdkctl release-sandbox deb dist test tests scripts docs pictures check mutate fuzz sanitize bench bench-check \
  coverage install uninstall clean packages

all: build

build:
	$(SWIFT) build

# Nothing of sdkctl depends on the directory in which it was built, so that the same commit makes the same program:
# no paths of C files, no hashes of the compiler's options, no modules for the debugger.
SAME = -Xcc -ffile-prefix-map=$(CURDIR)/= -Xlinker --build-id=none
STRIP_SAME = $(STRIP) -R .swift_modhash -R .swift_ast

# What a process pays for in its first millisecond; docs/performance.md has the figures.
# libstdc++ and libgcc are linked from their archives: a directory that holds nothing but
# libstdc++.a comes first in the search path. No symbol is exported, and no directory beside the
# program is searched for libraries. Relocations are packed (glibc 2.36 and later). The module of
# regular expressions, which the compiler imports by default, is not linked. Each function has a
# section of its own, so that those that are never called are left out, and the same code is there once.
# -Osize: the program is smaller, and no request is slower; many tokens are decoded at three quarters of the rate.
# Tables that exceptions need are left out: nothing throws one, and a stripped program prints no backtrace.
RELEASE = -Xswiftc -Osize --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -use-ld=lld -Xlinker -L$(STATIC) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
  -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --icf=all \
  -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/Packaging/no-unwinding.ld $(SAME)

# Beside each other: SDKCore and Commands, one after the other, leave a core idle. Each has a build folder of its own.
release:
	$(MAKE) -j2 release-sdkctl release-sandbox

release-sdkctl: PRODUCT = sdkctl
release-sdkctl: SCRATCH = .build
release-sandbox: PRODUCT = sdkctl-sandbox
release-sandbox: SCRATCH = .build/sandbox
release-sdkctl release-sandbox:
	mkdir -p $(STATIC) $(dir $(STRIPPED))
	ln -sf "$$($(CLANG) -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a
	$(SWIFT) build -c release --scratch-path $(SCRATCH) --product $(PRODUCT) -debug-info-format none $(RELEASE)
	$(STRIP_SAME) $(SCRATCH)/release/$(PRODUCT) $(dir $(STRIPPED))$(PRODUCT)

packages:
	Tests/install-packages build test

test: packages tests
	Tests/run

# Examples shares the modules of the root package, in one scratch path. SwiftPM keeps one plan there,
# whatever package it is of: it is made anew, and last that of the root, for the next `swift build`.
tests:
	$(SWIFT) build --build-tests --package-path Examples --scratch-path .build --disable-build-manifest-caching
	$(SWIFT) build --build-tests --disable-build-manifest-caching

# The scripts of Tests/Scripts, and the list of options; UPDATE=1 writes what comes out now, for review.
scripts:
	$(SWIFT) build --build-tests
	SDKCTL_UPDATE=$(UPDATE) .build/debug/sdkctlPackageTests.xctest --testing-library swift-testing \
	  --filter 'ScriptTests|OptionTests/listed'

docs: build
	$(DEBUG) __generate .
	$(DEBUG)-sandbox __generate .

# The pictures of README and docs, from what the programs print; `make tests` builds both programs.
pictures: tests
	python3 Tests/Pictures/make.py

check: packages
	$(SWIFT) format lint --strict --parallel -r $(SWIFT_SOURCES)
	Tests/check-sources
	$(SWIFT) build
	Tests/check-docs $(DEBUG)

# Which guards of the changed files no test holds; MUTATE has the arguments: `Tests/Mutate/run --help`.
mutate:
	Tests/Mutate/run $(MUTATE)

# Ten minutes of fuzzing what reads bytes of strangers; FUZZ has the seconds of each target, and targets.
fuzz:
	Tests/Fuzz/run $(FUZZ)

# The Swift tests with the address sanitizer, the sandbox with it, and the tests with that of threads; each builds all anew.
sanitize: packages
	Tests/sanitize address
	Tests/sanitize sandbox
	Tests/sanitize thread

bench: packages
	Tests/install-packages bench
	$(MAKE) release
	Tests/Bench/run $(STRIPPED)
	Tests/Bench/bulk $(STRIPPED)
	Tests/Bench/pin_check.py $(STRIPPED)
	Tests/Bench/profiles.py $(STRIPPED)
	Tests/Bench/transfers $(STRIPPED)
	Tests/Bench/proxy $(STRIPPED)
	Tests/Bench/shared_store.py $(STRIPPED)

# Fails if a budget of page faults is exceeded: they do not vary as times do.
bench-check: packages
	$(MAKE) release-sdkctl
	Tests/Bench/run --check $(STRIPPED)

# The newcomer's command: builds, and shows the whole job against the sandbox.
# `make demo BROWSER=1` lets a person sign in, in the real browser.
demo:
	Tests/install-packages build
	@echo "building sdkctl and the sandbox; the first time takes about two minutes"
	$(SWIFT) build --product sdkctl
	$(SWIFT) build --product sdkctl-sandbox
	Tests/Demo/run $(if $(filter command,$(firstword $(origin BROWSER))),--browser)

# Debian packages, in .build/packages.
deb: release
	Packaging/deb .build/packages

# What a release consists of, in .build/packages; SIGN=KEY signs the checksums with a key of ssh.
dist: deb
	Packaging/dist .build/packages $(SIGN)

coverage: packages
	$(SWIFT) test --enable-code-coverage
	Tests/coverage

# Builds nothing: it often runs as root, who may not have Swift, and whose files a person could not
# change later. Without the sandbox it installs the program alone.
install:
	@[ -x $(STRIPPED) ] || { echo "make: error: sdkctl is not built: run 'make release' first" >&2; exit 1; }
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man7 \
	  $(DESTDIR)$(bashcompletiondir) $(DESTDIR)$(zshcompletiondir) \
	  $(DESTDIR)$(fishcompletiondir)
	$(INSTALL_PROGRAM) $(STRIPPED) $(DESTDIR)$(bindir)/sdkctl
	$(INSTALL_DATA) man/*.1 $(DESTDIR)$(mandir)/man1/
	$(INSTALL_DATA) man/*.5 $(DESTDIR)$(mandir)/man5/
	$(INSTALL_DATA) man/*.7 $(DESTDIR)$(mandir)/man7/
	$(INSTALL_DATA) completions/sdkctl.bash $(DESTDIR)$(bashcompletiondir)/sdkctl
	$(INSTALL_DATA) completions/_sdkctl $(DESTDIR)$(zshcompletiondir)/_sdkctl
	$(INSTALL_DATA) completions/sdkctl.fish $(DESTDIR)$(fishcompletiondir)/sdkctl.fish
	@if [ -x $(SANDBOX) ]; then set -x; \
	  $(INSTALL_PROGRAM) $(SANDBOX) $(DESTDIR)$(bindir)/sdkctl-sandbox && \
	  $(INSTALL_DATA) man/sandbox/*.1 $(DESTDIR)$(mandir)/man1/ && \
	  $(INSTALL_DATA) man/sandbox/*.7 $(DESTDIR)$(mandir)/man7/; \
	else echo "note: the sandbox is not installed: 'make release-sandbox' builds it" >&2; fi

uninstall:
	rm -f $(DESTDIR)$(bindir)/sdkctl $(DESTDIR)$(bindir)/sdkctl-sandbox
	for page in man/*.[157] man/sandbox/*.[17]; do \
	  rm -f "$(DESTDIR)$(mandir)/man$${page##*.}/$${page##*/}"; \
	done
	rm -f $(DESTDIR)$(bashcompletiondir)/sdkctl $(DESTDIR)$(zshcompletiondir)/_sdkctl \
	  $(DESTDIR)$(fishcompletiondir)/sdkctl.fish

clean:
	rm -rf .build Tests/artefacts
