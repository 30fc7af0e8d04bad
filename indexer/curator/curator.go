// Package curator writes what a night found as a page that a curator reads: a
// botanist who keeps the sources and does not program.
//
//	report.json, findings.csv ─┐
//	store of the snapshot      ├─▶ Night ─compose─▶ document ─▶ Markdown or HTML
//	store of the one before    ┘
//
// All it says comes from what a snapshot and the data folder keep, so that the
// page of a night can be written at any time. The same document becomes either
// form; the words are in a catalogue for each language.
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
	"bencao/internal/contents"
	"bencao/store/snapshot"
)

// Night is what there is to say of one run.
type Night struct {
	report   *indexer.Report
	findings []finding.Finding
	// id is the snapshot that the run published; empty if it published none.
	id string
	// listed is the file that has all findings.
	listed string
	// bytes is the size of the snapshot's files and folders.
	bytes map[string]int64
	// changes are by table; nil if the run published nothing, or if the snapshot
	// before is not there any more, which unlike says.
	changes map[string]*changes
	unlike  error
	// unmatched are the species without an accepted name.
	unmatched []record
}

// Of is the night that published a snapshot.
func Of(ctx context.Context, dir snapshot.Dir, id string) (*Night, error) {
	held, err := dir.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	n := &Night{id: id, listed: indexer.FindingsFile}
	if n.report, n.findings, err = read(held.Path(indexer.ReportFile), held.Path(indexer.FindingsFile)); err == nil {
		err = n.look(ctx, dir, held)
	}
	return n, errors.Join(err, held.Close())
}

// Last is the last run, whether it published or not. When it found that
// nothing had changed, that is the night that published what still serves.
func Last(ctx context.Context, dir snapshot.Dir) (*Night, error) {
	at := func(name string) string { return filepath.Join(dir.Path(), name) }
	report, findings, err := read(at(indexer.LastReport), at(indexer.LastFindings))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no report of a night; run \"bencao index\", or name a snapshot: %w", dir.Path(), err)
	}
	if err != nil {
		return nil, err
	}
	return Just(ctx, dir, report, findings)
}

// Just is the night that has just ended, with all it found.
func Just(ctx context.Context, dir snapshot.Dir, r *indexer.Report, findings []finding.Finding) (*Night, error) {
	switch r.Outcome {
	case indexer.Published, indexer.Unchanged:
		return Of(ctx, dir, r.Snapshot)
	}
	return &Night{report: r, findings: findings, listed: indexer.LastFindings}, nil
}

// read reads a report and the findings beside it.
func read(report, findings string) (*indexer.Report, []finding.Finding, error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, nil, err
	}
	r := &indexer.Report{}
	if err := json.Unmarshal(text, r); err != nil {
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
	return r, list, errors.Join(err, f.Close())
}

// look reads what changed and what has no accepted name from the stores.
func (n *Night) look(ctx context.Context, dir snapshot.Dir, held *snapshot.Snapshot) error {
	n.bytes = map[string]int64{}
	for _, f := range held.Manifest.Files {
		name, _, _ := strings.Cut(f.Path, "/")
		n.bytes[name] += f.Bytes
	}
	if err := contents.Readable(held.Manifest); err != nil {
		n.unlike = fmt.Errorf("%s: %w", n.id, err)
		return nil
	}
	after, err := contents.Open(held.Path(), contents.Store)
	if err != nil {
		return err
	}
	now, err := after.Store.Begin()
	if err != nil {
		return errors.Join(err, after.Close())
	}
	n.unmatched, err = unmatched(now)
	if before := n.before(); err == nil && before != "" {
		n.changes, n.unlike, err = against(ctx, dir, before, now)
	}
	now.Close()
	return errors.Join(err, after.Close())
}

// before is the snapshot that the night was compared with. Reports used to have
// it as the current one.
func (n *Night) before() string {
	if n.report.Before == "" && n.report.Snapshot != n.id {
		return n.report.Snapshot
	}
	return n.report.Before
}

// Options say how a night is written.
type Options struct {
	// Language is what it is written in; one of [Languages].
	Language string
	// HTML is a page that holds all it needs; otherwise it is Markdown.
	HTML bool
	// Rows is how many rows of a list are shown; 0 is all of them.
	Rows int
}

// Write writes the night.
func (n *Night) Write(w io.Writer, opt Options) error {
	d := n.compose(words{catalogues[opt.Language], opt.Language, printers[opt.Language]}, opt.Rows)
	if opt.HTML {
		return d.html(w)
	}
	return d.markdown(w)
}

// Title says in a line what night it was and how it ended.
func (n *Night) Title(language string) string {
	return n.title(words{catalogues[language], language, printers[language]})
}
