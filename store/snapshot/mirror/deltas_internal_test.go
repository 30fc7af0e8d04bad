package mirror

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSourceOfARunThatEnds cancels a run while the publisher answers that it has no delta. The next
// call of ask must not wait forever, and must send a request again. Calls after that one must not
// send a request.
func TestSourceOfARunThatEnds(t *testing.T) {
	var s source
	none := func() error { return errNone }
	over, end := context.WithCancel(t.Context())
	end()
	if err := s.ask(over, none); !errors.Is(err, errNone) {
		t.Errorf("the first call returns %v, want errNone", err)
	}
	asked := make(chan int)
	go func() {
		n := 0
		for range 3 {
			if err := s.ask(t.Context(), func() error { n++; return errNone }); !errors.Is(err, errNone) {
				t.Errorf("a later call returns %v, want errNone", err)
			}
		}
		asked <- n
	}()
	select {
	case n := <-asked:
		if n != 1 {
			t.Errorf("the publisher was asked %d times, want once more", n)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("a call after the canceled run waits forever")
	}
}
