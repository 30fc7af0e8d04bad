//go:build unix

package system

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// AddressTaken is the error if another process listens on an address.
const AddressTaken = unix.EADDRINUSE

// ReadOnly is the error if a file system is mounted read-only.
const ReadOnly = unix.EROFS

// CPUTime returns the processor time that all threads of this process have used, or 0 if it is not
// known.
func CPUTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Memory returns the memory that this process may use, in bytes: that of the machine, or less if its
// cgroup allows less. It returns 0 if that is not known.
func Memory() int64 { return memory(os.DirFS("/")) }

// PeakMemory returns the largest resident memory of this process so far, in bytes, or 0 if it is
// not known.
func PeakMemory() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kib int64
		if n, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 && err == nil {
			return kib << 10
		}
	}
	return 0
}
