package snapshot_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bencao/internal/system"
	"bencao/store/snapshot"
)

// These environment variables make the test binary run as a child process.
const (
	childJob = "BENCAO_SNAPSHOT_TEST_JOB"
	childDir = "BENCAO_SNAPSHOT_TEST_DIR"
)

// child returns a command that does a job in another process:
//
//	build NAME N       publish a snapshot called NAME; the child is killed at step N
//	prune KEEP N       prune; the child is killed at step N
//	lock               take the write lock, print "ready", and wait
//	open ID            open a snapshot, print "ready", and wait
//	flock PATH         lock a file or folder in the directory, print "ready", and wait
//
// With N = 0 the child is not killed. A child that waits ends when its standard input ends.
func child(t testing.TB, d snapshot.Dir, job ...any) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childJob+"="+strings.TrimSuffix(fmt.Sprintln(job...), "\n"), childDir+"="+d.Path())
	cmd.Stderr = t.Output()
	return cmd
}

// childFailed is the exit status of a child that failed.
const childFailed = 3

func runChild(job, dir string) (status int) {
	err := doJob(strings.Fields(job), snapshot.At(dir))
	if err != nil {
		fmt.Fprintln(os.Stderr, job+":", err)
		return childFailed
	}
	return 0
}

func doJob(args []string, d snapshot.Dir) error {
	switch args[0] {
	case "build":
		opt, err := killedAt(args[2])
		if err == nil {
			_, err = build(d, args[1], opt)
		}
		return err
	case "prune":
		opt, err := killedAt(args[2])
		if err != nil {
			return err
		}
		keep, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		w, err := d.Lock(opt)
		if err != nil {
			return err
		}
		if _, err := w.Prune(keep); err != nil {
			return err
		}
		return w.Close()
	case "lock":
		w, err := d.Lock(snapshot.WriterOptions{Purpose: "bencao index"})
		if err != nil {
			return err
		}
		return waitThen(w.Close)
	case "open":
		s, err := d.Open(context.Background(), args[1])
		if err != nil {
			return err
		}
		return waitThen(s.Close)
	case "flock":
		f, err := os.Open(filepath.Join(d.Path(), args[1]))
		if err != nil {
			return err
		}
		if err := system.TryLock(f, false); err != nil {
			return err
		}
		return waitThen(f.Close)
	}
	return fmt.Errorf("no such job")
}

// killedAt returns options under which the process kills itself before step n.
func killedAt(n string) (snapshot.WriterOptions, error) {
	left, err := strconv.Atoi(n)
	return snapshot.WriterOptions{Step: func(string) {
		if left--; left == 0 {
			// Kill the process at once: no deferred function runs and no buffer is flushed.
			self, err := os.FindProcess(os.Getpid())
			if err != nil {
				panic(err)
			}
			if err := self.Kill(); err != nil {
				panic(err)
			}
			time.Sleep(time.Hour) // the signal ends the process during this call
		}
	}}, err
}

// waitThen prints "ready" and waits for the end of standard input. It then calls release.
func waitThen(release func() error) error {
	fmt.Println("ready")
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		return fmt.Errorf("unexpected input")
	}
	return release()
}

// holding starts a child that waits, and waits for its "ready". It returns a function that kills
// the child.
func holding(t *testing.T, d snapshot.Dir, job ...any) (kill func()) {
	t.Helper()
	return hold(t, child(t, d, job...))
}

func hold(t *testing.T, cmd *exec.Cmd) (kill func()) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			must(t, stdin.Close())
			must(t, cmd.Wait())
		}
	})
	b := make([]byte, 6)
	if _, err := stdout.Read(b); err != nil || string(b) != "ready\n" {
		t.Fatalf("child %v is not ready: %q, %v", cmd, b, err)
	}
	return func() {
		must(t, cmd.Process.Kill())
		if err := cmd.Wait(); err == nil {
			t.Errorf("child %v ended before it was killed", cmd)
		}
	}
}

// wasKilled reports whether SIGKILL ended a child. err is the error of the child. wasKilled fails
// the test if the child failed in another way.
func wasKilled(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return false
	}
	exit, ok := err.(*exec.ExitError)
	if !ok {
		t.Fatal(err)
	}
	status := exit.Sys().(syscall.WaitStatus)
	// If the child of strace is killed, strace kills itself with the same signal.
	if !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Fatalf("child failed: %v", err)
	}
	return true
}
