package indexer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"bencao/indexer/datapackage"
	"bencao/internal/contents"
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

// PublicReport says what became of the public snapshot.
type PublicReport struct {
	Data     string           `json:"data"` // its data directory
	Outcome  Outcome          `json:"outcome"`
	Snapshot string           `json:"snapshot,omitempty"` // the current one after the run
	Bytes    map[string]int64 `json:"bytes"`              // by file or folder
}

// public makes the run that builds the public snapshot, or nil if there is to
// be none. A dry run looks at the whole one alone.
func (r *run) public() *run {
	if r.cfg.Public == "" || r.cfg.DryRun {
		return nil
	}
	cfg, opt := r.cfg, r.opt
	cfg.Data, cfg.Public, cfg.MetricsFile = r.cfg.Public, "", ""
	cfg.without = datapackage.Guarded()
	cfg.Gates.First = true // the whole night has been judged
	cfg.Package.Columns = map[string]map[string]string{}
	for table, columns := range r.cfg.Package.Columns {
		if !cfg.leavesOut(table) {
			cfg.Package.Columns[table] = columns
		}
	}
	opt.Mail = nil
	opt.Log = opt.Log.With("data", cfg.Data)
	return newRun(cfg, opt)
}

// beside builds the public snapshot, if there is to be one. When it is ready,
// ready is called, and if that succeeds it becomes current.
func (r *run) beside(ctx context.Context, ready func() error) (err error) {
	p := r.public()
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
	err = p.finish(p.fromOpen(ctx, snapshot.At(p.cfg.Data)))
	switch {
	case err != nil && isCurrent:
		return fmt.Errorf("public snapshot: %w; the whole one is current already, and the next night makes the public one", err)
	case err != nil:
		return fmt.Errorf("public snapshot: %w", err)
	}
	return nil
}

// separate refuses a data directory that has snapshots of the other kind: who
// may copy the public ones must not find a whole one among them.
func (r *run) separate(dir snapshot.Dir) error {
	list, err := dir.List()
	if err != nil {
		return err
	}
	public := len(r.cfg.without) > 0
	for _, info := range list {
		switch {
		case info.Err != nil:
		case public && !contents.Public(info.Manifest):
			return fmt.Errorf("%s is to have public snapshots, and %s there is a whole one; give a folder of their own", dir.Path(), info.ID)
		case !public && contents.Public(info.Manifest):
			return fmt.Errorf("%s has public snapshots, such as %s, and a whole one beside them would be handed out; give another folder", dir.Path(), info.ID)
		}
	}
	return nil
}

// checkPublic tells what is wrong with the folder for public snapshots.
func (c Config) checkPublic() error {
	if c.Public == "" {
		return nil
	}
	own, err := filepath.Abs(c.Data)
	if err != nil {
		return err
	}
	public, err := filepath.Abs(c.Public)
	if err != nil {
		return err
	}
	if own == public {
		return fmt.Errorf("public: %s is the data folder itself; give a folder of its own", c.Public)
	}
	return nil
}
