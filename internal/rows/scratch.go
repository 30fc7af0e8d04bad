package rows

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// inMemory is the size in bytes up to which a list is kept in memory instead of a temporary file.
const inMemory = 1 << 20

// scratch holds temporary files in a folder that is created on first use.
type scratch struct {
	parent string // "" means the system's temporary folder
	dir    string
	files  []*os.File
}

// file creates a temporary file.
func (s *scratch) file() (*os.File, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp(s.parent, "bencao-list-*")
		if err != nil {
			return nil, &readError{err}
		}
		s.dir = dir
	}
	f, err := os.CreateTemp(s.dir, "")
	if err != nil {
		return nil, &readError{err}
	}
	s.files = append(s.files, f)
	return f, nil
}

// close removes all files and the folder.
func (s *scratch) close() error {
	var err error
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	s.files, s.dir = nil, ""
	return err
}

// seekable returns a text for random access, and its size. The text is head, followed by the rest
// of in. If in does not read a file, seekable copies the text. most limits the number of copied
// bytes.
func (s *scratch) seekable(in *input, head []byte, most int64) (io.ReaderAt, int64, error) {
	if file, ok := in.r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil { // pipes are not seekable
			end, err := file.Seek(0, io.SeekEnd)
			if err != nil {
				return nil, 0, &readError{err}
			}
			start := at - int64(len(head))
			return io.NewSectionReader(file, start, end-start), end - start, nil
		}
	}
	var small bytes.Buffer
	small.Write(head)
	if _, err := io.CopyN(&small, in, inMemory); err == io.EOF {
		return bytes.NewReader(small.Bytes()), int64(small.Len()), nil
	} else if err != nil {
		return nil, 0, err
	}
	out, err := s.file()
	if err != nil {
		return nil, 0, err
	}
	if _, err := small.WriteTo(out); err != nil {
		return nil, 0, &readError{err}
	}
	size := int64(len(head)) + inMemory
	n, err := io.Copy(out, io.LimitReader(in, max(0, most-size)+1))
	if err != nil {
		return nil, 0, &readError{err}
	}
	if size += n; size > most {
		return nil, 0, errUnpacked
	}
	return out, size, nil
}
