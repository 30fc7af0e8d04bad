package powercut

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// durable lists the calls after which During cuts the power, in the notation of strace. They make
// data durable and change names.
const durable = "fsync,fdatasync,/^rename"

// patience limits the wait for a process to stop.
const patience = time.Minute

// During runs cmd, which writes to the disk. It cuts the power twice after each sync and rename: at
// once, and after another program has synced a file of its own. It cuts the power once more after
// cmd has ended. It watches all threads of cmd. During returns the cuts and the result of cmd.
//
// If forget is set, syncs do nothing and report success, as on a disk that ignores them. A test must
// then find that data are lost; otherwise it proves nothing.
func (d *Disk) During(cmd *exec.Cmd, forget bool) ([]Cut, error) {
	d.tb.Helper()
	var err error
	d.base, err = os.ReadFile(d.image)
	d.must(err)
	d.last = d.base
	strace, err := find("strace")
	d.must(err)
	log := filepath.Join(d.tb.TempDir(), "calls")
	args := []string{strace, "-f", "-y", "-o", log, "-e", "trace=" + durable, "-e", "inject=" + durable + ":signal=SIGSTOP"}
	if forget {
		args = append(args, "-e", "inject=fsync,fdatasync:retval=0:signal=SIGSTOP")
	}
	cmd.Args = append(append(args, cmd.Path), cmd.Args[1:]...)
	cmd.Path = strace
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	d.must(cmd.Start())
	var outcome error
	ended := make(chan struct{})
	go func() { outcome = cmd.Wait(); close(ended) }()
	d.tb.Cleanup(func() { // after a failed test the process would stay stopped, with the disk in use
		select {
		case <-ended:
		default:
			d.must(unix.Kill(-cmd.Process.Pid, unix.SIGKILL))
			<-ended
		}
	})

	var cuts []Cut
	cut := func(after string) {
		blocks := d.changed()
		cuts = append(cuts, Cut{d, blocks, after, len(blocks) == 0})
	}
	for read := 0; ; {
		pid, said, over := d.stopped(log, read, ended)
		if over {
			cut("its end")
			return cuts, outcome
		}
		read += len(said)
		after := lastCall(said)
		cut(after)
		d.bystander()
		cut(after + ", and another program's fsync")
		d.must(unix.Kill(pid, unix.SIGCONT))
	}
}

var (
	threadStopped = regexp.MustCompile(`(?m)^(\d+) +--- stopped by SIGSTOP ---\n`)
	anyThread     = regexp.MustCompile(`^(\d+) `)
	aCall         = regexp.MustCompile(`(?m)^\d+ +([a-z_0-9]+\(.*|<\.\.\. .*)$`)
)

// stopped waits until all threads of the process are stopped, or until the process has ended. It
// returns the process id, and the output of strace from byte read on. over is true if the process
// has ended.
func (d *Disk) stopped(log string, read int, ended <-chan struct{}) (pid int, said []byte, over bool) {
	d.tb.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		select {
		case <-ended:
			return 0, nil, true
		default:
		}
		b, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			d.must(err)
		}
		said = b[min(read, len(b)):]
		if pid := groupOf(b); pid != 0 && allIn(pid, threadStopped.FindAllSubmatch(said, -1)) {
			return pid, said, false
		}
		if time.Now().After(deadline) {
			d.tb.Fatalf("the traced process neither stops nor ends; strace says:\n%s", b)
		}
	}
}

// groupOf returns the id of a process: the one to which the first thread in the output of strace
// belongs. It returns 0 if there is none.
func groupOf(log []byte) int {
	m := anyThread.FindSubmatch(log)
	if m == nil {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", m[1]))
	if err != nil {
		return 0 // the process has ended
	}
	for line := range strings.Lines(string(status)) {
		if id, ok := strings.CutPrefix(line, "Tgid:"); ok {
			pid, err := strconv.Atoi(strings.TrimSpace(id))
			if err == nil {
				return pid
			}
		}
	}
	return 0
}

// allIn reports whether stopped contains every thread of a process. stopped lists the threads that
// strace has reported as stopped.
func allIn(pid int, stopped [][][]byte) bool {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, m := range stopped {
		seen[string(m[1])] = true
	}
	for _, t := range threads {
		if !seen[t.Name()] {
			return false
		}
	}
	return len(threads) > 0
}

// lastCall returns the last call in the output of strace.
func lastCall(said []byte) string {
	all := aCall.FindAllSubmatch(said, -1)
	if len(all) == 0 {
		return "a call"
	}
	return string(bytes.TrimSpace(all[len(all)-1][1]))
}
