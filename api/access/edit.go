package access

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoEntry is returned when the access file has no key with the requested id.
var ErrNoEntry = errors.New("no such key")

// Create makes a key with the rights of e, adds the hash of the key to the access file at path, and
// returns the key in plain text. The plain text is not stored. Create ignores the hash in e. If the
// file does not exist, Create creates it, readable for its owner only, because the file lists the
// networks of all users.
//
// Create, [Update] and [Remove] write the whole file again. They keep the order of the keys and the
// comments above the first block, and drop all other comments. Only one of these calls runs at a
// time, even if several processes make them. They wait until an edit by hand is complete, so that
// they do not read half a file. They replace the file in one step, and only if [Parse] accepts the
// new text.
func Create(path string, e Entry) (Secret, error) { return editor{path, time.Sleep}.create(e) }

// Update calls change with the key that has the given id in the access file at path. It stores the
// changed key and returns it. If change returns an error, Update writes nothing.
func Update(path, id string, change func(*Entry) error) (Entry, error) {
	return editor{path, time.Sleep}.update(id, change)
}

// Remove deletes the key with the given id from the access file at path.
func Remove(path, id string) error { return editor{path, time.Sleep}.remove(id) }

// Seal checks the access file at path and writes the first and the last line of the file again. A
// server then knows at once that an edit by hand is complete. Seal changes no other line.
func Seal(path string) error { return editor{path, time.Sleep}.seal() }

// An editor changes the access file at path.
type editor struct {
	path string
	// sleep is called to wait while the file may be half written.
	sleep func(time.Duration)
}

func (ed editor) seal() error {
	return ed.edit(false, func(entries []Entry) ([]Entry, error) { return entries, nil })
}

func (ed editor) create(e Entry) (Secret, error) {
	secret, hash := NewKey()
	e.Hash = hash
	err := ed.edit(true, func(entries []Entry) ([]Entry, error) {
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			return nil, fmt.Errorf("key %q exists already; choose another id, or remove it first", e.ID)
		}
		return append(entries, e), nil
	})
	if err != nil {
		return Secret{}, err
	}
	return secret, nil
}

func (ed editor) update(id string, change func(*Entry) error) (Entry, error) {
	var after Entry
	err := ed.edit(false, func(entries []Entry) ([]Entry, error) {
		i, err := find(ed.path, entries, id)
		if err != nil {
			return nil, err
		}
		after = entries[i].clone()
		if err := change(&after); err != nil {
			return nil, err
		}
		entries[i] = after
		return entries, nil
	})
	return after, err
}

func (ed editor) remove(id string) error {
	return ed.edit(false, func(entries []Entry) ([]Entry, error) {
		i, err := find(ed.path, entries, id)
		if err != nil {
			return nil, err
		}
		return slices.Delete(entries, i, i+1), nil
	})
}

// find returns the index of the key with the given id. path is only for the error.
func find(path string, entries []Entry, id string) (int, error) {
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == id })
	if i >= 0 {
		return i, nil
	}
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	has := "it has none"
	if len(ids) > 0 {
		has = "it has " + strings.Join(ids, ", ")
	}
	return 0, fmt.Errorf("%w: %q is not in %s; %s", ErrNoEntry, cut(id), path, cut(has))
}

// edit reads the file, calls change with the keys in it, and replaces the file by a sealed file
// with the keys that change returns. If the file does not exist and create is set, edit starts a
// new file. If change returns the same keys, edit only seals the text (see [Seal]). Before it
// replaces the file, edit checks that the new text grants exactly the rights that change returned.
func (ed editor) edit(create bool, change func([]Entry) ([]Entry, error)) (err error) {
	path := ed.path
	// If path is a symbolic link, its target is replaced and the link stays.
	target, err := filepath.EvalSymlinks(path)
	if create && errors.Is(err, os.ErrNotExist) {
		target = path
	} else if errors.Is(err, os.ErrNotExist) {
		return missing(path)
	} else if err != nil {
		return fmt.Errorf("access file: %w", err)
	}
	unlock, err := lock(target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()

	data, _, _, err := readSettled(target, time.Now, ed.sleep)
	if err != nil && !(create && errors.Is(err, os.ErrNotExist)) {
		return err
	}
	if create && len(data) == 0 {
		data = []byte(newHead)
	}
	table, problems := parse(data)
	if len(problems) > 0 {
		return fmt.Errorf("fix the access file first:\n%w", &FileError{path, problems})
	}
	want, err := change(table.Entries())
	if err != nil {
		return err
	}
	if !slices.EqualFunc(want, table.entries, Entry.equal) {
		if data, err = render(headOf(data), want, table.AnonymousRate()); err != nil {
			return err
		}
	}
	data = seal(data)
	got, problems := parse(data)
	if len(problems) > 0 {
		return refusal(problems)
	}
	if !slices.EqualFunc(want, got.entries, Entry.equal) || got.AnonymousRate() != table.AnonymousRate() {
		return fmt.Errorf("%s: the edited file would not mean what was asked for, so it is not written; this is a bug of bencao, edit the file by hand", path)
	}
	return replace(target, data)
}

// refusal returns the problems of a key that cannot be stored, as one error. It omits the line
// numbers of the problems, because they refer to a text that was never written.
func refusal(problems []Problem) error {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	return errors.New(strings.Join(texts, "\n"))
}
