# `make help` lists what there is. Every target sets up what it lacks first.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
CONFIGURATION ?= debug
ROUNDS ?=
FAULT ?=

help: ## what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing to build and run
	@scripts/setup

demo: setup ## run the product on a throw-away store, with made-up people and a tracker that walks
	@swift build --quiet --product homeward
	@swift build --quiet --product homeward-tracker
	@exec .build/debug/homeward demo

build: setup ## build the product, optimised
	@swift build -c release --product homeward
	@swift build -c release --product homeward-tracker

deb: setup ## Debian packages of the server and of the tracker, for this kind of computer, in .build/deb
	@scripts/deb

test: ## all tests: rules, stores on both engines, routes, pages in a browser, durability (WORKERS=0: one at a time)
	@scripts/test

soak: ## the same checks at full counts: make soak ROUNDS=200
	@scripts/soak $(ROUNDS)

faults: ## break each rule on purpose and demand that its test turns red: make faults FAULT=T-3-1-4
	@scripts/setup --tests
	@scripts/faults $(FAULT)

check: setup ## format, import and tidiness rules alone
	@scripts/check

bench: ## the numbers we publish, each beside its baseline
	@scripts/setup --bench --tests
	@Benchmarks/run

coverage-of-spec: ## each requirement with its tests and their last result
	@scripts/coverage-of-spec

screenshots: ## the pictures under docs/screenshots, taken anew
	@scripts/setup --tests
	@scripts/screenshots

clean: ## forget all that was built
	@rm -rf .build .tools test-results

.PHONY: help setup demo build deb test soak faults check bench coverage-of-spec screenshots clean
