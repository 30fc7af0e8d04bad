//go:build linux

package faults_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// Constants of Linux that package syscall does not define.
const (
	sysRenameat2               = 316
	ptraceExitKill             = 0x100000
	ptraceGetSyscallInfo       = 0x420e
	atEntry, atExit      uint8 = 1, 2
	atFDCWD                    = -100
)

// Groups of system calls, for the field calls of [harm].
var (
	syncs     = []uint64{syscall.SYS_FSYNC, syscall.SYS_FDATASYNC}
	renames   = []uint64{syscall.SYS_RENAME, syscall.SYS_RENAMEAT, sysRenameat2}
	unlinks   = []uint64{syscall.SYS_UNLINK, syscall.SYS_UNLINKAT, syscall.SYS_RMDIR}
	writes    = []uint64{syscall.SYS_WRITE, syscall.SYS_PWRITE64}
	truncates = []uint64{syscall.SYS_TRUNCATE, syscall.SYS_FTRUNCATE}
	opens     = []uint64{syscall.SYS_OPEN, syscall.SYS_OPENAT}
	links     = []uint64{syscall.SYS_LINK, syscall.SYS_LINKAT}
	mkdirs    = []uint64{syscall.SYS_MKDIR, syscall.SYS_MKDIRAT}
	chmods    = []uint64{syscall.SYS_CHMOD, syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT}
)

// afflict runs the program with args under ptrace and injects the fault h.
//
// strace can inject faults too, but it counts the calls of each thread separately. A Go program
// does not control which thread makes a call. So afflict counts the calls of all threads together.
func afflict(t *testing.T, h harm, args ...string) (end ending) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "said"))
	must(t, err)
	// All ptrace requests must come from the thread that started the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pid, err := syscall.ForkExec(program(), append([]string{program()}, args...), &syscall.ProcAttr{
		Env:   append(os.Environ(), "GOMAXPROCS=1"),
		Files: []uintptr{0, out.Fd(), out.Fd()},
		Sys:   &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if errors.Is(err, syscall.EPERM) {
		lacking(t, "the right to trace processes (in a container, the capability SYS_PTRACE)")
	}
	must(t, err)
	if end.met, end.code, err = follow(pid, h); err != nil {
		t.Fatalf("trace the program: %v", errors.Join(err, syscall.Kill(pid, syscall.SIGKILL)))
	}
	if h.at > 0 && h.at <= len(end.met) {
		end.hit = end.met[h.at-1]
	}
	b, err := os.ReadFile(out.Name())
	must(t, errors.Join(err, out.Close()))
	end.said = string(b)
	return end
}

// tracer traces a process and injects a fault.
type tracer struct {
	harm
	pid     int
	met     []string // the counted calls
	failing int      // the thread whose current call must fail, 0 for none
}

// follow traces the process pid from its first instruction to its end. It returns descriptions of
// the counted calls and the exit code, which is -1 after signal 9.
func follow(pid int, h harm) (met []string, code int, err error) {
	// The threads form a process group, so the wait does not catch other children of the test.
	const (
		ofThisThread = syscall.WALL | syscall.WNOTHREAD
		atCall       = syscall.SIGTRAP | 0x80
	)
	if _, err := syscall.Wait4(pid, nil, ofThisThread, nil); err != nil {
		return nil, 0, err
	}
	if err := syscall.PtraceSetOptions(pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|ptraceExitKill); err != nil {
		return nil, 0, err
	}
	if err := syscall.PtraceSyscall(pid, 0); err != nil {
		return nil, 0, err
	}
	tr, seen := tracer{harm: h, pid: pid}, map[int]bool{pid: true}
	for {
		var status syscall.WaitStatus
		tid, err := syscall.Wait4(-pid, &status, ofThisThread, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return tr.met, 0, err
		}
		if status.Exited() || status.Signaled() {
			if tid != pid {
				continue
			}
			if status.Signaled() && status.Signal() != syscall.SIGKILL {
				return tr.met, 0, fmt.Errorf("ended by %v", status.Signal())
			}
			return tr.met, status.ExitStatus(), nil
		}
		signal := status.StopSignal()
		switch {
		case signal == atCall:
			signal = 0
			if err := tr.atCall(tid); err != nil && err != syscall.ESRCH { // ESRCH means that the thread was killed just now
				return tr.met, 0, err
			}
		case signal == syscall.SIGTRAP, !seen[tid] && signal == syscall.SIGSTOP:
			signal = 0 // SIGTRAP: the thread has started another thread; SIGSTOP: it is that new thread
		}
		seen[tid] = true
		if err := syscall.PtraceSyscall(tid, int(signal)); err != nil && err != syscall.ESRCH {
			return tr.met, 0, err
		}
	}
}

// atCall handles a thread that has stopped at the entry or the exit of a system call.
func (tr *tracer) atCall(tid int) error {
	c, err := callOf(tid)
	switch {
	case err != nil:
		return err
	case c.Stop == atEntry && slices.Contains(tr.calls, c.Number):
		does, file := c.describe(tid)
		if !strings.HasPrefix(file, tr.under) {
			return nil
		}
		if tr.met = append(tr.met, does+" "+file); len(tr.met) == tr.at {
			return tr.hurt(tid)
		}
	case c.Stop == atExit && tid == tr.failing:
		tr.failing = 0
		return alter(tid, func(r *syscall.PtraceRegs) { r.Rax = uint64(-int64(tr.err)) })
	}
	return nil
}

// hurt injects the fault into a thread that has stopped at the entry of a call.
func (tr *tracer) hurt(tid int) error {
	switch {
	case tr.do != nil:
		tr.do()
		return nil
	case tr.short:
		return alter(tid, func(r *syscall.PtraceRegs) { r.Rdx -= r.Rdx / 2 })
	case tr.err == 0:
		return syscall.Kill(tr.pid, syscall.SIGKILL)
	}
	tr.failing = tid
	// No system call has this number, so the kernel does nothing.
	return alter(tid, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) })
}

// call is the kernel's struct ptrace_syscall_info at the entry of a call.
type call struct {
	Stop   uint8
	_      [23]byte
	Number uint64
	Args   [6]uint64
	_      [16]byte
}

// callOf returns the system call at whose entry or exit a thread has stopped.
func callOf(tid int) (c call, err error) {
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(tid), unsafe.Sizeof(c), uintptr(unsafe.Pointer(&c)), 0, 0)
	if errno != 0 {
		return c, errno
	}
	return c, nil
}

// alter changes the registers of a thread: an argument, the number or the result of its call.
func alter(tid int, change func(*syscall.PtraceRegs)) error {
	var r syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tid, &r); err != nil {
		return err
	}
	change(&r)
	return syscall.PtraceSetRegs(tid, &r)
}

// describe returns the action of a call that is about to run, and the file that it acts on.
func (c call) describe(tid int) (does, file string) {
	open := func(fd uint64) string {
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
		if err != nil {
			return err.Error()
		}
		return path
	}
	named := func(dir, address uint64) string {
		b := make([]byte, 512)
		n, err := syscall.PtracePeekData(tid, uintptr(address), b)
		if err != nil {
			return err.Error()
		}
		name, _, _ := strings.Cut(string(b[:n]), "\x00")
		if int32(dir) != atFDCWD {
			name = filepath.Join(open(dir), name)
		}
		return name
	}
	switch c.Number {
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		return "sync", open(c.Args[0])
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64:
		return "write", open(c.Args[0])
	case syscall.SYS_FTRUNCATE:
		return "truncate", open(c.Args[0])
	case syscall.SYS_OPENAT:
		return "open", named(c.Args[0], c.Args[1])
	case syscall.SYS_RENAMEAT, sysRenameat2:
		return "rename to", named(c.Args[2], c.Args[3])
	case syscall.SYS_UNLINKAT:
		return "unlink", named(c.Args[0], c.Args[1])
	case syscall.SYS_FALLOCATE:
		return "allocate", open(c.Args[0])
	case syscall.SYS_LINKAT:
		return "link to", named(c.Args[2], c.Args[3])
	case syscall.SYS_MKDIRAT:
		return "mkdir", named(c.Args[0], c.Args[1])
	case syscall.SYS_FCHMOD:
		return "chmod", open(c.Args[0])
	case syscall.SYS_FCHMODAT:
		return "chmod", named(c.Args[0], c.Args[1])
	}
	return fmt.Sprint("call ", c.Number), ""
}
