package sample_test

import (
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
)

// TestReadsClean reads the package as the indexer does. No row may be rejected. -v prints the
// warnings.
func TestReadsClean(t *testing.T) {
	src, err := archive.FromFS("sample", sample.Package(), archive.Limits{})
	must(t, err)
	defer src.Close()
	var log finding.Log
	if _, err := datapackage.Read(t.Context(), src, datapackage.Options{}, &log); err != nil {
		t.Fatal(err)
	}
	for _, f := range log.Kept() {
		text := t.Errorf
		if f.Severity == finding.Warn {
			text = t.Logf
		}
		text("%s:%d: %s %s %q: %s", f.File, f.Line, f.Code, f.Column, f.Value, f.Message)
	}
}
