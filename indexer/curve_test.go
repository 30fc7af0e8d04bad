package indexer_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bencao/indexer"
	"bencao/indexer/archive"
	"bencao/indexer/check"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/internal/test/mutant"
	"bencao/store/snapshot"
)

// shares lists the shares of the rows or cells that [TestDetectionCurve] damages.
var shares = []float64{0.001, 0.003, 0.01, 0.03, 0.1}

// exchanges lists the kinds of damage for which a build must be refused if 3 % of the rows are
// damaged.
var exchanges = []string{"guids-exchanged", "guids-to-new", "links-moved", "given-to-others", "other-script", "repeated", "columns-exchanged", "rows-exchanged", "neighbours-exchanged", "unit", "tenfold", "mojibake"}

// TestDetectionCurve damages a growing share of each table and column of the package, and records
// whether the build is refused or reports the damage. Each damaged package is a mutant. If 1 % or
// more is damaged, the build must be refused or report the damage. The test tries each 61st mutant.
// BENCAO_CURVE=n tries each nth mutant, and any other value tries the mutants whose name contains
// it. BENCAO_CURVE=1 tries all mutants; docs/faults.md sums up what it logs. BENCAO_SOURCES=full
// uses the full-size sources.
//
// To save time, most mutants go only through the checks that precede a build. A full build would
// also refuse some of the mutants that are counted here as only reported, or as neither refused nor
// reported.
func TestDetectionCurve(t *testing.T) {
	oneByOne(t)
	every, named := 61, ""
	if want := os.Getenv("BENCAO_CURVE"); want != "" {
		var err error
		if every, err = strconv.Atoi(want); err != nil || every < 1 {
			every, named = 1, want
		}
	} else if testing.Short() {
		every = 401
	}
	good := goodSources(t)
	type result struct{ refused, reported, silent int }
	results := map[string]map[float64]*result{}
	for _, kind := range mutant.PartialKinds() {
		results[kind] = map[float64]*result{}
		for _, share := range shares {
			results[kind][share] = &result{}
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	type job struct {
		mutant.Mutant
		share float64
	}
	queue := make(chan job)
	for range 2 {
		cfg := sourcesConfig(t, good)
		first := mustRun(t, cfg)
		wg.Go(func() {
			for j := range queue {
				s, ok := j.Sources()
				if !ok {
					continue
				}
				kind, _, _ := strings.Cut(j.Kind, "-"+fmt.Sprintf("%g", 100*j.share)+"%")
				refused, reported := judged(t, cfg, good, s)
				silent := !refused && !reported && (j.share >= 0.01 || j.Column == "")
				if silent || !refused && j.share >= 0.03 && slices.Contains(exchanges, kind) {
					// A full build may find damage that the checks before a build do not find.
					var all bool
					refused, all = built(t, cfg, s, first)
					reported = reported || all
				}
				mu.Lock()
				r := results[kind][j.share]
				switch {
				case refused:
					r.refused++
				case reported:
					r.reported++
				default:
					r.silent++
				}
				mu.Unlock()
				switch {
				case !refused && !reported && j.share >= 0.01:
					t.Errorf("%s is published and not reported", j.Name())
				case !refused && j.share >= 0.03 && slices.Contains(exchanges, kind):
					t.Errorf("%s is published", j.Name())
				}
			}
		})
	}
	n := 0
	for _, share := range shares {
		for _, m := range mutant.Partial(good, share) {
			if n++; n%every == 0 && strings.Contains(m.Name(), named) {
				queue <- job{m, share}
			}
		}
	}
	close(queue)
	wg.Wait()
	var table strings.Builder
	for _, kind := range mutant.PartialKinds() {
		fmt.Fprintf(&table, "| `%s` |", kind)
		for _, share := range shares {
			r := results[kind][share]
			fmt.Fprintf(&table, " %d / %d / %d |", r.refused, r.reported, r.silent)
		}
		table.WriteString("\n")
	}
	t.Logf("refused / reported / silent at %v of the rows:\n%s", shares, table.String())
}

// judged reports whether the checks that precede a build refuse the package or report its damage.
func judged(t *testing.T, cfg indexer.Config, good, spoilt mutant.Sources) (refused, reported bool) {
	dir := snapshot.At(cfg.Data)
	before, err := dir.Published()
	if err != nil {
		t.Error(err)
		return false, false
	}
	src, err := archive.FromFS("package", spoilt.Package.FS(), archive.Limits{})
	if err != nil {
		t.Error(err)
		return false, false
	}
	limits := check.Limits{}
	for _, c := range good.Checklists { // only the package is checked here
		limits.Allow("missing", check.Checklist(c.Key))
	}
	checker := check.New(dir, check.Options{Limits: limits, Before: &before, Findings: &finding.Log{}, Log: slog.New(slog.DiscardHandler), Now: time.Now()})
	if err := checker.LoadPrevious(dir); err != nil {
		t.Error(err)
		return false, false
	}
	if err := checker.Sources(t.Context(), []check.Source{{Key: check.Package, Source: before.Sources[0], Archive: src}}); err != nil {
		return true, false
	}
	log := &finding.Log{}
	pkg, err := datapackage.Read(t.Context(), src, datapackage.Options{}, log)
	if err != nil || checker.Rows(t.Context(), pkg) != nil {
		return true, false
	}
	return false, len(checker.Noticed()) > 0 || log.Total(finding.Reject) > 0
}

// built reports whether a full build refuses the package or reports its damage.
func built(t *testing.T, cfg indexer.Config, s mutant.Sources, first *indexer.Report) (refused, reported bool) {
	cfg = sourcesOf(cfg, s)
	cfg.DryRun = true
	report, err := indexer.Run(t.Context(), cfg, indexer.Options{})
	if err != nil && !errors.Is(err, indexer.ErrRejects) {
		return true, false
	}
	was := map[finding.Kind]int{}
	for _, c := range first.Findings {
		was[c.Kind] = c.Count
	}
	reported = len(report.Noticed) > 0
	for _, c := range report.Findings {
		reported = reported || c.Count > was[c.Kind]
	}
	return false, reported
}
