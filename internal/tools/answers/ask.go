package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// scopes lists all scopes of a key. With all scopes, answers contain all their parts.
var scopes = []string{"species_prescriptions", "plant_uses", "prescriptions", "prescription_composition", "prescription_similarity"}

// ask starts the program over a data folder, sends it the questions and writes the answers to a
// file. A line has a question, the status and the body.
func ask(ctx context.Context, program, data, file string, questions []string, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "answers-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := serve(ctx, program, data, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()

	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	zip, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := s.askAll(ctx, questions, zip); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d answers in %s\n", len(questions), file)
	return nil
}

// server is a running program that answers requests.
type server struct {
	cmd  *exec.Cmd
	log  *bytes.Buffer
	base string
	key  string
	http *http.Client
	done chan error
}

// serve starts the program over a data folder and waits until it answers requests.
func serve(ctx context.Context, program, data, dir string) (*server, error) {
	access := filepath.Join(dir, "access.toml")
	create := []string{"keys", "create", "--access", access, "--id", "answers", "--network", "127.0.0.1", "--rate", "1000000"}
	for _, s := range scopes {
		create = append(create, "--scope", s)
	}
	key, err := exec.CommandContext(ctx, program, create...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s keys create: %w", program, err)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &server{log: &bytes.Buffer{}, base: "http://" + address(port), key: strings.TrimSpace(string(key)), done: make(chan error, 1)}
	s.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}}
	s.cmd = exec.Command(program, "serve", "--data", data, "--access", access, "--listen", address(port), "--admin", "off",
		"--site-url", "https://answers.example", "--address-rate", "1000000", "--log", "json")
	s.cmd.Stdout, s.cmd.Stderr = io.Discard, s.log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.done <- s.cmd.Wait() }()
	for {
		if _, _, err := s.get(ctx, "/api/v1/stats"); err == nil {
			return s, nil
		}
		select {
		case err := <-s.done:
			return nil, fmt.Errorf("%s serve --data %s: %w\n%s", program, data, err, s.log)
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), s.stop())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop ends the server and waits for it.
func (s *server) stop() error {
	s.http.CloseIdleConnections()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return <-s.done
}

// address returns the address of a port of this machine.
func address(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

func freePort() (int, error) {
	l, err := net.Listen("tcp", address(0))
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// get sends one question. While the limit of the key is used up or the server is busy, it repeats
// the question every second.
func (s *server) get(ctx context.Context, question string) (status int, body []byte, err error) {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+question, nil)
		if err != nil {
			return 0, nil, err
		}
		req.Header.Set("X-Api-Key", s.key)
		resp, err := s.http.Do(req)
		if err != nil {
			return 0, nil, err
		}
		body, err = io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return 0, nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
			return resp.StatusCode, withoutInstance(resp.StatusCode, body), nil
		}
		select {
		case <-ctx.Done():
			return 0, nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// withoutInstance removes the request's id, which is always different, from the body of an error.
func withoutInstance(status int, body []byte) []byte {
	if status == http.StatusOK {
		return body
	}
	before, after, ok := bytes.Cut(body, []byte(`"instance":"`))
	if !ok {
		return body
	}
	if end := bytes.IndexByte(after, '"'); end >= 0 {
		return append(append(before[:len(before):len(before)], `"instance":"`...), after[end:]...)
	}
	return body
}

// batch is the number of answers that are collected before they are written in the order of the
// questions.
const batch = 1024

// askAll writes the answers in the order of the questions.
func (s *server) askAll(ctx context.Context, questions []string, w io.Writer) error {
	for len(questions) > 0 {
		some := questions[:min(batch, len(questions))]
		questions = questions[len(some):]
		lines := make([][]byte, len(some))
		var next atomic.Int64
		var wg sync.WaitGroup
		errs := make([]error, 2*runtime.NumCPU())
		for i := range errs {
			wg.Go(func() {
				for n := int(next.Add(1)) - 1; n < len(some) && errs[i] == nil; n = int(next.Add(1)) - 1 {
					status, body, err := s.get(ctx, some[n])
					lines[n] = fmt.Appendf(nil, "%s\t%d\t%s\n", some[n], status, bytes.ReplaceAll(bytes.TrimSpace(body), []byte("\n"), []byte(" ")))
					errs[i] = err
				}
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}
