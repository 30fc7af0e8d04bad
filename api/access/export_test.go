package access

import "time"

// These functions are Create, Update, Remove and Seal, except that they do not wait until a file
// that was just changed is complete.

func CreateAtOnce(path string, e Entry) (Secret, error) { return atOnce(path).create(e) }

func UpdateAtOnce(path, id string, change func(*Entry) error) (Entry, error) {
	return atOnce(path).update(id, change)
}

func RemoveAtOnce(path, id string) error { return atOnce(path).remove(id) }

func SealAtOnce(path string) error { return atOnce(path).seal() }

func atOnce(path string) editor { return editor{path, func(time.Duration) {}} }

// Look checks the file once for changes, as [File.Watch] does at each tick.
func (f *File) Look() error { return f.check(false) }
