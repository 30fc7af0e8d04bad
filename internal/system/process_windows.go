package system

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Errors of listening on an address and connecting to it.
const (
	AddressTaken = windows.WSAEADDRINUSE   // a process listens there
	Refused      = windows.WSAECONNREFUSED // no process listens there
)

// CPUTime returns the processor time that all threads of this process have used, or 0 if it is not
// known.
func CPUTime() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user); err != nil {
		return 0
	}
	return length(kernel) + length(user)
}

// length converts a duration. Windows stores a duration in Filetime, the type for points in time,
// in units of 100 ns.
func length(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}

// memoryCounters is the Windows type PROCESS_MEMORY_COUNTERS.
type memoryCounters struct {
	size       uint32
	pageFaults uint32
	peak       uintptr
	rest       [7]uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// PeakMemory returns the largest resident memory of this process so far, in bytes, or 0 if it is
// not known.
func PeakMemory() int64 {
	c := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if done, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); done == 0 {
		return 0
	}
	return int64(c.peak)
}
