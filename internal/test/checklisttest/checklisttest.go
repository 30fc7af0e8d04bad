// Package checklisttest helps to test the checklist formats. It creates an archive of a few files,
// opens those of the full-size data, and reads a list to its end.
package checklisttest

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/fstest"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/finding"
	"bencao/internal/test/fullsize"
	"bencao/names"
)

// List is an open checklist of any format.
type List interface {
	Names(ctx context.Context, list string, log *finding.Log) iter.Seq2[names.Usage, error]
}

// Places has the places of a list.
type Places interface {
	Places(ctx context.Context, list string, log *finding.Log) iter.Seq2[checklist.Place, error]
}

// Archive returns an archive of text files. The keys of files are paths.
func Archive(tb testing.TB, name string, files map[string]string) *archive.Archive {
	tb.Helper()
	fsys := fstest.MapFS{}
	for path, text := range files {
		fsys[path] = &fstest.MapFile{Data: []byte(text)}
	}
	src, err := archive.FromFS(name, fsys, archive.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	return src
}

// Full opens a file of the full-size data, or skips the test. The archive is closed after the test.
func Full(tb testing.TB, name string) *archive.Archive {
	tb.Helper()
	src, err := archive.Open(fullsize.Path(tb, "data/"+name), archive.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := src.Close(); err != nil {
			tb.Error(err)
		}
	})
	return src
}

// Read reads a checklist until its end or a fatal error, with "list" as its name in findings. It
// returns the names, and the findings as one line each. openErr is the error of opening the
// checklist. If openErr is not nil, Read only returns it.
func Read(l List, openErr error) (usages []names.Usage, found []string, err error) {
	if openErr != nil {
		return nil, nil, openErr
	}
	var log finding.Log
	for u, readErr := range l.Names(context.Background(), "list", &log) {
		if err = readErr; err == nil {
			usages = append(usages, u)
		}
	}
	for _, f := range log.Kept() {
		found = append(found, fmt.Sprintf("%s %s %s:%d %s %q", f.Severity, f.Code, f.File, f.Line, f.Column, f.Value))
	}
	return usages, found, err
}
