//go:build unix

package logging_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/api/logging"
)

func notice(n int64) []byte { return fmt.Appendf(nil, "%d missing\n", n) }

// pipe returns a pipe of the operating system, which holds a limited number of bytes.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	t.Cleanup(func() {
		r.Close() // some tests have already closed the pipe
		w.Close()
	})
	return r, w
}

// fill fills a pipe and returns the number of bytes written.
func fill(t *testing.T, w *os.File) (n int64) {
	t.Helper()
	conn, err := w.SyscallConn()
	must(t, err)
	err = conn.Write(func(fd uintptr) bool {
		for {
			m, err := syscall.Write(int(fd), make([]byte, 512))
			if err != nil { // the pipe is full
				return true
			}
			n += int64(m)
		}
	})
	if err != nil || n == 0 {
		t.Fatalf("%d bytes fill the pipe: %v", n, err)
	}
	return n
}

// line is a line of 100 bytes.
func line(n int) string { return fmt.Sprintf("%099d\n", n) }

// TestStalledReader logs more lines than the pipe and the queue hold while the program that reads
// the pipe is stalled. No write may block. When that program continues, the lines must arrive in
// order, with a notice where lines are missing.
func TestStalledReader(t *testing.T) {
	const size, lines = 10_000, 5000
	r, w := pipe(t)
	full := fill(t, w)
	q := logging.NewQueue(w, size, notice)
	for i := range lines {
		if _, err := io.WriteString(q, line(i)); err != nil {
			t.Fatal(err)
		}
	}
	dropped := q.Dropped()
	if dropped == 0 || dropped >= lines {
		t.Fatalf("%d of %d lines were dropped; want some and not all", dropped, lines)
	}
	if q.Close(time.Millisecond) {
		t.Error("the queue says that all was written, to a pipe that is full")
	}
	if _, err := io.CopyN(io.Discard, r, full); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(r)
	var missing int64
	next := 0
	for next < lines {
		text, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("after line %d: %v", next, err)
		}
		var n int64
		if _, err := fmt.Sscanf(text, "%d missing", &n); err == nil {
			missing += n
			next += int(n)
			continue
		}
		if text != line(next) {
			t.Fatalf("line %d is %q", next, text)
		}
		next++
	}
	if missing != dropped || next != lines {
		t.Errorf("%d lines are told to be missing, up to line %d; want %d, up to %d", missing, next, dropped, lines)
	}
	if !q.Close(time.Minute) {
		t.Error("the queue does not end although its reader reads")
	}
}

// TestLogGoesOn checks that logging continues after the pipe was full for a while.
func TestLogGoesOn(t *testing.T) {
	r, w := pipe(t)
	q := logging.NewQueue(w, 1000, notice)
	for i := 0; q.Dropped() == 0; i++ {
		io.WriteString(q, line(i)) // writing to a queue never fails
	}
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadString('\n')
		must(t, err)
		if strings.HasSuffix(text, "missing\n") {
			break
		}
	}
	io.WriteString(q, "again\n")
	if text, err := in.ReadString('\n'); err != nil || text != "again\n" {
		t.Errorf("the log goes on with %q, %v", text, err)
	}
	if !q.Close(time.Minute) {
		t.Error("the queue does not end")
	}
}

// TestDeadReader checks that lines are counted as dropped if no process reads the pipe.
func TestDeadReader(t *testing.T) {
	const lines = 100
	r, w := pipe(t)
	must(t, r.Close())
	q := logging.NewQueue(w, 0, notice)
	for i := range lines {
		io.WriteString(q, line(i))
	}
	if !q.Close(time.Minute) {
		t.Error("the queue does not end")
	}
	if got := q.Dropped(); got != lines {
		t.Errorf("%d lines count as dropped, want %d", got, lines)
	}
}

// TestClose checks that Close writes all lines in order, and that later lines are dropped.
func TestClose(t *testing.T) {
	var out bytes.Buffer
	q := logging.NewQueue(&out, 0, notice)
	var want strings.Builder
	for i := range 1000 {
		io.WriteString(q, line(i))
		want.WriteString(line(i))
	}
	if !q.Close(time.Minute) {
		t.Fatal("the queue does not end")
	}
	io.WriteString(q, "too late\n")
	if out.String() != want.String() {
		t.Errorf("%d bytes were written, want %d, in order", out.Len(), want.Len())
	}
	if q.Dropped() != 1 {
		t.Errorf("%d lines count as dropped, want the one that came too late", q.Dropped())
	}
}

// TestRefusals checks how many lines a second are permitted, and that a summary counts the others.
func TestRefusals(t *testing.T) {
	const most, requests = 10, 50
	var out bytes.Buffer
	r := logging.NewRefusals(slog.New(slog.NewJSONHandler(&out, nil)), most)
	let, rest := 0, map[string]int{}
	for i := range requests {
		reason := []string{"key_missing", "limit"}[i%2]
		if r.Let(reason) {
			let++
		} else {
			rest[reason]++
		}
	}
	r.Flush()
	if let < most || let == requests {
		t.Fatalf("%d of %d lines were let through, want %d", let, requests, most)
	}
	got := map[string]int{}
	for text := range strings.Lines(out.String()) { // there are several summaries if the test took longer than a second
		var sum struct {
			Msg      string
			Requests int
			Reasons  map[string]int
		}
		must(t, json.Unmarshal([]byte(text), &sum))
		total := 0
		for reason, n := range sum.Reasons {
			got[reason] += n
			total += n
		}
		if sum.Msg != "requests refused, summed up" || total != sum.Requests || total == 0 {
			t.Errorf("the sum is %s", text)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(rest) {
		t.Errorf("summed up were %v, want %v", got, rest)
	}
	out.Reset()
	if !r.Let("limit") {
		t.Error("the next second lets no line through")
	}
	r.Flush()
	if out.Len() > 0 {
		t.Errorf("nothing is left to sum up, but the log has %s", out.String())
	}
}
