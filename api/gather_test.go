package api_test

import (
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"bencao/store"
)

// singly counts what its connections write in single pieces; several at once pass by it.
type singly struct {
	net.Listener
	pieces atomic.Int64
}

type singlyConn struct {
	*net.TCPConn
	pieces *atomic.Int64
}

func (l *singly) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return singlyConn{c.(*net.TCPConn), &l.pieces}, nil
}

func (c singlyConn) Write(b []byte) (int, error) {
	c.pieces.Add(1)
	return c.TCPConn.Write(b)
}

// TestOneCall wants header and body to go out by one call of the system, whatever does not fit
// into the 4 KiB that net/http gathers.
func TestOneCall(t *testing.T) {
	d := records()
	for n := range 3 {
		d.Species[n].Uses = []store.Use{{ID: int64(900 + n), Collection: "folk", Description: strings.Repeat("草", []int{10, 1500, 6000}[n])}}
	}
	var l *singly
	s := start(t, config{data: d, listener: func(of net.Listener) net.Listener {
		l = &singly{Listener: of}
		return l
	}})
	for n, want := range []int64{1, 0, 0} { // a short one is one piece
		before := l.pieces.Load()
		r := s.get(t, "/api/v1/species/"+d.Species[n].GUID+"/uses").wantStatus(t, http.StatusOK)
		if got := l.pieces.Load() - before; got != want {
			t.Errorf("an answer of %d bytes is written in %d single pieces, want %d", len(r.body), got, want)
		}
	}
}
