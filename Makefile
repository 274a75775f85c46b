# Every target installs what it needs itself (Debian, Ubuntu), builds under build/, and fails where it ran nothing.
# Variables: DIR and DEPTH for demo, BENCH for bench-core (arguments of Google Benchmark), RUNS for soak; in the
# environment CTREE_SEED and CTREE_RANDOM_RUNS for the random tests. soak draws a seed where none is given.
DIR ?= /usr
DEPTH ?= 2
BENCH ?=
TARGET ?= abi
SECONDS ?= 60
RUNS ?= 50

.PHONY: help demo demo-c test test-c test-swift test-release test-clang test-threads test-fallback test-i386 test-s390x amalgamate test-amalgamation test-install \
	test-outside test-examples test-swift-asan test-all fuzz soak bench bench-full \
	bench-100m bench-report bench-core check-lists check-format check-exports check-headers check-abi check-docs check-readme check-cost format \
	setup setup-swift setup-examples clean

help: ## What there is to make
	@sed -n 's/^\([a-z0-9-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 20

demo: setup-examples ## Print a real directory as an outline (DIR=/usr DEPTH=2)
	swift build -c release --package-path Examples/outline --scratch-path build/outline --product outline
	build/outline/release/outline --print --depth '$(DEPTH)' '$(DIR)'

demo-c: ## Build and run the C example; needs no Swift
	scripts/setup-build
	cmake --preset demo >/dev/null
	cmake --build --preset demo
	build/demo/c-demo

test: setup-swift ## C tests (ASan and UBSan), Swift tests, source lists, layout
	$(MAKE) --no-print-directory check-lists
	$(MAKE) --no-print-directory check-format
	$(MAKE) --no-print-directory check-readme
	$(MAKE) --no-print-directory test-c
	$(MAKE) --no-print-directory test-swift

test-c: ## The C tests alone, with ASan and UBSan; needs no Swift
	scripts/test-c debug

test-swift: ## The Swift tests alone
	scripts/test-swift

test-examples: ## The examples, the outline in a terminal among them
	scripts/test-examples

test-release: ## The C tests as gcc -O3 builds them
	scripts/test-c release

test-clang: setup-swift ## The C tests as the Swift toolchain's clang -O3 builds them
	scripts/test-c clang

test-threads: ## The C tests of threads, with the thread sanitizer
	scripts/test-c tsan

test-fallback: ## The C tests with the hash of platforms without xxhash.h
	scripts/test-c fallback

test-i386: ## The C tests as 32-bit code
	scripts/test-foreign i386

test-s390x: ## The C tests on an emulated big-endian machine
	scripts/test-foreign s390x

amalgamate: ## The library as two files, in build/amalgamation
	scripts/amalgamate

test-amalgamation: ## The C tests against the library in one file
	scripts/test-amalgamation

test-install: ## Outside C and C++ programs against the installed library
	scripts/test-install

test-outside: ## An outside Swift package, without warnings
	scripts/test-outside

test-swift-asan: ## The Swift tests with the address sanitizer
	scripts/test-swift swift-asan --sanitize=address

test-all: ## Everything that .ci/run does
	.ci/run

fuzz: ## A fuzz target for a while (TARGET=abi|diff|store|view SECONDS=600)
	scripts/fuzz $(TARGET) $(SECONDS)

soak: ## The random tests again and again, and the long tests (RUNS=50)
	CTREE_RANDOM_RUNS=$(RUNS) CTREE_SEED=$${CTREE_SEED:-$$(date +%s)} scripts/test-c soak
	CTREE_RANDOM_RUNS=$(RUNS) scripts/test-swift swift --filter Random

bench: ## TreeKit beside its peers, up to a million rows: under 5 minutes
	scripts/bench quick

bench-full: ## The same up to 10M rows, and 100M nodes: rewrites docs/performance.md
	scripts/bench full

bench-100m: ## 100 million nodes in one store
	scripts/bench 100m

bench-report: ## Tables and pictures from the figures that were kept
	scripts/bench report

.PHONY: bench-swift check-foundation
bench-swift: ## The Swift layer beside the C core, in one run
	scripts/bench-swift

bench-core: ## The benchmarks of the C core (BENCH=--benchmark_filter=find)
	scripts/bench-core $(BENCH)

.PHONY: docs check-site test-browser
docs: ## The documentation as a site, in build/docs/site
	scripts/build-docs

check-docs: ## The documentation can be built; each public symbol tells errors and cost, and has its topic
	scripts/check-docs

check-site: docs ## The documentation in a headless browser (installs Chromium), with pictures in build/docs/pictures
	scripts/check-site

test-browser: setup-swift ## The scenarios of the JavaScript binding in a headless browser (installs Chromium)
	Bindings/js/test-browser

check-foundation: ## TreeKit brings no Foundation into programs
	scripts/check-foundation

check-lists: ## SwiftPM and CMake build the same C files
	scripts/check-lists

.PHONY: check-vectors bindings crossing
crossing: ## What calls cost from each language, as one table (LANGUAGES="c python" for some)
	scripts/crossing $(LANGUAGES)

bindings: ## The bindings of other languages, built and tested (LANGUAGES="python" for some, EXAMPLES=2000 random programs)
	$(if $(EXAMPLES),CTREE_EXAMPLES=$(EXAMPLES)) scripts/bindings $(LANGUAGES)

check-vectors: ## The scenarios of all languages, in C, call every exported function
	scripts/check-vectors

check-cost: ## Instructions of the main operations, within 5 % of the committed ones
	scripts/check-cost

.PHONY: check-articles
check-readme: ## The samples of the README do what they say
	scripts/check-articles README.md

check-articles: ## The code of the README and of all articles is compiled, run and compared with what they say
	scripts/check-articles

check-format: ## The layout of C and Swift
	scripts/check-format

check-exports: ## What the shared library exports is what was agreed
	scripts/check-exports

check-headers: ## Public headers as strict C99 to C++20
	scripts/check-headers

check-abi: ## The binary interface is the committed one (scripts/check-abi --update)
	scripts/check-abi

format: ## Repair the layout of C and Swift
	scripts/check-format --fix

setup: ## Install everything that any target needs
	scripts/setup-test
	scripts/setup-install
	scripts/setup-peers
	scripts/setup-format
	scripts/setup-examples

setup-swift:
	@scripts/setup-swift

setup-examples:
	@scripts/setup-examples

clean: ## Remove what was built
	rm -rf build
