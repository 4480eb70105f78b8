# Everything here works from a clean clone on Debian with a Swift 6.3 toolchain; `make help` says what there is.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Where `make run` leaves its store, and what it reads: nothing for all packages apt knows, a file in the format of
# `apt-cache dumpavail` (maybe compressed), or - for standard input.
DEMO_DIR ?= .demo/debian
INPUT ?=
# The rows of the benchmark's table that `make bench` measures, such as "3 4a"; nothing for all. BENCH_ARGS are passed to it.
ROWS ?=
BENCH_ARGS ?=
# Passed to `swift test`, as in TEST_ARGS='--filter RelationTests'.
TEST_ARGS ?=

# The suites in which threads and tasks meet, and where they are; where unsafe memory is tested.
CONCURRENT_IN := BanyanTests+BanyanPersistenceTests
UNSAFE_IN := BanyanTests+BanyanPersistenceTests+BanyanCoreTests
CONCURRENT := ConcurrencyTests|ReadBlockTests|StoreLifeTests|GraphLifeTests|ActorObservationTests|HandOverTests

# Of the exhaustive tests, those of which `make test` runs all; and whose commits it has looked at one by one.
THOROUGH_SHARE := PayloadDamageTests
CHECKED_SHARE := BanyanTests.*(LinkTests|UndoTests|SavepointTests|DeleteRuleTests|EmbeddedTests|UpdatePolicyTests|CreateTests)

# The pages of the tour, by target.
TOUR := TourFirstSteps TourModels TourRelationships TourEmbeddedObjects TourCollections TourInheritance

SOURCES := Package.swift $(wildcard Sources Tests Playgrounds Benchmarks)
# On a terminal the build shows how far it is; elsewhere it only speaks of what is wrong.
BUILD := swift build $(if $(shell test -t 2 && echo yes),,--quiet)
# The macro plugin only runs while the compiler does: it is built without optimisation, once, for tests and for release
# builds, which load it from here. That is what keeps the first `make run` short (see Package.swift).
PLUGIN := .build/debug/BanyanMacros-tool
RUN_BENCH := cd Benchmarks && .build/release/Bench
# What BANYAN_DEV may say: see Package.swift.
LOAD_PLUGIN := BANYAN_DEV=plugin
MACRO_TESTS := BANYAN_DEV=tests=BanyanMacrosTests
# All other tests are built apart, so that release builds may go on beside them.
TESTED := --scratch-path .build-tests
RELEASE := $(LOAD_PLUGIN) $(BUILD) --configuration release
# Builds that load the plugin do not know when it changed: of directory $1, modules $2 are then built again.
expand-again = if [ $(PLUGIN) -nt $(1)/.expanded ]; then rm -rf $(2:%=$(1)/%.build); fi

.PHONY: help run docs bench-smoke test test-share test-macros-build test-build test-threads test-memory soak bench bench-growth bench-gates bench-thresholds bench-test bench-build traits lint format clean tools plugin demo tour pages public-api docs-symbols

help: ## Say what there is to make
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 26
	@echo "  DEMO_DIR=directory and INPUT=file change what 'make run' writes and reads."

run: demo ## Turn this machine's package index into a graph, and show what it can do
	@.build/release/DebianDemo $(if $(INPUT),"$(INPUT)") --directory "$(DEMO_DIR)" --tool .build/release/banyan

# First the tests of the macros, which build the plugin, then all others, which load it: see Package.swift. Two of them
# start programs, which are built here too. The pages would be compiled once more without optimisation.
test: test-macros-build test-build ## Run all tests
	@$(MACRO_TESTS) swift test --skip-build $(TEST_ARGS)
	@$(LOAD_PLUGIN) swift test $(TESTED) --skip-build $(TEST_ARGS)
	@$(if $(TEST_ARGS),,$(MAKE) test-share)

# A share of what `make soak` does.
test-share:
	@$(LOAD_PLUGIN),thorough swift test $(TESTED) --skip-build --filter "$(THOROUGH_SHARE)"
	@$(LOAD_PLUGIN),check swift test $(TESTED) --skip-build --filter "$(CHECKED_SHARE)"

test-macros-build:
	@Playgrounds/install liblz4-dev libxxhash-dev lz4 xz-utils
	@echo "Building the tests; the first time takes some minutes."
	@$(MACRO_TESTS) swift build --product banyanPackageTests

test-build:
	@$(call expand-again,.build-tests/debug,Banyan BanyanTests)
	@for product in banyanPackageTests banyan CrashWriter; do \
		$(LOAD_PLUGIN) swift build $(TESTED) --product $$product; done
	@touch .build-tests/debug/.expanded

test-threads: plugin ## Run the concurrency tests under the thread sanitizer
	@Playgrounds/install lz4 xz-utils
	@echo "Building the tests with the thread sanitizer; this takes some minutes."
	@export $(LOAD_PLUGIN),threads,tests=$(CONCURRENT_IN) && \
		swift build --product banyanPackageTests --sanitize=thread --scratch-path .build-threads && \
		TSAN_OPTIONS="halt_on_error=1 history_size=4" swift test --skip-build --sanitize=thread \
			--scratch-path .build-threads --filter "$(or $(TESTS),$(CONCURRENT))"

# What the runtime keeps for good is no leak.
test-memory: plugin ## Run the tests of what uses unsafe memory under the address sanitizer
	@Playgrounds/install lz4 xz-utils
	@echo "Building the tests with the address sanitizer; this takes some minutes."
	@export $(LOAD_PLUGIN),optimized,tests=$(UNSAFE_IN) && \
		swift build --product banyanPackageTests --sanitize=address --scratch-path .build-memory && \
		ASAN_OPTIONS="detect_leaks=0" swift test --skip-build --sanitize=address \
			--scratch-path .build-memory $(if $(TESTS),--filter "$(TESTS)")

# What takes too long for every commit: a long random life beside the naive model, every bit of files damaged and every power cut, and
# all tests once more, with the whole graph looked at after each of their commits.
soak: plugin test-build ## Run the long tests; as long as you like: make soak SOAK=5000000
	@$(LOAD_PLUGIN),soak=$(or $(SOAK),1000000) swift test $(TESTED) --skip-build --filter ModelTests.ModelTests/soak
	@$(LOAD_PLUGIN),thorough swift test $(TESTED) --skip-build --filter BanyanPersistenceTests
	@$(LOAD_PLUGIN),check swift test $(TESTED) --skip-build

bench: bench-build ## Measure Banyan beside its peers: make bench ROWS="3 4a", BENCH_ARGS="--objects 100000"
	@$(RUN_BENCH) --page ../Sources/Banyan/Banyan.docc/Performance.md $(BENCH_ARGS) $(ROWS)

# The rows in the order they have, in others, and one selection: none may need what another leaves behind.
bench-smoke: bench-build ## Run all rows of the benchmark with few objects, in several orders
	@$(RUN_BENCH) --smoke $(BENCH_ARGS)
	@for order in 1 2; do ($(RUN_BENCH) --smoke --order $$order $(BENCH_ARGS) >/dev/null); done
	@$(RUN_BENCH) --smoke $(BENCH_ARGS) 11 12 15a 15b 17 >/dev/null

bench-growth: bench-build ## Measure how costs grow with the store, from 1 k to 1 M objects
	@$(RUN_BENCH) --growth $(BENCH_ARGS) $(ROWS)

bench-gates: bench-build ## Count instructions and allocations of the hottest paths, against Benchmarks/thresholds.json
	@Playgrounds/install valgrind || true
	@if command -v valgrind >/dev/null; then $(RUN_BENCH) --gates; \
	else echo "Skipped: the counts need valgrind, which is not installed and cannot be." >&2; fi

bench-thresholds: bench-build ## Write what the hottest paths cost now to Benchmarks/thresholds.json
	@Playgrounds/install valgrind
	@$(RUN_BENCH) --update-gates

bench-test: ## Test what makes the table, the plots and the gates
	@Playgrounds/install liblz4-dev libxxhash-dev libsqlite3-dev
	@$(MAKE) plugin
	@cd Benchmarks && export $(LOAD_PLUGIN) && \
		$(BUILD) --product banyan-benchmarksPackageTests && swift test --skip-build

# The build does not know that a file was added to the package above.
bench-build:
	@Playgrounds/install liblz4-dev libxxhash-dev libsqlite3-dev
	@$(MAKE) plugin
	@test -x Benchmarks/.build/release/Bench || echo "Building the benchmarks; the first time takes some minutes."
	@$(call expand-again,Benchmarks/.build/release,Banyan Bench)
	@touch Benchmarks/Package.swift
	@cd Benchmarks && $(LOAD_PLUGIN) $(BUILD) --configuration release --product Bench
	@touch Benchmarks/.build/release/.expanded

# Without the package's traits; what they change has tests of its own, which run in every build.
traits: plugin ## Build Banyan without its optional parts
	@$(LOAD_PLUGIN) $(BUILD) --scratch-path .build-traits --disable-default-traits --target Banyan

docs: plugin ## Make the documentation, with warnings as errors
	@export $(LOAD_PLUGIN) && .ci/docs .build-tests

docs-symbols: plugin
	@export $(LOAD_PLUGIN) && .ci/docs .build-tests --symbols

pages: tour ## Run the pages of Playgrounds and compare what they print
	@Playgrounds/check .build/release

lint: ## Check the formatting, and that folders use only those before them
	@swift format lint --strict --parallel --recursive $(SOURCES)
	@if command -v python3 >/dev/null; then .ci/rooms; else echo "The order of the folders was not checked: no python3." >&2; fi

format: ## Format all sources
	@swift format --in-place --parallel --recursive $(SOURCES)

clean: ## Remove what was built; .demo stays
	@rm -rf .build .build-tests .build-threads .build-memory .build-traits Benchmarks/.build

tools:
	@Playgrounds/install liblz4-dev libxxhash-dev

plugin: tools
	@test -x $(PLUGIN) || echo "1/2 Building the macro plugin; the first time takes a minute or two."
	@$(BUILD) --product BanyanMacros

demo: plugin
	@$(call expand-again,.build/release,Banyan DebianDemo Tour*)
	@test -x .build/release/DebianDemo || echo "2/2 Building Banyan and its command line; the first time takes a minute or two."
	@$(RELEASE) --product banyan
	@$(RELEASE) --product DebianDemo
	@touch .build/release/.expanded

tour: demo
	@for page in $(TOUR); do $(RELEASE) --product $$page; done

public-api: docs-symbols ## Write the list of what is public, after a change that is meant
	@.ci/public-api .build-tests/symbols --write
