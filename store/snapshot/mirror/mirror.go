// Package mirror copies the current snapshot of a publisher over HTTP into a
// data directory here:
//
//	metadata of the root of trust, or CURRENT ─▶ manifest ─▶ files: linked, made by deltas, or fetched ─▶ publication
//
// The publisher is any web server that serves a data directory. With a root of trust the mirror
// accepts only a snapshot that the publisher has signed, and never an older or expired state: see
// package trust. Without one it follows CURRENT, and only the web server's HTTPS protects it. In
// both cases the manifest must match what names it, and each file the manifest. Nothing changes
// until all files are here and complete. A later run continues with the files of an interrupted one.
//
// Begin with [Pull].
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
	// MaxAge is the maximum time since the publisher last built or confirmed the snapshot. Zero is
	// no limit.
	MaxAge time.Duration
	// RootFile holds a root of trust, from which the publisher is followed by the rules of The
	// Update Framework. If it is empty, CURRENT is followed, which is not signed.
	RootFile string
	// Program is the name of this program in the report.
	Program string
	// MetricsFile is the file for the run's metrics. Empty writes none.
	MetricsFile string
	// AllowRollback is the id of a snapshot that is accepted although it is older than what this
	// mirror has followed before, or [AnyRollback]. Empty is none.
	AllowRollback string
	// MaxBytes bounds the size of the snapshot. Zero is 64 GiB.
	MaxBytes int64
	// MaxFiles bounds the number of its files. Zero is 10,000.
	MaxFiles int
	// Stall is the time after which a connection is closed if the publisher sends nothing, or less
	// than 1 KiB a second. Zero is 30 s.
	Stall time.Duration
	// Retries is how many attempts in a row may fail without much progress. Zero is 5.
	Retries int
	// Pause is the time before the second attempt. It doubles with each further attempt. Zero is 1
	// s.
	Pause time.Duration
	// Keep is the number of snapshots to keep. Zero is 3.
	Keep int
	// Readers are user ids whose processes protect an old snapshot from removal, besides root and
	// the data directory's owner.
	Readers []int
	// Accept refuses a manifest, such as one of a newer schema, before any
	// file is fetched. Nil accepts all.
	Accept func(snapshot.Manifest) error
	// Check opens the copy as a server would and returns an error to refuse it. Nil accepts all.
	Check func(dir string) error
	// Sign wraps the transport of requests, for a publisher that asks for credentials, such as a
	// bucket. Nil does nothing.
	Sign func(http.RoundTripper) http.RoundTripper
	// Log receives a line for each failed attempt. Nil is silent.
	Log *slog.Logger
	// Progress, if not nil, is called with the number of bytes that are stored locally. The calls
	// do not overlap.
	Progress func(done, total int64)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
	// Step is called before each durable step. Nil is silent.
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
	// ErrStale is returned when the publisher has nothing new enough.
	ErrStale = errors.New("the publisher is stale")
	// errLimit is returned for a snapshot that is larger than allowed.
	errLimit = errors.New("is over the limit")

	errMoved = errors.New("the publisher has another snapshot by now")
)

// turns is how often a run starts because the publisher has switched to another snapshot.
const turns = 3

// pull is the state of a run.
type pull struct {
	opt    Options
	remote *remote
	writer *snapshot.Writer
	root   []byte // of trust; nil follows CURRENT
	report Report
	// checked is the publisher's confirmation of the snapshot, or nil if there is none.
	checked *snapshot.Checked
	// followed is the result of following the root of trust, nil without one.
	followed *trust.Followed
	deltas   *deltas
}

// Pull makes the publisher's current snapshot the current one of d. If it returns an error, d still
// serves what it served before, and only parts for the next attempt may have been added. The report
// describes the run in either case. from must have passed [CheckURL].
func Pull(ctx context.Context, from string, d snapshot.Dir, opt Options) (Report, error) {
	opt = opt.withDefaults()
	p := &pull{opt: opt, report: Report{Program: opt.Program, From: from, StartedAt: opt.Now().UTC(), Removed: []string{}}}
	err := p.locked(ctx, d)
	return p.report, err
}

// locked does the work and writes the report while it holds the lock. So the report in the data
// directory is that of the last run that had the lock.
func (p *pull) locked(ctx context.Context, d snapshot.Dir) (err error) {
	p.writer, err = d.Lock(snapshot.WriterOptions{Purpose: "bencao pull", Now: p.opt.Now, Step: p.opt.Step, Readers: p.opt.Readers, Log: p.opt.Log})
	if err != nil {
		return p.finish(d, err)
	}
	defer func() { err = errors.Join(err, p.writer.Close()) }()
	return p.finish(d, p.all(ctx))
}

// all makes the attempts of a run.
func (p *pull) all(ctx context.Context) (err error) {
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
	for range turns {
		p.report.Transfer = Transfer{}
		if err = p.turn(ctx); !errors.Is(err, errMoved) {
			break
		}
		p.opt.Log.Info("publisher changed over, beginning anew")
	}
	if err != nil {
		return err
	}
	return p.afterwards()
}

// turn makes one attempt. It ends if the publisher switches to another snapshot.
func (p *pull) turn(ctx context.Context) error {
	at, err := p.current(ctx)
	if err != nil {
		return err
	}
	err = p.take(ctx, at.Pointer)
	if err == nil {
		return p.writer.SetChosen(at.chosen)
	}
	if ctx.Err() != nil || !goneOrAltered(err) {
		return err
	}
	// A publisher that removes an old snapshot during the copy looks like a broken one.
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

// take makes the snapshot that at names the current one.
func (p *pull) take(ctx context.Context, at snapshot.Pointer) error {
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
		// This comes before the copy: after a crash the mirror must not accept an older state.
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

// reuse makes a local snapshot the current one, such as after a rollback of the publisher. It
// reports whether it could.
func (p *pull) reuse(ctx context.Context, at snapshot.Pointer) (bool, error) {
	here, err := p.writer.Dir().Current()
	if err == nil && here == at {
		p.report.Outcome = Unchanged
		return true, nil
	}
	if _, err := p.writer.Rollback(ctx, at.ID); err != nil {
		p.opt.Log.Warn("snapshot is here but can't be used, and is copied again", "snapshot", at.ID, "error", err)
		return false, nil
	}
	p.report.Linked = p.report.Bytes
	return true, nil
}

// afterwards announces the snapshot and removes old ones after a successful run.
func (p *pull) afterwards() error {
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
		// The new snapshot is current, so an old one that remains is only worth a warning.
		p.opt.Log.Warn("old snapshots could not all be removed", "error", err)
	}
	p.report.Removed = append(p.report.Removed, removed...)
	return nil
}
