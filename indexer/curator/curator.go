// Package curator writes an HTML report of one nightly build for the curator: a botanist who
// maintains the sources and does not program.
//
//	report.json, findings.csv   ─┐
//	store of the snapshot        ├─▶ Report ─sections─▶ page ─▶ HTML
//	store of the previous one   ─┘
//
// All input comes from a snapshot and its data directory, so the report of a build can be written
// at any time. The texts are in en.txt and zh.txt, the layout is in page.html. The package does not
// send the report: cron or systemd does that.
//
// Start with [Last] and [Report.Write]. To add a section, add a row in page and its texts.
package curator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bencao/indexer"
	"bencao/indexer/finding"
	"bencao/internal/snapshotfiles"
	"bencao/store/snapshot"
)

// Report is the content of the report on one build.
type Report struct {
	run      *indexer.Report
	findings []finding.Finding
	// id is the snapshot that the build published. It is empty if the build published none.
	id string
	// findingsFile is the name of the file that lists all findings.
	findingsFile string
	// bytes is the size of each file and folder of the snapshot.
	bytes map[string]int64
	// changes holds the changes of each table. It is nil if the build published nothing or if the
	// previous snapshot cannot be compared. If the snapshots cannot be compared, notCompared is the
	// reason.
	changes     map[string]*changes
	notCompared error
	// unmatched lists the species without an accepted name.
	unmatched []record
}

// Published returns the report on the build that published a snapshot. id is the id of the
// snapshot.
func Published(ctx context.Context, dir snapshot.Dir, id string) (*Report, error) {
	held, err := dir.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	r := &Report{id: id, findingsFile: indexer.FindingsFile}
	if r.run, r.findings, err = read(held.Path(indexer.ReportFile), held.Path(indexer.FindingsFile)); err == nil {
		err = r.readStores(ctx, dir, held)
	}
	return r, errors.Join(err, held.Close())
}

// Last returns the report on the last build, whether it published or not. If the sources had not
// changed, it returns the report on the build that published the current snapshot.
func Last(ctx context.Context, dir snapshot.Dir) (*Report, error) {
	in := func(name string) string { return filepath.Join(dir.Path(), name) }
	run, findings, err := read(in(indexer.LastReport), in(indexer.LastFindings))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no report of a build; run \"bencao index\", or name a snapshot: %w", dir.Path(), err)
	}
	if err != nil {
		return nil, err
	}
	switch run.Outcome {
	case indexer.Published, indexer.Unchanged:
		return Published(ctx, dir, run.Snapshot)
	}
	return &Report{run: run, findings: findings, findingsFile: indexer.LastFindings}, nil
}

// read reads the report and the findings of a build.
func read(report, findings string) (*indexer.Report, []finding.Finding, error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, nil, err
	}
	run := &indexer.Report{}
	if err := json.Unmarshal(text, run); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", report, err)
	}
	f, err := os.Open(findings)
	if err != nil {
		return nil, nil, err
	}
	list, err := finding.ReadCSV(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", findings, err)
	}
	return run, list, errors.Join(err, f.Close())
}

// readStores reads the changes and the unmatched species from the stores of the two snapshots.
func (r *Report) readStores(ctx context.Context, dir snapshot.Dir, held *snapshot.Snapshot) error {
	r.bytes = map[string]int64{}
	for _, f := range held.Manifest.Files {
		name, _, _ := strings.Cut(f.Path, "/")
		r.bytes[name] += f.Bytes
	}
	if err := snapshotfiles.Readable(held.Manifest); err != nil {
		r.notCompared = fmt.Errorf("%s: %w", r.id, err)
		return nil
	}
	after, err := snapshotfiles.Open(held.Path(), snapshotfiles.Store)
	if err != nil {
		return err
	}
	now, err := after.Store.Begin()
	if err != nil {
		return errors.Join(err, after.Close())
	}
	r.unmatched, err = unmatched(now)
	if before := r.run.Before; err == nil && before != "" {
		r.changes, r.notCompared, err = compareWith(ctx, dir, before, now)
	}
	now.Close()
	return errors.Join(err, after.Close())
}

// Options tunes [Report.Write].
type Options struct {
	// Language is en or zh.
	Language string
	// Rows is the maximum number of rows that a list shows; 0 is no limit.
	Rows int
}

// Write writes the report as one HTML page that needs no other files.
func (r *Report) Write(w io.Writer, opt Options) error {
	return r.page(words{catalogues[opt.Language], opt.Language, printers[opt.Language]}, opt.Rows).write(w)
}
