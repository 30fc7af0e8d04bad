package indexer

import (
	"context"
	"errors"
	"fmt"

	"bencao/indexer/datapackage"
	"bencao/store/snapshot"
)

// A run may build two snapshots: the full one, and a public one for open mirrors. Each has its own
// data directory. The public snapshot comes from a second run over the same sources. That run ignores
// the tables that require a scope, so no index, count or finding in the public snapshot can reveal
// their rows.
//
// Both snapshots are sealed before either becomes current. The full one becomes current first.

// Run builds a snapshot and makes it current. It returns a report even if it returns an error, unless
// the user may not write to the data folder. The
// error is a [*RefusedError] if a check refused the build, and [ErrRejects] if a dry run rejected
// rows.
func Run(ctx context.Context, cfg Config, opt Options) (*Report, error) {
	if cfg.Keep == 0 {
		cfg.Keep = 3
	}
	r := newRun(cfg, opt.withDefaults())
	r.companion = r.buildPublic
	err := r.runLocked(ctx)
	if r.denied {
		return nil, err
	}
	return r.report, err
}

// publicRun returns the run that builds the public snapshot, or nil if the configuration asks for
// none. A dry run builds only the full snapshot.
func (r *run) publicRun() *run {
	if r.cfg.Public == "" || r.cfg.DryRun {
		return nil
	}
	cfg, opt := r.cfg, r.opt
	cfg.Data, cfg.Public, cfg.MetricsFile = r.cfg.Public, "", ""
	cfg.excluded = datapackage.ScopedTables()
	cfg.Limits.First = true // the full build has already been checked
	cfg.Package.Columns = map[string]map[string]string{}
	for table, columns := range r.cfg.Package.Columns {
		if !cfg.excludes(table) {
			cfg.Package.Columns[table] = columns
		}
	}
	opt.Log = opt.Log.With("data", cfg.Data)
	return newRun(cfg, opt)
}

// buildPublic builds the public snapshot, if the configuration asks for one, and then calls ready.
// If ready succeeds, it makes the public snapshot current.
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
	dir := snapshot.At(p.cfg.Data)
	if err = p.findPrevious(dir); err == nil {
		err = p.buildIfChanged(ctx, dir)
	}
	err = p.finish(err)
	switch {
	case err != nil && isCurrent:
		return fmt.Errorf("public snapshot: %w; the complete snapshot is already current, and the next nightly build makes the public one", err)
	case err != nil:
		return fmt.Errorf("public snapshot: %w", err)
	}
	return nil
}
