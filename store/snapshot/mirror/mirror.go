// Package mirror copies the current snapshot of a publisher over HTTP into a local data directory:
//
//	metadata of the root of trust, or CURRENT ─▶ manifest ─▶ files: linked, made by deltas, or fetched ─▶ publication
//
// The publisher is any web server that serves a data directory. With a root of trust the mirror
// accepts only snapshots that the publisher has signed, and never an older or expired state: see
// package trust. Without one it follows CURRENT, which only the web server's HTTPS protects. In
// both cases the mirror checks the manifest against the metadata or CURRENT, and each file against
// the manifest. The current snapshot changes only after all files are complete. A later run
// continues with the files of an interrupted one.
//
// Start with [Pull].
package mirror

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
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
	// of The Update Framework. If RootFile is empty, the mirror follows CURRENT, which is not
	// signed.
	RootFile string
	// Program is the name of this program in the report.
	Program string
	// MetricsFile is the file to which the metrics of the run are written. Empty writes none.
	MetricsFile string
	// AllowRollback is the id of a snapshot that is accepted although it is older than one that
	// this mirror has already followed, or [AnyRollback]. Empty allows none.
	AllowRollback string
	// MaxBytes bounds the size of the snapshot. Zero is 64 GiB.
	MaxBytes int64
	// MaxFiles bounds the number of files of the snapshot. Zero is 10,000.
	MaxFiles int
	// Stall is the time after which a connection is closed if the publisher sends nothing, or less
	// than 1 KiB per second. Zero is 30 s.
	Stall time.Duration
	// Retries is the number of attempts in a row that may fail without much progress. Zero is 5.
	Retries int
	// Pause is the time before the second attempt. It doubles with each further attempt. Zero is 1
	// s.
	Pause time.Duration
	// Keep is the number of snapshots to keep. Zero is 3.
	Keep int
	// Readers are user ids whose processes protect an old snapshot from removal. Processes of root
	// and of the data directory's owner always do.
	Readers []int
	// Accept may return an error to refuse a manifest, such as one of a newer schema, before any
	// file is fetched. Nil accepts all.
	Accept func(snapshot.Manifest) error
	// Check opens the copy as a server would. It may return an error to refuse the copy. Nil
	// accepts all.
	Check func(dir string) error
	// Sign wraps the transport of requests to a publisher that requires credentials, such as a
	// bucket. Nil does nothing.
	Sign func(http.RoundTripper) http.RoundTripper
	// Log receives a line for each failed attempt. Nil is silent.
	Log *slog.Logger
	// Progress, if not nil, is called with the number of bytes that are stored locally. Calls do
	// not overlap.
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
	defaults(&o.Retries, 5)
	defaults(&o.Pause, time.Second)
	defaults(&o.Keep, 3)
	if o.Accept == nil {
		o.Accept = func(snapshot.Manifest) error { return nil }
	}
	if o.Check == nil {
		o.Check = func(string) error { return nil }
	}
	if o.Sign == nil {
		o.Sign = func(t http.RoundTripper) http.RoundTripper { return t }
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
	// ErrStale is returned when the publisher's snapshot is older than [Options.MaxAge].
	ErrStale = errors.New("the publisher is stale")
	// errLimit is returned for a snapshot that is larger than allowed.
	errLimit = errors.New("is over the limit")

	errMoved = errors.New("the publisher has published another snapshot")
)

// maxAttempts is the maximum number of attempts of a run. After each switch of the publisher to another
// snapshot, the run makes another attempt.
const maxAttempts = 3

// pull is the state of a run.
type pull struct {
	opt    Options
	remote *remote
	writer *snapshot.Writer
	root   []byte // the root of trust; nil follows CURRENT
	report Report
	// checked is the publisher's confirmation of the snapshot, or nil if there is none.
	checked *snapshot.Checked
	// followed is the result of following the root of trust, nil without one.
	followed *trust.Followed
	deltas   *deltas
}

// Pull makes the publisher's current snapshot the current snapshot of d. If it returns an error, d
// still serves its previous snapshot, and only files for the next attempt may have been added. The
// report describes the run in either case. from must have passed [CheckURL].
func Pull(ctx context.Context, from string, d snapshot.Dir, opt Options) (Report, error) {
	opt = opt.withDefaults()
	p := &pull{opt: opt, report: Report{Program: opt.Program, From: from, StartedAt: opt.Now().UTC(), Removed: []string{}}}
	err := p.locked(ctx, d)
	return p.report, err
}

// locked copies the snapshot, and writes the report while it holds the lock. So the report in the
// data directory describes the last run that had the lock.
func (p *pull) locked(ctx context.Context, d snapshot.Dir) (err error) {
	p.writer, err = d.Lock(snapshot.WriterOptions{Purpose: "bencao pull", Now: p.opt.Now, Step: p.opt.Step, Readers: p.opt.Readers, Log: p.opt.Log})
	if err != nil {
		return p.finish(d, err)
	}
	defer func() { err = errors.Join(err, p.writer.Close()) }()
	return p.finish(d, p.run(ctx))
}

// run makes up to maxAttempts attempts and announces the snapshot after the one that succeeds.
func (p *pull) run(ctx context.Context) (err error) {
	if p.opt.MetricsFile != "" {
		if err := textfile.Prepare(p.opt.MetricsFile); err != nil {
			return err
		}
	}
	if p.opt.RootFile != "" {
		if p.root, err = os.ReadFile(p.opt.RootFile); err != nil {
			return fmt.Errorf("trust-root: %w", err)
		}
	}
	if p.remote, err = newRemote(p.report.From, p.opt); err != nil {
		return err
	}
	defer p.remote.close()
	for range maxAttempts {
		p.report.Transfer = Transfer{}
		if err = p.attempt(ctx); !errors.Is(err, errMoved) {
			break
		}
		p.opt.Log.Info("the publisher has published another snapshot during the pull; starting again")
	}
	if err != nil {
		return err
	}
	return p.announceAndPrune()
}

// attempt makes one attempt. It returns errMoved if the publisher has switched to another snapshot.
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
	// If the publisher removed the old snapshot during the copy, the publisher looks broken. So ask
	// for its current snapshot again.
	if now, currentErr := p.current(ctx); currentErr == nil && now.Pointer != at.Pointer {
		return fmt.Errorf("%w: %w", errMoved, err)
	}
	return err
}

// goneOrAltered reports whether an error can be caused by a switch of snapshots during a run.
func goneOrAltered(err error) bool {
	var status *statusError
	var damage *snapshot.Damage
	return errors.As(err, &status) && status.gone() || errors.As(err, &damage)
}

// install makes the snapshot that at names the current one.
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
		// Keep the new state before the copy: after a crash the mirror must not accept an older
		// state.
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

// reuse makes a local snapshot current, such as after a rollback of the publisher. It reports
// whether that succeeded.
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

// announceAndPrune announces the snapshot after a successful run and removes old snapshots.
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
		// The new snapshot is current, so an error of removing old ones is only a warning.
		p.opt.Log.Warn("old snapshots could not all be removed", "error", err)
	}
	p.report.Removed = append(p.report.Removed, removed...)
	return nil
}
