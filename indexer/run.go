// Package indexer builds snapshots. It reads a data package and checklists, checks them, links and
// orders the records, reconciles the names and writes one snapshot:
//
//	sources ─read─▶ records ─link, reconcile, compare, order─▶ files ─self-check─▶ snapshot
//
// [Run] never replaces a snapshot with a worse one. The current snapshot stays current if a source
// cannot be read, if rows are missing, or if the written files give wrong answers. Problems in a
// source become findings with file, line and advice. The [Report] describes the run.
//
// The package does not know HTTP. To write a file, it uses the package that also reads the file.
//
// Start reading at run.go: [Run] calls run.runLocked, which calls build.prepare in build.go.
package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"bencao/indexer/check"
	"bencao/indexer/finding"
	"bencao/indexer/sample"
	"bencao/internal/textfile"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// ErrRejects is returned by a dry run that rejected rows.
var ErrRejects = errors.New("the dry run found rows to reject")

// ErrHeld is returned by a run whose sources "bencao rollback --hold" has withdrawn.
var ErrHeld = errors.New("the sources are held")

// run is the state of one run.
type run struct {
	cfg     Config
	opt     Options
	report  *Report
	log     *finding.Log
	clock   *clock
	sources *sources
	writer  *snapshot.Writer
	// current is the manifest of the current snapshot; nil if there is no current snapshot or it is
	// damaged.
	current *snapshot.Manifest
	// before is the manifest with which the new build is compared. It is current or, if the current
	// snapshot is damaged, the manifest of the newest undamaged one. So a damaged snapshot does not
	// disable the checks.
	before *snapshot.Manifest
	checks *check.Checker
	// ready is called right before the sealed draft becomes current. If it returns an error, the draft
	// does not become current.
	ready func() error
	// denied means that the user may not write to the data directory, so that there is no report.
	denied bool
	// companion builds a second snapshot, calls ready and then makes the second snapshot current.
	// Without a second snapshot, it only calls ready.
	companion func(ctx context.Context, ready func() error) error
}

func newRun(cfg Config, opt Options) *run {
	r := &run{cfg: cfg, opt: opt, log: &finding.Log{}}
	r.ready = func() error { return nil }
	r.companion = func(_ context.Context, ready func() error) error { return ready() }
	r.report = &Report{
		Program:   cfg.Program,
		StartedAt: opt.Now().UTC(),
		Tables:    map[string]TableReport{},
		Changes:   map[string]TableChanges{},
		Bytes:     map[string]int64{},
		SelfCheck: []CheckReport{},
		Phases:    []Phase{},
		Sources:   []SourceReport{},
	}
	r.clock = &clock{report: r.report, log: opt.Log, progress: opt.Progress}
	return r
}

// runLocked does the work and writes the report while it holds the lock. Because of the lock,
// last-report.json always describes the run that last held it.
func (r *run) runLocked(ctx context.Context) (err error) {
	keyErr := r.cfg.readKeys()
	if err := r.lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.writer.Close()) }()
	if keyErr != nil {
		return r.finish(keyErr)
	}
	return r.finish(r.openAndBuild(ctx, snapshot.At(r.cfg.Data)))
}

// lock locks the data directory. On failure it writes a report.
func (r *run) lock() (err error) {
	dir := snapshot.At(r.cfg.Data)
	r.report.RootExpiresAt = rootExpires(dir)
	r.writer, err = dir.Lock(snapshot.WriterOptions{
		Purpose: "bencao index", Now: r.opt.Now, Log: r.opt.Log,
		Announce: func(at snapshot.Pointer) error { return r.cfg.publisher(r.opt.Now).Announce(dir, at) },
	})
	if err != nil {
		return r.finish(err)
	}
	return nil
}

// openAndBuild opens the sources and builds a snapshot from them.
func (r *run) openAndBuild(ctx context.Context, dir snapshot.Dir) (err error) {
	// The report names the current snapshot even if a source is missing.
	if err := r.findPrevious(dir); err != nil {
		return err
	}
	if r.cfg.MetricsFile != "" && !r.cfg.DryRun {
		if err := textfile.Prepare(r.cfg.MetricsFile); err != nil {
			return err
		}
	}
	if err := r.cfg.checkPublic(); err != nil {
		return err
	}
	err = r.clock.phase("open sources", func() (err error) {
		r.sources, err = openSources(ctx, r.cfg)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.sources.close()) }()
	return r.buildIfChanged(ctx, dir)
}

// buildIfChanged builds a snapshot from the open sources, unless the current snapshot is up to
// date.
func (r *run) buildIfChanged(ctx context.Context, dir snapshot.Dir) error {
	if err := r.cfg.checkSameKind(dir); err != nil {
		return err
	}
	if err := r.cfg.checkAnnounce(dir, r.opt.Now); err != nil {
		return err
	}
	r.cfg.warnAnnounce(dir, r.report.RootExpiresAt, r.opt)
	r.report.Sources = r.sources.report(r.cfg)
	if err := r.clock.phase("remember", func() error {
		r.checks = check.New(dir, check.Options{Limits: r.cfg.Limits, Before: r.before, Findings: r.log, Log: r.opt.Log, Now: r.opt.Now()})
		return r.checks.LoadPrevious(dir)
	}); err != nil {
		return r.explain(err)
	}
	if err := r.held(dir); err != nil {
		return err
	}
	if r.isUnchanged(ctx, dir) {
		r.addNewestRecords()
		r.report.Outcome, r.report.Snapshot = Unchanged, r.current.ID
		if err := r.confirm(); err != nil {
			return r.explain(err)
		}
		// The full snapshot stays current, so ready has nothing to do before the public snapshot
		// becomes current.
		return r.explain(r.companion(ctx, func() error { return nil }))
	}
	if public := r.publicRun(); public != nil {
		if err := public.cfg.checkAnnounce(snapshot.At(r.cfg.Public), r.opt.Now); err != nil {
			return fmt.Errorf("public snapshot: %w", err)
		}
	}
	err := r.clock.phase("examine sources", func() error { return r.checks.Sources(ctx, r.sources.forChecks(r.cfg)) })
	if err != nil {
		return r.explain(err)
	}
	r.addNewestRecords()
	return r.build(ctx)
}

// held returns an error if the operator has withdrawn a snapshot of the same sources and holds it. A
// dry run publishes nothing, so it is never held.
func (r *run) held(dir snapshot.Dir) error {
	hold, err := dir.Held()
	if err != nil || r.cfg.DryRun || !hold.Holds(r.sources.all) {
		return err
	}
	return fmt.Errorf("%w: they are those of snapshot %s, which was rolled back at %s; mend a source, or run \"bencao rollback --release\" to publish them again",
		ErrHeld, hold.Snapshot, hold.Since.Format(time.RFC3339))
}

// release ends the hold of other sources, once a snapshot of the present sources is current.
func (r *run) release() error {
	hold, err := r.writer.Dir().Held()
	if err != nil || hold == nil {
		return err
	}
	return r.writer.Release()
}

// addNewestRecords adds the date of each source's newest record to the report.
func (r *run) addNewestRecords() {
	for i, s := range r.report.Sources {
		r.report.Sources[i].NewestRecord = r.checks.Newest(s.Key)
	}
}

// measures returns the results of the checks.
func (r *run) measures() []check.Measure {
	if r.checks == nil {
		return []check.Measure{}
	}
	return r.checks.Measures()
}

// noticed returns the differences that are within the limits but that someone should look at.
func (r *run) noticed() []finding.Finding {
	if r.checks == nil {
		return []finding.Finding{}
	}
	return r.checks.Noticed()
}

// confirm records, for servers and mirrors, that the current snapshot is still up to date. It also
// signs the snapshot for mirrors and removes old snapshots, since the run that published the
// snapshot may have been killed before it did either.
func (r *run) confirm() error {
	if err := r.ready(); err != nil {
		return err
	}
	if err := r.writer.Confirm(); err != nil {
		return err
	}
	if err := r.release(); err != nil {
		return err
	}
	r.prune()
	return nil
}

// prune removes old snapshots and leftovers of crashed runs, and returns the removed ids. If
// removing fails, prune only logs a warning, since the new snapshot is already current.
func (r *run) prune() []string {
	removed, err := r.writer.Prune(r.cfg.Keep, trust.Followers(r.writer.Dir())...)
	if err != nil {
		r.opt.Log.Warn("old snapshots could not all be removed", "error", err)
	}
	return removed
}

// findPrevious finds the current snapshot. If it is damaged, the build is compared with the newest
// undamaged snapshot.
func (r *run) findPrevious(dir snapshot.Dir) error {
	m, err := dir.Published()
	switch {
	case err == nil:
		r.current, r.report.Snapshot = &m, m.ID
		if r.replacesSample(m) {
			r.opt.Log.Warn("the current snapshot has the sample data, so this build is a first one and is compared with nothing")
			return nil
		}
		r.before, r.report.Before = &m, m.ID
		return nil
	case errors.Is(err, snapshot.ErrNone):
	default:
		r.opt.Log.Warn("current snapshot can't be trusted", "error", err)
	}
	list, err := dir.List()
	if err != nil {
		return err
	}
	for _, info := range list {
		if info.Err == nil {
			r.before, r.report.Before = &info.Manifest, info.ID
			return nil
		}
	}
	return nil
}

// replacesSample reports whether snapshot m was built from the embedded sample and this run reads
// another source. In that case, the build must not be compared with m.
func (r *run) replacesSample(m snapshot.Manifest) bool {
	isSample := func(s snapshot.Source) bool { return s.File == sample.Source }
	return slices.ContainsFunc(m.Sources, isSample) && r.cfg.Package.Path != sample.Source
}

// isUnchanged reports whether the current snapshot was built from these sources, is undamaged, and
// can be opened by this program.
func (r *run) isUnchanged(ctx context.Context, dir snapshot.Dir) bool {
	if r.current == nil || r.cfg.Rebuild || r.cfg.DryRun || !r.current.BuiltFrom(r.cfg.content(r.sources.all)) {
		return false
	}
	if err := canOpen(ctx, dir, r.current.ID); err != nil {
		r.opt.Log.Warn("current snapshot can't be served and is built again", "snapshot", r.current.ID, "error", err)
		return false
	}
	return true
}

// finish completes the report and writes it to the data directory whatever the outcome. It also
// writes the metrics.
func (r *run) finish(err error) error {
	rep := r.report
	rep.Measures, rep.Noticed = r.measures(), r.noticed()
	rep.FinishedAt = r.opt.Now().UTC()
	var refusal *RefusedError
	if err != nil && r.log.Total(finding.Fatal) == 0 && !errors.Is(err, ErrRejects) {
		// An error from opening a source is not in the findings yet, so add it.
		r.log.Add(finding.Finding{Severity: finding.Fatal, Code: finding.Source, Message: err.Error()})
	}
	rep.Findings = r.log.Counts()
	switch {
	case errors.As(err, &refusal):
		rep.Outcome, rep.Allow = Refused, refusal.Flags
	case errors.Is(err, ErrRejects):
		rep.Outcome = DryRun
	case errors.Is(err, ErrHeld):
		rep.Outcome = Held
	case err != nil:
		rep.Outcome = Failed
	}
	if err != nil {
		rep.Error = err.Error()
	}
	// If another run holds the lock, the report files belong to that run.
	if r.writer != nil || !errors.Is(err, snapshot.ErrLocked) {
		if _, statErr := os.Stat(r.cfg.Data); statErr == nil {
			report, findings := r.cfg.lastFiles()
			unwritten := rep.write(r.cfg.Data, report, findings, r.log)
			// A user who may not lock the folder mostly may not write to it either. One error says so.
			if r.denied = r.writer == nil && errors.Is(err, fs.ErrPermission) && errors.Is(unwritten, fs.ErrPermission); !r.denied {
				err = errors.Join(err, unwritten)
			}
		}
	}
	if r.cfg.MetricsFile != "" && !r.cfg.DryRun {
		err = errors.Join(err, rep.writeMetrics(r.cfg.MetricsFile))
	}
	return err
}

func (r *run) explain(err error) error { return explainError(err, r.sources, r.cfg.Data, r.before) }

// build creates a draft, fills it and publishes it.
func (r *run) build(ctx context.Context) (err error) {
	if err := r.checkRoom(); err != nil {
		return r.explain(err)
	}
	draft, err := r.writer.Draft()
	if err != nil {
		return r.explain(err)
	}
	b := &build{run: r, dir: draft.Path()}
	// Remove the failed draft before finish writes the report, since the draft may have filled the
	// disk.
	defer func() {
		closed, aborted := b.closeFiles(), draft.Abort()
		err = errors.Join(r.explain(err), closed, aborted)
	}()
	if err := b.prepare(ctx); err != nil {
		return err
	}
	for _, step := range []struct {
		phase string
		do    func(context.Context) error
	}{
		{"names index", b.writeNames},
		{"reconcile", b.reconcile},
		{"write", b.writeFiles},
		{"self-check", b.selfCheck},
	} {
		if err := r.clock.phase(step.phase, func() error { return step.do(ctx) }); err != nil {
			return err
		}
	}
	if err := r.checks.ReadError(); err != nil {
		return err
	}
	if r.cfg.DryRun {
		r.report.Outcome = DryRun
		if n := r.log.Total(finding.Reject); n > 0 {
			return fmt.Errorf("%w: %d; see %s", ErrRejects, n, r.cfg.FindingsFile())
		}
		return nil
	}
	return r.clock.phase("publish", func() error { return r.publish(ctx, draft, b) })
}

// publish writes the report to the draft and makes the draft current.
func (r *run) publish(ctx context.Context, draft *snapshot.Draft, b *build) error {
	if err := r.sources.changed(); err != nil {
		return err
	}
	r.report.Outcome, r.report.Measures, r.report.Noticed = Published, r.measures(), r.noticed()
	r.report.FinishedAt = r.opt.Now().UTC()
	r.report.Findings = r.log.Counts()
	if err := r.report.write(draft.Path(), ReportFile, FindingsFile, r.log); err != nil {
		return err
	}
	if err := r.checks.Write(draft.Path(), b.pkg.Created); err != nil {
		return err
	}
	content := r.cfg.content(r.sources.all)
	content.Tables = b.tables()
	m, err := draft.Seal(ctx, content, b.checkSealed)
	if err != nil {
		return err
	}
	b.release()
	return r.companion(ctx, func() error {
		if err := r.ready(); err != nil {
			return err
		}
		return r.switchTo(draft, m)
	})
}

// switchTo makes a sealed draft current.
func (r *run) switchTo(draft *snapshot.Draft, m snapshot.Manifest) error {
	if err := makeCurrent(snapshot.At(r.cfg.Data), draft, m, &r.report.Snapshot); err != nil {
		return err
	}
	if m.Created.Sub(r.opt.Now()) > time.Minute {
		// The id contains a time that is later than now, because the clock was set back and ids
		// must increase. Confirm records the true time of the build.
		if err := r.writer.Confirm(); err != nil {
			return err
		}
	}
	if err := r.release(); err != nil {
		return err
	}
	for _, f := range m.Files {
		name, _, _ := strings.Cut(f.Path, "/")
		r.report.Bytes[name] += f.Bytes
	}
	r.opt.Log.Info("published", "snapshot", m.ID, "bytes", m.Bytes(), "removed", r.prune())
	return nil
}
