//go:build unix

package system

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The errors of addresses.
const (
	AddressTaken = unix.EADDRINUSE   // somebody listens there
	Refused      = unix.ECONNREFUSED // nobody does
)

// CPUTime is the processor time that this process has used, all threads; 0 if
// the system does not tell.
func CPUTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PeakMemory is the most resident memory that this process has held, in bytes,
// or 0 where the system does not tell.
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

// Colours reports whether a terminal supports colour sequences.
func Colours(*os.File) bool { return true }
