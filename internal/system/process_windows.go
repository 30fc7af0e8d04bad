package system

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The errors of addresses.
const (
	AddressTaken = windows.WSAEADDRINUSE   // somebody listens there
	Refused      = windows.WSAECONNREFUSED // nobody does
)

// CPUTime is the processor time that this process has used, all threads; 0 if
// the system does not tell.
func CPUTime() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user); err != nil {
		return 0
	}
	return length(kernel) + length(user)
}

// length is a length of time, in a type that else is a point in it.
func length(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}

// memoryCounters is PROCESS_MEMORY_COUNTERS.
type memoryCounters struct {
	size       uint32
	pageFaults uint32
	peak       uintptr
	rest       [7]uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// PeakMemory is the most resident memory that this process has held, in bytes,
// or 0 where the system does not tell.
func PeakMemory() int64 {
	c := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if done, _, _ := getProcessMemoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); done == 0 {
		return 0
	}
	return int64(c.peak)
}

// Colours tells that a terminal takes the sequences of bytes that colour. A
// console has to be told first.
func Colours(terminal *os.File) bool {
	console := windows.Handle(terminal.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
