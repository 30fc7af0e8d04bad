package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is the measured server.
type process struct {
	cmd     *exec.Cmd
	address string
	done    chan error
	errors  string // path of the file with its standard error
}

// begin starts a server and waits until it answers a request for path. The server writes its log to
// a file, so that no other process spends time on the log. ready is the time until the answer.
func begin(ctx context.Context, cmd *exec.Cmd, address, path, errorFile string) (p *process, ready time.Duration, err error) {
	log, err := os.Create(errorFile)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	cmd.Stderr = log
	p = &process{cmd: cmd, address: address, done: make(chan error, 1), errors: errorFile}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	go func() { p.done <- cmd.Wait() }()
	for {
		if resp, err := http.Get("http://" + address + path); err == nil {
			if err := resp.Body.Close(); err == nil && resp.StatusCode == http.StatusOK {
				return p, time.Since(start), nil
			}
		}
		select {
		case err := <-p.done:
			said, _ := os.ReadFile(errorFile) // the error that ended the process is returned anyway
			return nil, 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said)
		case <-ctx.Done():
			return nil, 0, errors.Join(ctx.Err(), p.stop())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// stop ends the server and waits for it.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	err := <-p.done
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGTERM {
		return nil
	}
	return err
}

// cpu returns the processor time that the server has used.
func (p *process) cpu() (time.Duration, error) {
	var t unix.Timespec
	clock := int32(^p.cmd.Process.Pid<<3 | 2) // CPUCLOCK_SCHED of the process, as the kernel encodes it
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, fmt.Errorf("processor time of %d: %w", p.cmd.Process.Pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// resident returns the resident memory in bytes: of the process itself, and of mapped files.
func (p *process) resident() (own, files float64, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kib, _ := strconv.ParseFloat(f[1], 64) // only lines with a number are used
		switch f[0] {
		case "RssAnon:":
			own = kib * 1024
		case "RssFile:":
			files = kib * 1024
		}
	}
	return own, files, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// scopes lists all scopes that a key may have.
var scopes = []string{"species_prescriptions", "plant_uses", "prescriptions", "prescription_composition", "prescription_similarity"}

// service is the measured program with a key for each client.
type service struct {
	*process
	keys  []string
	ready time.Duration
}

// serve starts the program over a data folder. The program's other files are in dir.
func serve(ctx context.Context, program, data, dir string, clients int) (*service, error) {
	access := filepath.Join(dir, "access.toml")
	if err := os.RemoveAll(access); err != nil {
		return nil, err
	}
	s := &service{}
	for i := range clients {
		create := []string{"keys", "create", "--access", access, "--id", "bench-" + strconv.Itoa(i), "--network", "127.0.0.1", "--rate", "1000000"}
		for _, scope := range scopes {
			create = append(create, "--scope", scope)
		}
		key, err := exec.CommandContext(ctx, program, create...).Output()
		if err != nil {
			return nil, fmt.Errorf("%s keys create: %w", program, err)
		}
		s.keys = append(s.keys, strings.TrimSpace(string(key)))
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	admin, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "serve", "--data", data, "--access", access, "--listen", address, "--admin", admin,
		"--site-url", "https://bench.example", "--address-rate", "1000000", "--log", "json")
	s.process, s.ready, err = begin(ctx, cmd, admin, "/readyz", filepath.Join(dir, "serve.log"))
	if err != nil {
		return nil, err
	}
	s.address = address
	return s, nil
}
