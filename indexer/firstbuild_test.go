package indexer_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bencao/indexer"
	"bencao/internal/test/leak"
	"bencao/internal/test/testkit"
)

// firstBuilds caches the data directories of first builds by configuration. Many tests start with
// the same snapshot of the sample or of tiny. Such a snapshot takes at least a second to build.
var firstBuilds = struct {
	sync.Mutex
	dir     string // created on first use; TestMain removes it
	reports map[string]*indexer.Report
}{reports: map[string]*indexer.Report{}}

func TestMain(m *testing.M) {
	leak.Main(m, func() error { return os.RemoveAll(firstBuilds.dir) })
}

// mustRun builds a snapshot with cfg. If another test has already built a first snapshot from the
// same configuration, mustRun copies the result to cfg.Data.
func mustRun(tb testing.TB, cfg indexer.Config) *indexer.Report {
	tb.Helper()
	key, ok := firstBuildKey(tb, cfg)
	if !ok {
		return build(tb, cfg)
	}
	firstBuilds.Lock()
	defer firstBuilds.Unlock()
	cached := filepath.Join(firstBuilds.dir, key)
	if r := firstBuilds.reports[key]; r != nil {
		must(tb, testkit.CopyFolder(cached, cfg.Data))
		return r
	}
	r := build(tb, cfg)
	if firstBuilds.dir == "" {
		dir, err := os.MkdirTemp("", "first-builds")
		must(tb, err)
		firstBuilds.dir = dir
		cached = filepath.Join(dir, key)
	}
	must(tb, testkit.CopyFolder(cfg.Data, cached))
	firstBuilds.reports[key] = r
	return r
}

func build(tb testing.TB, cfg indexer.Config) *indexer.Report {
	tb.Helper()
	r, err := indexer.Run(context.Background(), cfg, indexer.Options{})
	if err != nil {
		tb.Fatalf("run: %v (findings %v)", err, r.Findings)
	}
	return r
}

// firstBuildKey returns a digest of all inputs of a build with cfg, as the key of firstBuilds. ok
// is false if the build must not be cached, because the data directory is not empty or the build
// does more than publish one snapshot.
func firstBuildKey(tb testing.TB, cfg indexer.Config) (key string, ok bool) {
	tb.Helper()
	if entries, err := os.ReadDir(cfg.Data); err == nil && len(entries) > 0 {
		return "", false
	}
	inputs := append([]indexer.Input{cfg.Package}, cfg.Checklists...)
	sum := sha256.New()
	for i := range inputs {
		in := &inputs[i]
		if in.FS == nil {
			return "", false
		}
		err := fs.WalkDir(in.FS, ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := fs.ReadFile(in.FS, path)
			fmt.Fprintf(sum, "%q %x\n", path, sha256.Sum256(b))
			return err
		})
		must(tb, err)
		in.FS = nil
	}
	cfg.Data, cfg.Package, cfg.Checklists = "", inputs[0], inputs[1:]
	if cfg.Public != "" || cfg.DryRun || cfg.TrustKeys != "" || cfg.MetricsFile != "" {
		return "", false
	}
	fmt.Fprintf(sum, "%+v\n", cfg)
	return fmt.Sprintf("%x", sum.Sum(nil)), true
}
