package file

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps a file of the given size into memory, read-only.
func mapFile(f *os.File, size int64) ([]byte, error) {
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, err
	}
	at, err := windows.MapViewOfFile(mapping, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	// The view stays valid after the handle of the mapping is closed.
	if err := errors.Join(err, windows.CloseHandle(mapping)); err != nil {
		return nil, err
	}
	// The view is not in Go's heap, so the garbage collector neither moves nor frees it.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size), nil
}

func unmapFile(data []byte) error {
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(data))))
}

// forget lets the system free the memory pages of data. The system reads them again from the file
// when they are needed. VirtualUnlock frees pages even if they are not locked; it then returns an
// error, which is ignored.
func forget(data []byte) error {
	err := windows.VirtualUnlock(uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)))
	if errors.Is(err, windows.ERROR_NOT_LOCKED) {
		return nil
	}
	return err
}
