package access

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// A stamp identifies a state of a file. It changes whenever the file is replaced or written to.
type stamp struct {
	volume, high, low uint32 // these identify the file
	sizeHigh, sizeLow uint32
	written, made     windows.Filetime
}

// stampOf returns the stamp of an open file.
func stampOf(f *os.File) (stamp, error) {
	var i windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &i); err != nil {
		return stamp{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return stamp{i.VolumeSerialNumber, i.FileIndexHigh, i.FileIndexLow, i.FileSizeHigh, i.FileSizeLow, i.LastWriteTime, i.CreationTime}, nil
}

// stampAt returns the stamp of the file at path.
func stampAt(path string) (at stamp, err error) {
	file, err := os.Open(path)
	if err != nil {
		return at, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return stampOf(file)
}

// changed returns the time at which the file was last written to.
func (s stamp) changed() time.Time { return time.Unix(0, s.written.Nanoseconds()) }
