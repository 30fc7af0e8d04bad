package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bencao/internal/test/testkit"
	"bencao/store/snapshot"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is the longest wait for a condition.
const patience = testkit.Patience

// scriptCommands lists the commands that scripts have in addition to those of testscript.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"sample":  scriptSample,
	"indexed": scriptIndexed,
	"port":    scriptPort,
	"get":     scriptGet,
	"poke":    scriptPoke,
	"shift":   scriptShift,
	"cut":     scriptCut,
	"trade":   scriptTrade,
	"keep":    scriptKeep,
	"status":  scriptStatus,
	"signal":  scriptSignal,
	"until":   scriptUntil,
	"paste":   scriptPaste,
	"web":     scriptWeb,

	"current":  scriptCurrent,
	"waitfile": scriptWaitFile,
}

// scriptPort sets variables to addresses with free ports:
//
//	port NAME…
func scriptPort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: port NAME…")
	}
	for _, name := range args {
		l, err := testkit.ListenFree()
		ts.Check(err)
		defer l.Close()
		ts.Setenv(name, l.Addr().String())
	}
}

// scriptCurrent sets a variable to the id of the current snapshot:
//
//	current FOLDER NAME
func scriptCurrent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: current FOLDER NAME")
	}
	p, err := snapshot.At(ts.MkAbs(args[0])).Current()
	ts.Check(err)
	ts.Setenv(args[1], p.ID)
}

// scriptGet sends a request and repeats it until the server listens. The standard output is the
// response, headers first.
//
//	get STATUS URL [KEYFILE] [HEADER:VALUE]…
func scriptGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: get STATUS URL [KEYFILE] [HEADER:VALUE]…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	req, err := http.NewRequest(http.MethodGet, args[1], nil)
	ts.Check(err)
	for _, a := range args[2:] {
		if name, value, isHeader := strings.Cut(a, ":"); isHeader {
			req.Header.Set(name, strings.TrimSpace(value))
		} else {
			req.Header.Set("X-Api-Key", strings.TrimSpace(ts.ReadFile(a)))
		}
	}
	resp := request(ts, req)
	defer resp.Body.Close()
	var text bytes.Buffer
	ts.Check(resp.Header.Write(&text))
	text.WriteString("\r\n")
	_, err = text.ReadFrom(resp.Body)
	ts.Check(err)
	_, err = io.Copy(ts.Stdout(), bytes.NewReader(bytes.ReplaceAll(text.Bytes(), []byte("\r\n"), []byte("\n"))))
	ts.Check(err)
	if resp.StatusCode != want {
		ts.Fatalf("%s answered %d, want %d:\n%s", args[1], resp.StatusCode, want, &text)
	}
}

// request sends a request and repeats it until the server listens.
func request(ts *testscript.TestScript, req *http.Request) *http.Response {
	for deadline := time.Now().Add(patience); ; {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			return resp
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(deadline) {
			ts.Fatalf("%v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// scriptPoke changes one byte of a file, even of a read-only file. The path may be a pattern of
// filepath.Glob that matches one file.
//
//	poke FILE OFFSET HEX
func scriptPoke(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: poke FILE OFFSET HEX")
	}
	path := onlyFile(ts, args[0])
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	value, err := strconv.ParseUint(args[2], 16, 8)
	ts.Check(err)
	text, err := os.ReadFile(path)
	ts.Check(err)
	if offset >= len(text) {
		ts.Fatalf("%s has %d bytes", path, len(text))
	}
	if text[offset] == byte(value) {
		ts.Fatalf("byte %d of %s is %x already", offset, path, value)
	}
	text[offset] = byte(value)
	ts.Check(os.Chmod(path, 0o644))
	ts.Check(os.WriteFile(path, text, 0o644))
}

func onlyFile(ts *testscript.TestScript, pattern string) string {
	all, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(all) != 1 {
		ts.Fatalf("%s matches %d files, want 1", pattern, len(all))
	}
	return all[0]
}

// scriptKeep keeps the first lines of a file and removes the others:
//
//	keep LINES FILE
func scriptKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep LINES FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[1]), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines[:min(n, len(lines))], "")), 0o644))
}

// scriptStatus runs the program and checks its exit code. The command "! exec" checks only that the
// exit code is not 0.
//
//	status CODE bencao ARGUMENT…
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND ARGUMENT…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit interface{ ExitCode() int }
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s ended with %d, want %d", fmt.Sprint(args[1:]), got, want)
	}
}

// scriptSignal sends a signal to the programs that run in the background:
//
//	signal TERM|HUP
func scriptSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	if neg || len(args) != 1 || signals[args[0]] == nil {
		ts.Fatalf("usage: signal TERM|HUP")
	}
	for _, c := range ts.BackgroundCmds() {
		ts.Check(c.Process.Signal(signals[args[0]]))
	}
}

// scriptUntil repeats a request until the response, with its headers, contains a text:
//
//	until TEXT URL [KEYFILE]
func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT URL [KEYFILE]")
	}
	req, err := http.NewRequest(http.MethodGet, args[1], nil)
	ts.Check(err)
	if len(args) == 3 {
		req.Header.Set("X-Api-Key", strings.TrimSpace(ts.ReadFile(args[2])))
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		resp := request(ts, req)
		var text bytes.Buffer
		ts.Check(resp.Header.Write(&text))
		_, err := text.ReadFrom(resp.Body)
		ts.Check(errors.Join(err, resp.Body.Close()))
		if strings.Contains(text.String(), args[0]) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s never returned %q; the last response:\n%s", args[1], args[0], &text)
		}
	}
}

// scriptPaste waits until "bencao demo" has printed its requests into a file. Then it sends each
// request and checks that it succeeds:
//
//	paste FILE
func scriptPaste(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: paste FILE")
	}
	var text string
	for deadline := time.Now().Add(patience); !strings.Contains(text, "Ctrl-C"); time.Sleep(20 * time.Millisecond) {
		if b, err := os.ReadFile(ts.MkAbs(args[0])); err == nil {
			text = string(b)
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s never had requests; its last content:\n%s", args[0], text)
		}
	}
	exported := regexp.MustCompile(`export KEY=(\S+) BASE=(\S+)`).FindStringSubmatch(text)
	requests := regexp.MustCompile(`curl .*"\$BASE(/[^"]+)"`).FindAllStringSubmatch(text, -1)
	if exported == nil || len(requests) < 12 {
		ts.Fatalf("%s has %d requests and the key %q:\n%s", args[0], len(requests), exported, text)
	}
	for _, r := range requests {
		req, err := http.NewRequest(http.MethodGet, exported[2]+r[1], nil)
		ts.Check(err)
		req.Header.Set("X-Api-Key", exported[1])
		resp := request(ts, req)
		body, err := io.ReadAll(resp.Body)
		ts.Check(errors.Join(err, resp.Body.Close()))
		if resp.StatusCode != http.StatusOK || len(body) < 10 || bytes.Contains(body, []byte(`"items":[]`)) {
			ts.Fatalf("%s answered %d: %s", r[1], resp.StatusCode, body)
		}
	}
}

// scriptWeb runs a web server for a folder until the script ends:
//
//	web FOLDER ADDRESS
func scriptWeb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: web FOLDER ADDRESS")
	}
	l, err := net.Listen("tcp", args[1])
	ts.Check(err)
	server := &http.Server{Handler: http.FileServer(http.Dir(ts.MkAbs(args[0])))}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	ts.Defer(func() {
		ts.Check(server.Close())
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			ts.Fatalf("web server: %v", err)
		}
	})
}

// scriptWaitFile waits until a file exists. The path may be a pattern of filepath.Glob.
//
//	waitfile FILE
func scriptWaitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfile FILE")
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		if len(found) > 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s was never created", args[0])
		}
	}
}
