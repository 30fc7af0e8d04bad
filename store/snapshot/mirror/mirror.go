// Package mirror copies the current snapshot of a publisher over HTTP into a local data directory:
//
//	metadata of the root of trust, or CURRENT ─▶ manifest ─▶ files: linked or fetched ─▶ publication
//
// The publisher is any web server that serves a data directory. With a root of trust the mirror
// accepts only snapshots that the publisher has signed, and never an older or expired state: see
// package trust. A data directory that has seen a root goes on with it. Without a root the mirror
// follows CURRENT, which only the web server's HTTPS protects. In both cases the mirror checks the manifest against the metadata or CURRENT, and each file against
// the manifest. The current snapshot changes only after all files are complete. If a run is
// interrupted, the next run keeps its files.
//
// Start with [Pull].
package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"bencao/internal/textfile"
	"bencao/store/snapshot"
	"bencao/store/snapshot/trust"
)

// Options tunes [Pull]. The zero value is ready for use.
type Options struct {
	// MaxAge is the maximum time since the publisher last built or confirmed the snapshot. Zero
	// means no limit.
	MaxAge time.Duration
	// RootFile is a file with a root of trust. The mirror then follows the publisher by the rules
	// of The Update Framework. If RootFile is empty, the mirror uses the root of trust that the data
	// directory has seen. If there is none, it follows CURRENT, which is not signed.
	RootFile string
	// NoTrust makes the mirror follow CURRENT, whatever root of trust the data directory has seen.
	NoTrust bool
	// Program is the name of this program in the report.
	Program string
	// MetricsFile is the file to which the metrics of the run are written. Empty writes none.
	MetricsFile string
	// AllowRollback is the id of a snapshot that is accepted although this mirror has already
	// followed a newer state, or its current snapshot is newer. [AnyRollback] accepts every snapshot, and empty none.
	AllowRollback string
	// MaxBytes bounds the size of the snapshot. Zero is 64 GiB.
	MaxBytes int64
	// MaxFiles bounds the number of files of the snapshot. Zero is 10,000.
	MaxFiles int
	// Stall is a period. A connection is closed if the publisher sends less than 1 KiB per second
	// during it. Zero is 30 s.
	Stall time.Duration
	// Slow is a period. The run ends if the publisher sends less than 10 kB per second during it, on
	// all connections together. Zero is 10 min.
	Slow time.Duration
	// Retries is the number of attempts in a row that may fail without much progress. Zero is 5.
	Retries int
	// Pause is the time before the second attempt. It doubles with each further attempt. Zero is 1
	// s.
	Pause time.Duration
	// Keep is the number of snapshots to keep. Zero is 3.
	Keep int
	// Accept may return an error to refuse a manifest, for example because of a newer schema. It is
	// called before any file is fetched. Nil accepts all.
	Accept func(snapshot.Manifest) error
	// Check opens the copy as a server would. It may return an error to refuse the copy. Nil
	// accepts all.
	Check func(dir string) error
	// Log receives a line for each failed attempt. Nil is silent.
	Log *slog.Logger
	// Progress, if not nil, is called with the number of bytes of the snapshot that are stored
	// locally, and their total. Calls do not overlap.
	Progress func(done, total int64)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
	// Step is called before each step that changes the disk. Nil is silent.
	Step func(step string)
}

func (o Options) withDefaults() Options {
	defaults(&o.MaxBytes, 64<<30)
	defaults(&o.MaxFiles, 10_000)
	defaults(&o.Stall, 30*time.Second)
	defaults(&o.Slow, 10*time.Minute)
	defaults(&o.Retries, 5)
	defaults(&o.Pause, time.Second)
	defaults(&o.Keep, 3)
	if o.Accept == nil {
		o.Accept = func(snapshot.Manifest) error { return nil }
	}
	if o.Check == nil {
		o.Check = func(string) error { return nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func defaults[T int | int64 | time.Duration](v *T, value T) {
	if *v == 0 {
		*v = value
	}
}

var (
	// ErrStale is the error if the publisher's snapshot is older than [Options.MaxAge].
	ErrStale = errors.New("the publisher is stale")
	// ErrSlow is the error if the publisher sends too few bytes during [Options.Slow].
	ErrSlow = errors.New("the publisher sends less than 10 kB a second")
	// errLimit is the error for a snapshot or a file that is larger than allowed.
	errLimit = errors.New("is over the limit")
	// errMoved is the error if the publisher switched to another snapshot during an attempt.
	errMoved = errors.New("the publisher has published another snapshot")
)

// maxAttempts is the maximum number of attempts of a run. If the publisher switches to another
// snapshot during an attempt, the run makes another attempt.
const maxAttempts = 3

// pull is the state of a run.
type pull struct {
	opt    Options
	remote *remote
	writer *snapshot.Writer
	root   []byte // the root of trust; nil if the mirror follows CURRENT
	report Report
	// last is the report of the previous run. It is empty if there is none.
	last Report
	// checked is the publisher's confirmation of the snapshot, or nil if there is none.
	checked *snapshot.Checked
	// followed is the result of following the root of trust. It is nil without a root.
	followed *trust.Followed
}

// Pull makes the publisher's current snapshot the current snapshot of d. from is the publisher's
// address, which must have passed [CheckURL]. If Pull returns an error, d still has its previous
// current snapshot, and may also have files for the next run. Pull returns a report even if it
// fails.
func Pull(ctx context.Context, from string, d snapshot.Dir, opt Options) (Report, error) {
	opt = opt.withDefaults()
	p := &pull{opt: opt, report: Report{Program: opt.Program, From: from, StartedAt: opt.Now().UTC(), Removed: []string{}}}
	err := p.locked(ctx, d)
	return p.report, err
}

// locked takes the write lock, copies the snapshot, and writes the report before it releases the
// lock. So the report in the data directory describes the last run that had the lock.
func (p *pull) locked(ctx context.Context, d snapshot.Dir) (err error) {
	p.writer, err = d.Lock(snapshot.WriterOptions{Purpose: "bencao pull", Now: p.opt.Now, Step: p.opt.Step, Log: p.opt.Log})
	if err != nil {
		return p.finish(d, err)
	}
	defer func() { err = errors.Join(err, p.writer.Close()) }()
	if p.last, err = readReport(d.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.opt.Log.Warn("the report of the last pull is ignored", "error", err)
	}
	return p.finish(d, p.run(ctx))
}

// run makes up to maxAttempts attempts. After a successful attempt it announces the snapshot and
// removes old ones.
func (p *pull) run(ctx context.Context) (err error) {
	if p.opt.MetricsFile != "" {
		if err := textfile.Prepare(p.opt.MetricsFile); err != nil {
			return err
		}
	}
	if p.root, err = p.rootOfTrust(); err != nil {
		return err
	}
	if p.remote, err = newRemote(p.report.From, p.opt); err != nil {
		return err
	}
	defer p.remote.close()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go p.remote.hurry(ctx, end)
	for range maxAttempts {
		p.report.Transfer = Transfer{}
		if err = p.attempt(ctx); !errors.Is(err, errMoved) {
			break
		}
		p.opt.Log.Info("the publisher has published another snapshot during the pull; starting again")
	}
	if err != nil {
		if slow := context.Cause(ctx); errors.Is(slow, ErrSlow) {
			return slow
		}
		return err
	}
	return p.announceAndPrune()
}

// rootOfTrust returns the root of trust of the run, or nil if the mirror follows CURRENT. A data
// directory that has seen a root goes on with it.
func (p *pull) rootOfTrust() ([]byte, error) {
	if p.opt.NoTrust {
		return nil, nil
	}
	if p.opt.RootFile != "" {
		root, err := os.ReadFile(p.opt.RootFile)
		if err != nil {
			return nil, fmt.Errorf("trust-root: %w", err)
		}
		return root, nil
	}
	d := p.writer.Dir()
	root, err := trust.Kept(d)
	if errors.Is(err, trust.ErrNoRoot) && p.last.Root == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s was pulled with a root of trust, and has lost it: %w; give it by --trust-root, or give --no-trust to trust the web server", d.Path(), err)
	}
	return root, nil
}

// attempt makes one attempt to copy the publisher's current snapshot. It returns errMoved if the
// attempt failed because the publisher switched to another snapshot.
func (p *pull) attempt(ctx context.Context) error {
	at, err := p.current(ctx)
	if err != nil {
		return err
	}
	err = p.install(ctx, at.Pointer)
	if err == nil {
		return p.writer.SetChosen(at.chosen)
	}
	if ctx.Err() != nil || !goneOrAltered(err) {
		return err
	}
	// The publisher may have switched to another snapshot and removed this one during the copy. So
	// ask for its current snapshot again.
	if now, currentErr := p.current(ctx); currentErr == nil && now.Pointer != at.Pointer {
		return fmt.Errorf("%w: %w", errMoved, err)
	}
	return err
}

// goneOrAltered reports whether a switch of the publisher to another snapshot can cause the error.
func goneOrAltered(err error) bool {
	var status *statusError
	var damage *snapshot.Damage
	return errors.As(err, &status) && status.gone() || errors.As(err, &damage)
}

// install copies a snapshot and makes it current. at names the snapshot.
func (p *pull) install(ctx context.Context, at snapshot.Pointer) error {
	d := p.writer.Dir()
	raw, err := p.remote.manifest(ctx, at.ID)
	if err != nil {
		return err
	}
	m, err := snapshot.CheckManifest(raw, at)
	if err != nil {
		return fmt.Errorf("%s: %w", p.remote.base, err)
	}
	if err := p.age(ctx, m); err != nil {
		return err
	}
	if err := p.limits(m); err != nil {
		return err
	}
	if err := p.opt.Accept(m); err != nil {
		return err
	}
	p.report.Outcome, p.report.Bytes = Published, m.Bytes()
	if p.followed != nil {
		// Store the new state before the copy, so that the mirror does not accept an older state
		// after a crash.
		if err := p.followed.Keep(d); err != nil {
			return err
		}
	}
	have, err := d.Verify(ctx, at.ID, snapshot.Quick)
	if err == nil && have.Is(at) {
		done, err := p.reuse(ctx, at)
		if done || err != nil {
			return err
		}
	}
	c, err := p.writer.Copy(at, raw)
	if err != nil {
		return err
	}
	if err := p.files(ctx, c); err != nil {
		return err
	}
	return c.Publish(ctx, p.opt.Check)
}

// reuse makes a snapshot current without copying it, because the mirror already has it. This
// happens for example after a rollback of the publisher. It reports whether that succeeded.
func (p *pull) reuse(ctx context.Context, at snapshot.Pointer) (bool, error) {
	here, err := p.writer.Dir().Current()
	if err == nil && here == at {
		p.report.Outcome = Unchanged
		return true, nil
	}
	if _, err := p.writer.Rollback(ctx, at.ID); err != nil {
		p.opt.Log.Warn("the snapshot is already here but can't be used, so it is copied again", "snapshot", at.ID, "error", err)
		return false, nil
	}
	p.report.Linked = p.report.Bytes
	return true, nil
}

// announceAndPrune publishes the metadata and CHECKED for mirrors of this mirror, and removes old
// snapshots. It is called after the snapshot has become current.
func (p *pull) announceAndPrune() error {
	if p.followed != nil {
		if err := trust.Republish(p.writer.Dir()); err != nil {
			return err
		}
	}
	if p.checked != nil {
		if err := p.writer.PutChecked(*p.checked); err != nil {
			return err
		}
	}
	if err := p.writer.Announce(); err != nil {
		return err
	}
	removed, err := p.writer.Prune(p.opt.Keep)
	if err != nil {
		// The new snapshot is current, so a failure to remove old snapshots is only a warning.
		p.opt.Log.Warn("old snapshots could not all be removed", "error", err)
	}
	p.report.Removed = append(p.report.Removed, removed...)
	return nil
}
