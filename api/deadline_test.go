package api

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestDeadlineAsOfContext holds a deadline against that of package context, before and after
// the end of it and of its parent, whether or not somebody waits for it.
func TestDeadlineAsOfContext(t *testing.T) {
	type key struct{}
	for _, c := range []struct {
		name           string
		waited         bool
		parent, cancel time.Duration // when the parent's own deadline is, and when it is cancelled; 0 is never
		want           error
		at             time.Duration
	}{
		{name: "time is over", want: context.DeadlineExceeded, at: 5 * time.Second},
		{name: "time is over, waited", waited: true, want: context.DeadlineExceeded, at: 5 * time.Second},
		{name: "cancelled", cancel: 2 * time.Second, want: context.Canceled, at: 2 * time.Second},
		{name: "cancelled, waited", waited: true, cancel: 2 * time.Second, want: context.Canceled, at: 2 * time.Second},
		{name: "parent is over", parent: time.Second, want: context.DeadlineExceeded, at: time.Second},
		{name: "parent is over, waited", waited: true, parent: time.Second, want: context.DeadlineExceeded, at: time.Second},
		{name: "parent is later", waited: true, parent: 9 * time.Second, want: context.DeadlineExceeded, at: 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "value"))
				defer cancel()
				if c.parent > 0 {
					var stop context.CancelFunc
					parent, stop = context.WithTimeout(parent, c.parent)
					defer stop()
				}
				if c.cancel > 0 {
					time.AfterFunc(c.cancel, cancel)
				}
				begun := time.Now()
				d := withTimeout(parent, 5*time.Second)
				defer d.release()
				theirs, stop := context.WithTimeout(parent, 5*time.Second)
				defer stop()
				at, ok := d.Deadline()
				want, _ := theirs.Deadline()
				if !ok || !at.Equal(want) || d.Value(key{}) != "value" || d.Err() != nil {
					t.Fatalf("at the beginning it ends at %v, want %v, with value %v and error %v", at, want, d.Value(key{}), d.Err())
				}
				if c.waited {
					<-d.Done()
				} else {
					time.Sleep(c.at - time.Nanosecond)
					if d.Err() != nil {
						t.Errorf("a moment before the end the error is %v", d.Err())
					}
					time.Sleep(time.Nanosecond)
				}
				synctest.Wait()
				if took := time.Since(begun); took != c.at || !errors.Is(d.Err(), c.want) || !errors.Is(theirs.Err(), c.want) {
					t.Errorf("after %v the error is %v, want %v after %v", took, d.Err(), c.want, c.at)
				}
				select {
				case <-d.Done():
				default:
					t.Error("it is over and not done")
				}
			})
		})
	}
}

// TestDeadlineReleased wants what still holds a deadline to end when it is released, with an
// error that stays, and so those that were made of it.
func TestDeadlineReleased(t *testing.T) {
	for _, waited := range []bool{false, true} {
		d := withTimeout(context.Background(), time.Hour)
		if waited {
			d.Done()
		}
		child, cancel := context.WithCancel(d)
		defer cancel()
		d.release()
		<-d.Done()
		<-child.Done()
		if !errors.Is(d.Err(), context.Canceled) || !errors.Is(child.Err(), context.Canceled) {
			t.Errorf("the errors are %v and %v", d.Err(), child.Err())
		}
		d.release()
		late, cancel := context.WithTimeout(d, time.Hour)
		defer cancel()
		<-late.Done()
	}
	over := withTimeout(context.Background(), 0)
	if !errors.Is(over.Err(), context.DeadlineExceeded) {
		t.Errorf("the error is %v", over.Err())
	}
	over.release()
	<-over.Done()
	if !errors.Is(over.Err(), context.DeadlineExceeded) {
		t.Errorf("the error has become %v", over.Err())
	}
}

// TestDeadlineErrStays wants a deadline that is over to say the same when its parent is
// cancelled later.
func TestDeadlineErrStays(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	d := withTimeout(parent, 0)
	if !errors.Is(d.Err(), context.DeadlineExceeded) {
		t.Fatalf("the error is %v", d.Err())
	}
	cancel()
	<-d.Done()
	if !errors.Is(d.Err(), context.DeadlineExceeded) {
		t.Errorf("the error has become %v", d.Err())
	}
}

// TestDeadlineChildren cancels children beside the release of their parent: package context
// panics where a parent that is done has no error.
func TestDeadlineChildren(t *testing.T) {
	var all sync.WaitGroup
	for range 2000 {
		d := withTimeout(context.Background(), time.Hour)
		_, cancel := context.WithCancel(d)
		all.Go(cancel)
		all.Go(d.release)
	}
	all.Wait()
}
