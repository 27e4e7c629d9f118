# `make help` lists the targets. A target first installs the dependencies that it lacks.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
CONFIGURATION ?= debug
build_debug = scripts/build
build_release = swift build -c release
ROUNDS ?=
FAULT ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing dependencies to build and run
	@scripts/setup

demo: setup ## run the product on a temporary database, with sample people and a simulated moving tracker
	@test -e .build/debug/homeward || echo "Compiling Homeward: 5 to 15 minutes on two processors, the first time."
	@scripts/build --product homeward
	@scripts/build --product homeward-tracker
	@exec .build/debug/homeward demo

cluster: ## run three nodes on PostgreSQL with Patroni and etcd, HAProxy and an S3 server, and print how to break parts
	@scripts/setup --cluster
	@$(build_$(CONFIGURATION)) --quiet --product homeward
	@HOMEWARD_BINARIES=$(CURDIR)/.build/$(CONFIGURATION) exec scripts/cluster

build: setup ## build the product with optimisation
	@swift build -c release --product homeward
	@swift build -c release --product homeward-tracker

deb: ## build Debian packages of server and tracker for this architecture, and an apt repository, in .build/deb
	@scripts/setup --packages
	@scripts/deb

image: ## build an OCI image of the server for this architecture, in .build/image
	@scripts/setup --packages
	@scripts/image

test: ## test rules, both databases, routes, the browser, durability (WORKERS=0: browser tests in turn)
	@scripts/test

test-quick: ## run the quick tests: build, Swift tests on SQLite, one flow of each app in a browser
	@scripts/test-quick

soak: ## run all tests at full counts: make soak ROUNDS=200
	@scripts/soak $(ROUNDS)

faults: ## break each rule on purpose and require that its test turns red: make faults FAULT=T-3-1-4
	@scripts/setup --tests
	@scripts/faults $(FAULT)

check: ## check formatting, imports, Python and scripts only
	@scripts/setup --check
	@scripts/check

bench: ## run the published benchmarks, each with its baseline
	@scripts/setup --bench --tests
	@Benchmarks/run

coverage-of-spec: ## print each requirement with its tests and their last result
	@scripts/coverage-of-spec

strings: ## extract the texts of templates and code into the files with translations
	@scripts/setup --check
	@.tools/linters/bin/python scripts/strings

screenshots: ## take the pictures in docs/screenshots again
	@scripts/setup --tests
	@scripts/screenshots

clean: ## delete all build products and test results
	@rm -rf .build .tools test-results

.PHONY: help setup demo cluster build deb image test test-quick soak faults check bench coverage-of-spec strings \
	screenshots clean
