# The targets of this checkout; `make help` lists them. The work is in scripts/.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.SUFFIXES:
.NOTPARALLEL:

# `make test FILTER=name` runs the tests whose names match.
test_arguments = $(if $(FILTER),--filter '$(FILTER)')

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## run the gateway on http://localhost:8080, with a database and simulated providers
	@scripts/run.sh

.PHONY: test
test: ## run the tests against a PostgreSQL of their own (FILTER=name for some)
	@scripts/test.sh $(test_arguments)

.PHONY: test-long
test-long: ## run the second group: fail-overs, whole matrices, the packages of clients and samples
	@scripts/test.sh --long

.PHONY: test-costs
test-costs: ## measure the processor time of each suite alone (FILTER=name for some)
	@scripts/test-costs.sh $(FILTER)

.PHONY: test-sanitizers
test-sanitizers: ## run the tests under the thread sanitizer, then the address sanitizer
	@SANITIZER=thread scripts/test.sh $(test_arguments)
	@SANITIZER=address scripts/test.sh $(test_arguments)

.PHONY: coverage
coverage: ## show which regions of the security decisions no test reaches (FILTER=name for some tests)
	@scripts/coverage.sh

.PHONY: fuzz
fuzz: ## fuzz the parsers of strangers' bytes (TARGET=json for one, FUZZ_SECONDS=600 for each)
	@scripts/fuzz.sh

.PHONY: lint
lint: ## check the style of the Swift sources and the shell scripts
	@scripts/lint.sh

.PHONY: alerts
alerts: ## check the alert rules and the dashboard with promtool (Debian: prometheus)
	@scripts/check-alerts.sh

.PHONY: format
format: ## format the Swift sources
	@scripts/format.sh

.PHONY: build
build: ## build for development, tests included
	@scripts/build.sh debug

.PHONY: release
release: ## build the gateway for release
	@scripts/build.sh release

.PHONY: deb
deb: ## build the Debian package into var
	@scripts/deb.sh

.PHONY: test-deb
test-deb: ## install, upgrade and remove that package in a Debian of its own (root)
	@scripts/test-deb.sh

.PHONY: test-upgrade
test-upgrade: ## serve one database by two neighbouring versions, under load, around a migration (PREVIOUS_REVISION=revision)
	@scripts/test-upgrade.sh

.PHONY: landing
landing: ## before a landing: record the main branch's revision and the digests of schema files
	@scripts/landing.sh

.PHONY: bench
bench: ## measure speed and memory, and compare with the limits
	@bench/run.sh

.PHONY: bench-accounts
bench-accounts: ## measure how fast operators find accounts among a million
	@BENCH_WORKS=accounts bench/run.sh

.PHONY: bench-growth
bench-growth: ## measure each work's cost with 10 thousand to 10 million accounts (SIZES, GATEWAYS)
	@bench/growth.sh

.PHONY: rehearse-sharding
rehearse-sharding: ## run every hot function on three database servers and compare with one
	@bench/sharding.sh

.PHONY: bench-peers
bench-peers: ## measure it beside django-allauth, better-auth, Synapse and Glewlwyd
	@bench/peers.sh

.PHONY: client-typescript
client-typescript: ## build the TypeScript client library into var/login-gateway-client.tgz
	@scripts/client-typescript.sh

.PHONY: release-clients
release-clients: ## tag and pack the client libraries, VERSION=1.2.0; publishes nothing
	@scripts/release-clients.sh $(VERSION)

.PHONY: reference
reference: ## build the API reference into var/reference; in development it is at /docs
	@scripts/reference.sh

.PHONY: sbom
sbom: ## write the software bill of materials, as CycloneDX JSON in var
	@scripts/sbom.sh

.PHONY: soak
soak: ## run it for an hour (SOAK_MINUTES) and see whether its memory stays flat
	@bench/run.sh soak

.PHONY: chaos
chaos: ## break a deployment at random under load, and check that nothing was lost (root; `bench/chaos.sh --help`)
	@bench/chaos.sh

.PHONY: images
images: ## renew the pictures that pages show from those in var/shots, which the tests write
	@scripts/images.sh

.PHONY: completions
completions: ## write shell completions into var/completions
	@scripts/completions.sh

.PHONY: clean
clean: ## remove what was built
	@scripts/clean.sh build

.PHONY: clean-data
clean-data: ## remove the development database, its logs and the benchmark's leavings
	@scripts/clean.sh data
