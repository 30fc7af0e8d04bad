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
// time, even if several processes make them. They read the file by the rule of [File], because half
// a file that they wrote again would count. They replace the file in one step, and only if [Parse]
// accepts the new text.
func Create(path string, e Entry) (Secret, error) {
	secret, hash := NewKey()
	e.Hash = hash
	err := edit(path, true, time.Sleep, func(entries []Entry) ([]Entry, error) {
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

// Update calls change with the key that has the given id in the access file at path. It stores the
// changed key and returns it. If change returns an error, Update writes nothing.
func Update(path, id string, change func(*Entry) error) (Entry, error) {
	return update(path, id, time.Sleep, change)
}

func update(path, id string, sleep func(time.Duration), change func(*Entry) error) (Entry, error) {
	var after Entry
	err := edit(path, false, sleep, func(entries []Entry) ([]Entry, error) {
		i, err := find(path, entries, id)
		if err != nil {
			return nil, err
		}
		after = entries[i]
		if err := change(&after); err != nil {
			return nil, err
		}
		entries[i] = after
		return entries, nil
	})
	return after, err
}

// Remove deletes the key with the given id from the access file at path.
func Remove(path, id string) error {
	return edit(path, false, time.Sleep, func(entries []Entry) ([]Entry, error) {
		i, err := find(path, entries, id)
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

// edit reads the file, calls change with the keys in it, and replaces the file by one with the keys
// that change returns. If the file does not exist and create is set, edit starts a new file. It
// calls sleep to wait for a file that is being written.
func edit(path string, create bool, sleep func(time.Duration), change func([]Entry) ([]Entry, error)) (err error) {
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

	before, table := text{path: target}, newTable(nil, 0)
	switch err := before.settle(time.Now, sleep); {
	case create && errors.Is(err, os.ErrNotExist):
		before.data = []byte(newHead)
	case err != nil:
		return err
	default:
		if table, err = Parse(path, before.data); err != nil {
			return fmt.Errorf("correct the access file first:\n%w", err)
		}
	}
	entries, err := change(table.Entries())
	if err != nil {
		return err
	}
	after, err := render(headOf(before.data), entries, table.AnonymousRate())
	if err != nil {
		return err
	}
	if _, err := Parse(path, after); err != nil {
		return err
	}
	return replace(target, after)
}
