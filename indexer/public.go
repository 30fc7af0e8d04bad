package indexer

import (
	"context"
	"errors"
	"fmt"

	"bencao/indexer/datapackage"
	"bencao/store/snapshot"
)

// A night may build two snapshots: the whole one, and beside it a public one in
// a data directory of its own, for mirrors that are open to everybody. The
// public one is a night of its own over the same sources, which reads them as
// if the guarded tables were not there. So nothing that is derived from rows,
// be it an index, a count or a finding, can hold what the rows say.
//
// Both are sealed before either becomes current: first the whole one, then the
// public one.

// Run builds a snapshot and makes it current. The report says what was done,
// also when an error is returned: a [*RefusedError] if a gate kept the old
// snapshot, [ErrRejects] from a dry run.
func Run(ctx context.Context, cfg Config, opt Options) (*Report, error) {
	if cfg.Keep == 0 {
		cfg.Keep = 3
	}
	r := newRun(cfg, opt.withDefaults())
	r.companion = r.buildPublic
	return r.report, r.runLocked(ctx)
}

// public makes the run that builds the public snapshot, or nil if there is to
// be none. A dry run looks at the whole one alone.
func (r *run) publicRun() *run {
	if r.cfg.Public == "" || r.cfg.DryRun {
		return nil
	}
	cfg, opt := r.cfg, r.opt
	cfg.Data, cfg.Public, cfg.MetricsFile = r.cfg.Public, "", ""
	cfg.excluded = datapackage.Guarded()
	cfg.Limits.First = true // the whole night has been judged
	cfg.Package.Columns = map[string]map[string]string{}
	for table, columns := range r.cfg.Package.Columns {
		if !cfg.excludes(table) {
			cfg.Package.Columns[table] = columns
		}
	}
	opt.Mail = nil
	opt.Log = opt.Log.With("data", cfg.Data)
	return newRun(cfg, opt)
}

// withPublic builds the public snapshot, if there is to be one. When it is ready,
// ready is called, and if that succeeds it becomes current.
func (r *run) buildPublic(ctx context.Context, ready func() error) (err error) {
	p := r.publicRun()
	if p == nil {
		return ready()
	}
	isCurrent := false
	p.sources = r.sources
	p.ready = func() error {
		err := ready()
		isCurrent = err == nil
		return err
	}
	if err := p.lock(); err != nil {
		return fmt.Errorf("public snapshot: %w", err)
	}
	defer func() {
		err = errors.Join(err, p.writer.Close())
		r.report.Public = &PublicReport{p.cfg.Data, p.report.Outcome, p.report.Snapshot, p.report.Bytes}
	}()
	err = p.finish(p.buildIfChanged(ctx, snapshot.At(p.cfg.Data)))
	switch {
	case err != nil && isCurrent:
		return fmt.Errorf("public snapshot: %w; the whole one is current already, and the next night makes the public one", err)
	case err != nil:
		return fmt.Errorf("public snapshot: %w", err)
	}
	return nil
}
