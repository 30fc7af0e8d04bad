# make help lists what can be made.
GO ?= go
# Gin's MessagePack library, which no answer uses, takes a sixth of the build. Programs, tests,
# packages and the container image are built with the same flags, so that they share the build cache
# wherever the checkout is.
export GOFLAGS += -tags=nomsgpack -trimpath
export CGO_ENABLED ?= 0
# Where make run listens.
LISTEN ?= 127.0.0.1:8080
# What "make release" runs; it is fetched and built in a module cache, beside our own modules.
GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.0
# The date in what is built is that of the commit.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
# Packages whose tests have golden files take the flag -update. In internal/tools, "make notices" writes one.
GOLDEN = $(shell grep -rl --include=*_test.go --exclude-dir=tools 'flag.Bool."update"' . | xargs -n1 dirname | sort -u)

.PHONY: help run build test check cross bench bench-names bench-data bench-build bench-http tools browser browser-proxies clients openrefine faults mutants soak answers golden notices manual release image clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{gsub(/\$$\$$/, "$$", $$2); printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/bencao
	@test -e bin/bencao || echo 'The first build takes some minutes.'
	$(GO) build -o bin/bencao ./cmd/bencao

run: build ## index the embedded sample and serve it on $$LISTEN, 127.0.0.1:8080
	./bin/bencao demo --listen $(LISTEN)

tools: ## build bin/answers, bin/bench and generators, a module of their own in internal/tools
	$(GO) build -C internal/tools -o ../../bin/ ./...

# Vet, which takes a tenth of the time of a first run, is a part of "make check". With less garbage
# collection, compilers and tests take an eighth less time.
test: ## run all tests, with the flags $$TESTFLAGS of go test
	GOGC=400 $(GO) test -vet=off -timeout 50m $(TESTFLAGS) ./...

check: ## gofmt, vet, staticcheck, and all tests with the race detector
	@test -z "$$(gofmt -l .)" || { echo "not formatted, run gofmt -w:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	CGO_ENABLED=1 $(GO) test -race -timeout 60m ./...

cross: ## go vet for Windows and macOS, on both kinds of processors, which compiles all, tests too; minutes
	for system in windows darwin; do for processor in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=$$system GOARCH=$$processor $(GO) vet ./... || exit; done; done

# The OpenAPI document is compiled with the examples, so these come first.
golden: ## rewrite the golden files; read the diff before you commit it
	$(GO) test ./api -run '^TestExamples$$' -update
	$(GO) test $(GOLDEN) -update

notices: ## write THIRD_PARTY_NOTICES.txt, the licences of what is linked
	$(GO) run -C internal/tools ./notices ../../THIRD_PARTY_NOTICES.txt

# The version in Debian's changelog is that of the last tag; the changes are in CHANGELOG.md.
manual: ## write man pages, shell completions and Debian's changelog to bin/manual
	rm -rf bin/manual
	$(GO) run -tags manual,nomsgpack ./cmd/bencao bin/manual
	gzip -9n bin/manual/man1/*
	printf 'bencao (%s) stable; urgency=medium\n\n  * The changes are in CHANGELOG.md.\n\n -- The Bencao authors <bencao@plants.example>  %s\n' \
		"$$(git describe --tags --match 'v*' 2>/dev/null | sed 's/^v//' | grep . || echo 0.0.0)" "$$(LC_ALL=C date -u -R -d @$(SOURCE_DATE_EPOCH))" | gzip -9n > bin/manual/changelog.gz

release: cross ## make archives, packages, checksums and bills of materials in dist, of the tag at HEAD, or else a snapshot
	$(GORELEASER) release --clean $(if $(shell git tag --points-at HEAD 'v*'),,--snapshot)

image: ## build the container image bencao, by docker
	docker build -f deploy/docker/Dockerfile -t bencao .

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem -timeout 60m ./...

bench-names: ## benchmarks of name matching alone, and a million rows through bencao match
	$(GO) test -run '^$$' -bench . -benchmem -timeout 30m ./names/...
	$(GO) test -run '^$$' -bench MatchMillion -benchtime 1x -v ./cmd/bencao

# What is measured at a full country's size: see docs/performance.md.
BENCH = bin/bench
SCALE ?= 0.01

bench-data: tools ## make sources of $$SCALE (1 is the full size: 1.4 million names, a million papers) in the folder $$OUT
	$(BENCH) data -scale $(SCALE) -out $(OUT)

bench-build: build tools ## measure a night over the sources in $$SOURCES, into the data folder $$DATA; the result goes to $$OUT.md and .json
	$(BENCH) build -sources $(SOURCES) -data $(DATA) -scale $(SCALE) -out $(OUT)

bench-http: build tools ## measure what an answer from $$DATA costs, above a bare handler; the result goes to $$OUT.md and .json
	$(BENCH) http -data $(DATA) -scale $(SCALE) -out $(OUT)

browser: build ## try the pages in Chromium, which must be there; pictures of them go to $$SHOTS
	api/explorer/browser/run bin/bencao

browser-proxies: build ## the same, and tasks and transfer behind nginx, Caddy and HAProxy with the files of deploy/
	api/explorer/browser/run bin/bencao nginx caddy haproxy

clients: build ## test the clients in clients/ against a server on the embedded sample
	clients/with-server clients/check

openrefine: build ## reconcile 500 names in the OpenRefine of this machine, by its HTTP interface
	clients/with-server $${PYTHON:-/usr/bin/python3} clients/openrefine/check.py

faults: ## break the running program for real: kill it, fill disks, flood it, confuse its access file; half an hour
	BENCAO_FAULTS=all $(GO) test -count=1 -timeout 50m ./cmd/bencao/faults

mutants: ## damage the sample's sources in 3,000 ways, which builds must refuse, and edit them for 30 days, which builds must accept
	BENCAO_MUTANTS=all $(GO) test -count=1 -timeout 90m -run '^(TestMutantsAreRefused|TestHonestBuildsAreNotRefused)$$' ./indexer

soak: ## ask a server as users do for $$BENCAO_SOAK_TIME, 60s, over $$BENCAO_SOAK_DATA, and report
	BENCAO_SOAK=1 $(GO) test -count=1 -timeout 90m -v -run '^TestSoak$$' ./cmd/bencao/faults

answers: build tools ## write to $$OUT what bin/bencao answers from $$DATA, to be compared; see CONTRIBUTING.md
	bin/answers ask -data $(DATA) -out $(OUT)

clean: ## remove what was built
	rm -rf bin dist
