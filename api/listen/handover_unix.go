//go:build unix

package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// unixSockets tells that a service may listen on one.
const unixSockets = true

// NotifyHandover has c told of the signal that asks for a successor, SIGUSR2.
func NotifyHandover(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR2) }

// lock waits for the lock of an open folder, which its Close gives back.
func lock(dir *os.File) error {
	raw, err := dir.SyscallConn()
	if err != nil {
		return err
	}
	outer := raw.Control(func(fd uintptr) {
		for err = syscall.EINTR; err == syscall.EINTR; {
			err = syscall.Flock(int(fd), syscall.LOCK_EX)
		}
	})
	return errors.Join(outer, err)
}

// Succeed starts the program anew, with the same arguments and what the
// environment is, hands the sockets over, and waits until the new process
// answers on them, which ctx bounds. It returns the id of that process. If
// there is an error, that process is gone, and this one should go on.
//
// After it this process should stop listening, and end when its requests are
// answered. Systemd is told which process is the main one.
func (s *Sockets) Succeed(ctx context.Context) (pid int, err error) {
	if os.Getpid() == 1 {
		return 0, errors.New("process 1 can't be succeeded: its container ends with it; start a second container, then end this one")
	}
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		return 0, err
	}
	told, tell, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, told.Close()) }()
	pid, err = s.start(program, tell)
	if err = errors.Join(err, tell.Close()); err != nil {
		return 0, fmt.Errorf("start %s: %w", program, err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, func() { told.SetReadDeadline(time.Unix(1, 0)) }) // a pipe takes one
	defer stop()
	if _, err := io.ReadFull(told, make([]byte, 1)); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("not ready in time: %w", context.Cause(ctx))
		}
		// It may have ended by itself. It must not come to answer later.
		kill := process.Kill()
		if errors.Is(kill, os.ErrProcessDone) {
			kill = nil
		}
		state, wait := process.Wait()
		if err == io.EOF && wait == nil {
			err = fmt.Errorf("it ended before it was ready: %s", state)
		}
		return 0, errors.Join(fmt.Errorf("%s, process %d: %w", program, pid, err), kill, wait)
	}
	go process.Wait() // it is its own by now; should it end first, nothing is left of it
	for _, o := range s.open {
		o.keep.Store(true)
	}
	_, err = daemon.SdNotify(false, fmt.Sprintf("MAINPID=%d", pid))
	return pid, err
}

// start starts the program with the sockets and the pipe as its descriptors.
func (s *Sockets) start(program string, tell *os.File) (pid int, err error) {
	var list []handed
	files := []uintptr{0, 1, 2}
	defer func() {
		for _, fd := range files[3:] {
			err = errors.Join(err, syscall.Close(int(fd)))
		}
	}()
	for _, o := range s.open {
		fd, err := duplicate(o.Listener)
		if err != nil {
			return 0, err
		}
		files = append(files, fd)
		list = append(list, handed{o.name, o.address, o.systemd})
	}
	fd, err := duplicate(tell)
	if err != nil {
		return 0, err
	}
	files = append(files, fd)
	text, err := json.Marshal(list)
	if err != nil {
		return 0, err
	}
	environ := []string{handover + "=" + string(text)}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, handover+"=") && !strings.HasPrefix(pair, "LISTEN_") {
			environ = append(environ, pair)
		}
	}
	// Not by os/exec: it would make the sockets, which both processes share,
	// wait in their calls, and Accept could not be ended.
	return syscall.ForkExec(program, os.Args, &syscall.ProcAttr{Env: environ, Files: files})
}

// duplicate returns a descriptor of its own for a listener or a file.
func duplicate(of any) (fd uintptr, err error) {
	source, ok := of.(syscall.Conn)
	if !ok {
		return 0, fmt.Errorf("a %T can't be handed over", of)
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return 0, err
	}
	copied := -1
	outer := raw.Control(func(given uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if copied, err = syscall.Dup(int(given)); err == nil {
			syscall.CloseOnExec(copied)
		}
	})
	return uintptr(copied), errors.Join(outer, err)
}

var (
	_ syscall.Conn = (*net.TCPListener)(nil)
	_ syscall.Conn = (*net.UnixListener)(nil)
)
