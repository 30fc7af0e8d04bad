package snapshot_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"bencao/store/snapshot"
)

// service is a minimal server. live holds the snapshot from which it answers.
type service struct {
	t    *testing.T
	live *snapshot.Live[*snapshot.Snapshot]

	mu       sync.Mutex                     // guards the fields below
	refuse   func(*snapshot.Snapshot) error // returns an error for a snapshot to refuse; nil refuses none
	attempts int
	reports  []snapshot.Status
}

func (s *service) take(_ context.Context, next *snapshot.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts++
	if s.refuse != nil {
		if err := s.refuse(next); err != nil {
			return err
		}
	}
	if s.live != nil {
		s.live.Swap(next)
		return nil
	}
	s.live = snapshot.NewLive(next, func(old *snapshot.Snapshot) {
		if err := old.Close(); err != nil {
			s.t.Errorf("close %s: %v", old.ID, err)
		}
	})
	return nil
}

// answers returns the name of the nightly build whose data the service answers from.
func (s *service) answers() string {
	now, release := s.live.Acquire()
	defer release()
	return nameOfBuild(s.t, now)
}

// seen returns the number of snapshots that the service was given, and the reported statuses.
func (s *service) seen() (attempts int, reports []snapshot.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts, slices.Clone(s.reports)
}

// last returns the last reported status.
func (s *service) last() snapshot.Status {
	_, reports := s.seen()
	if len(reports) == 0 {
		return snapshot.Status{}
	}
	return reports[len(reports)-1]
}

func (s *service) follow(d snapshot.Dir, opt snapshot.FollowOptions) *snapshot.Follower {
	opt.Report = func(st snapshot.Status) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.reports = append(s.reports, st)
	}
	return snapshot.NewFollower(d, s.take, opt)
}

// followed runs a test with a fake clock, which advances only while all goroutines wait. The
// service starts on the snapshot monday.
func followed(t *testing.T, test func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, hangup chan os.Signal)) {
	t.Helper()
	d := dataDir(t)
	mustBuild(t, d, "monday")
	synctest.Test(t, func(t *testing.T) {
		s := &service{t: t}
		hangup := make(chan os.Signal)
		f := s.follow(d, snapshot.FollowOptions{Trigger: hangup})
		must(t, f.Start(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { f.Run(ctx) })
		test(t, d, s, f, hangup)
		cancel()
		running.Wait()
		must(t, s.live.Close(t.Context()))
	})
}

// pass advances the clock and waits until everything that is due has happened.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestFollow(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, _ chan os.Signal) {
		if st := f.Status(); st.Err != nil || st.Serving.ID == "" {
			t.Errorf("after Start the status is %+v, want a snapshot and no error", st)
		}
		pass(time.Hour)
		if attempts, reports := s.seen(); attempts != 1 || len(reports) != 1 {
			t.Errorf("an hour without news: %d attempts, %d reports, want one of each", attempts, len(reports))
		}
		tuesday := mustBuild(t, d, "tuesday")
		held, release := s.live.Acquire() // a slow request
		pass(time.Second)
		if got := s.answers(); got != "tuesday" {
			t.Errorf("a second after the publication the service answers from %q, want tuesday", got)
		}
		if st := f.Status(); st.Serving.ID != tuesday.ID || st.Err != nil || time.Since(st.Since) > time.Second {
			t.Errorf("the status is %+v, want that %s serves since a moment ago without an error", st, tuesday.ID)
		}
		// The slow request still uses the files of monday, so it is not pruned.
		w := lock(t, d)
		if removed, err := w.Prune(1); err != nil || removed != nil {
			t.Errorf("pruned %q, %v during a request that reads monday, want nothing", removed, err)
		}
		if got := nameOfBuild(t, held); got != "monday" {
			t.Errorf("the slow request reads %q, want monday", got)
		}
		release()
		synctest.Wait()
		if removed, err := w.Prune(1); err != nil || len(removed) != 1 {
			t.Errorf("pruned %q, %v after the last request of monday, want monday", removed, err)
		}
	})
}

func TestFollowRollback(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, _ chan os.Signal) {
		monday := f.Status().Serving.ID
		mustBuild(t, d, "tuesday")
		pass(time.Second)
		if _, err := lock(t, d).Rollback(t.Context(), monday); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		if got := s.answers(); got != "monday" || f.Status().Err != nil {
			t.Errorf("after a rollback the service answers from %q with the error %v, want monday and no error", got, f.Status().Err)
		}
	})
}

func TestFollowKeepsTheOldOne(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, hangup chan os.Signal) {
		// Imitate an incomplete copy: CURRENT has arrived before a file is complete.
		tuesday := mustBuild(t, d, "tuesday")
		damage(t, d, tuesday.ID, "names.idx", func(b []byte) []byte { return b[:1] })
		pass(time.Second)
		if got := s.answers(); got != "monday" {
			t.Errorf("answers from %q, want monday while tuesday is broken", got)
		}
		oneLine(t, f.Status().Err, tuesday.ID, "names.idx has 1 bytes")
		_, before := s.seen()
		more := func() int {
			_, now := s.seen()
			return len(now) - len(before)
		}
		pass(28 * time.Second)
		if n := more(); n != 0 {
			t.Errorf("%d more reports within 28 s, want none: a broken snapshot is tried again only after 30 s", n)
		}
		pass(2 * time.Second)
		if n := more(); n != 1 || s.last().Err == nil {
			t.Errorf("%d more reports after 30 s, want one more failure", n)
		}
		hangup <- syscall.SIGHUP
		pass(0)
		if n := more(); n != 2 {
			t.Errorf("%d more reports after SIGHUP, want two: the snapshot is tried at once", n)
		}
		// The copy is now complete, so the next attempt accepts it.
		damage(t, d, tuesday.ID, "names.idx", func([]byte) []byte { return files("tuesday")["names.idx"] })
		pass(31 * time.Second)
		if got := s.answers(); got != "tuesday" || f.Status().Err != nil {
			t.Errorf("the service answers from %q with the error %v, want tuesday, which is complete now", got, f.Status().Err)
		}
	})
}

// TestFollowDoesNotWaitForTheNextOne checks that a changed CURRENT is tried at once, even after
// failures.
func TestFollowDoesNotWaitForTheNextOne(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, _ chan os.Signal) {
		s.mu.Lock()
		s.refuse = func(next *snapshot.Snapshot) error {
			switch next.Manifest.Sources[0].Version {
			case "tuesday":
				return errors.New("species.bleve: built with schema 51aa, this program has 9f3c")
			case "wednesday":
				panic("index out of range")
			}
			return nil
		}
		s.mu.Unlock()
		mustBuild(t, d, "tuesday")
		pass(time.Second)
		oneLine(t, f.Status().Err, "species.bleve: built with schema 51aa")
		mustBuild(t, d, "wednesday")
		pass(time.Second)
		oneLine(t, f.Status().Err, "panic while opening: index out of range")
		if got := s.answers(); got != "monday" {
			t.Errorf("answers from %q, want monday", got)
		}
		mustBuild(t, d, "thursday")
		pass(time.Second)
		if got := s.answers(); got != "thursday" || f.Status().Err != nil {
			t.Errorf("answers from %q, %v, want thursday a second after publication", got, f.Status().Err)
		}
		// A refused snapshot is not protected from removal, so it can be pruned.
		if removed, err := lock(t, d).Prune(1); err != nil || len(removed) != 3 {
			t.Errorf("pruned %q, %v, want the three snapshots before thursday", removed, err)
		}
	})
}

func TestFollowCurrentBreaksAndComesBack(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, _ chan os.Signal) {
		current := filepath.Join(d.Path(), "CURRENT")
		good, err := os.ReadFile(current)
		must(t, err)
		must(t, os.Remove(current))
		pass(time.Second)
		if !errors.Is(f.Status().Err, snapshot.ErrNone) || s.answers() != "monday" {
			t.Errorf("without CURRENT: %v, want ErrNone and answers from monday", f.Status().Err)
		}
		must(t, os.WriteFile(current, good[:40], 0o644))
		pass(time.Second)
		oneLine(t, f.Status().Err, "CURRENT", "cut off")
		must(t, os.WriteFile(current, good, 0o644))
		pass(time.Second)
		if attempts, _ := s.seen(); s.last().Err != nil || attempts != 1 {
			t.Errorf("after CURRENT is restored: error %v, %d attempts, want no error and no second attempt", s.last().Err, attempts)
		}
	})
}

func TestStartFallsBack(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b", "c", "d")
	damage(t, d, n[3], "store.bolt", func(b []byte) []byte { b[7]++; return b })
	damage(t, d, n[2], "manifest.json", func(b []byte) []byte { return b[:9] })
	s := &service{t: t}
	f := s.follow(d, snapshot.FollowOptions{})
	must(t, f.Start(t.Context()))
	if got := s.answers(); got != "b" {
		t.Errorf("the service answers from %q, want b, the newest complete snapshot", got)
	}
	oneLine(t, f.Status().Err, "serving "+n[1]+" instead", n[3], "store.bolt is altered")
	if st := s.last(); st.Serving.ID != n[1] || st.Err == nil {
		t.Errorf("the last report is %+v, want that %s serves, and an error", st, n[1])
	}
	must(t, s.live.Close(t.Context()))
}

// TestStartWithBadCurrent starts a service while CURRENT is damaged and the snapshots are complete.
// The service must use the newest snapshot and report the damage.
func TestStartWithBadCurrent(t *testing.T) {
	d := dataDir(t)
	n := buildAll(t, d, "a", "b")
	for _, line := range []string{"", "garbage\n", n[1] + " " + string(make([]byte, 64)) + "\n"} {
		must(t, os.WriteFile(filepath.Join(d.Path(), "CURRENT"), []byte(line), 0o644))
		s := &service{t: t}
		f := s.follow(d, snapshot.FollowOptions{})
		must(t, f.Start(t.Context()))
		if got := s.answers(); got != "b" {
			t.Errorf("CURRENT %q: answers from %q, want b", line, got)
		}
		oneLine(t, f.Status().Err, "serving "+n[1]+" instead", "CURRENT")
		must(t, s.live.Close(t.Context()))
	}
}

func TestStartWithNothing(t *testing.T) {
	d := dataDir(t)
	s := &service{t: t}
	err := s.follow(d, snapshot.FollowOptions{}).Start(t.Context())
	if !errors.Is(err, snapshot.ErrNone) {
		t.Errorf("Start without a data directory: %v, want ErrNone", err)
	}
	oneLine(t, err, `run "bencao index"`)
	m := mustBuild(t, d, "monday")
	damage(t, d, m.ID, "names.idx", func(b []byte) []byte { b[0]++; return b })
	err = s.follow(d, snapshot.FollowOptions{}).Start(t.Context())
	oneLine(t, err, "none of 1 snapshots", "names.idx is altered", `run "bencao index"`)
	if attempts, _ := s.seen(); attempts != 0 {
		t.Errorf("a broken snapshot was passed to the service %d times", attempts)
	}
}

// TestFollowSnapshotIsGone removes the directory of the snapshot in use. The service must still
// answer from its open files. It must report the problem once, until the directory is restored or
// another snapshot is in use.
func TestFollowSnapshotIsGone(t *testing.T) {
	followed(t, func(t *testing.T, d snapshot.Dir, s *service, f *snapshot.Follower, _ chan os.Signal) {
		aside := filepath.Join(t.TempDir(), "aside")
		dir := filepath.Join(d.Path(), "snapshots", f.Status().Serving.ID)
		must(t, os.Rename(dir, aside))
		pass(time.Minute)
		st := s.last()
		if !errors.Is(st.Err, snapshot.ErrGone) || st.Serving.ID != filepath.Base(dir) {
			t.Errorf("status %+v, want that the directory is gone", st)
		}
		oneLine(t, st.Err, "was removed from", "bencao rollback")
		if _, reports := s.seen(); len(reports) != 2 {
			t.Errorf("%d reports, want one for the start and one for the removal", len(reports))
		}
		must(t, os.Rename(aside, dir))
		pass(time.Second)
		if st := s.last(); st.Err != nil {
			t.Errorf("the directory is restored, but the status is %+v", st)
		}
		must(t, os.Rename(dir, aside))
		mustBuild(t, d, "tuesday")
		pass(time.Second)
		if st := s.last(); st.Err != nil || s.answers() != "tuesday" {
			t.Errorf("the service answers from %q with the status %+v, want tuesday and no error", s.answers(), st)
		}
	})
}
