package indexer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/store/snapshot"
)

// TestMissingSourceSaysCurrent checks that a run without its source reports the snapshot that stays
// current.
func TestMissingSourceSaysCurrent(t *testing.T) {
	cfg := config(t, tiny())
	first := mustRun(t, cfg)
	cfg.Package = indexer.Input{Path: filepath.Join(t.TempDir(), "package.zip")}
	r, err := indexer.Run(t.Context(), cfg, indexer.Options{})
	if err == nil || r.Outcome != indexer.Failed || r.Snapshot != first.Snapshot {
		t.Errorf("outcome %s with snapshot %q, error %v; want a failure with snapshot %s", r.Outcome, r.Snapshot, err, first.Snapshot)
	}
}

// TestMakeRoom checks that no advice is to remove the only snapshot.
func TestMakeRoom(t *testing.T) {
	cfg := config(t, tiny())
	mustRun(t, cfg)
	if says := snapshot.At(cfg.Data).MakeRoom(); strings.Contains(says, "prune") {
		t.Errorf("with one snapshot: %s", says)
	}
	cfg.Rebuild = true
	mustRun(t, cfg)
	if says := snapshot.At(cfg.Data).MakeRoom(); !strings.Contains(says, "prune --keep 1") {
		t.Errorf("with two snapshots: %s; want the command", says)
	}
}
