package access

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoEntry is returned when the access file has no key with the id.
var ErrNoEntry = errors.New("no such key")

// newFile is what an access file begins with.
const newFile = headLine + `
# Who may ask this server: one [[key]] block for each key.
#
# "bencao keys" edits this file and keeps your comments, and you may edit it
# too: the server reads it again within seconds, and if something is wrong it
# says so and stays with what it had.
`

// Create makes a key with the rights of e, adds it to the access file at path
// and returns it; it is kept nowhere else. The hash in e is not looked at. A
// file that is not there is made, readable for its owner only: there is no key
// in it, but who may ask from where is nobody's business.
//
// Create, [Update] and [Remove] change the bytes that they have to and leave
// comments, order and spelling; the first line and the last are theirs. They
// wait for a file that somebody is writing by hand, so as not to take half of
// it for the whole. They wait for each other, also in other
// processes, and the file is replaced in one step by one that [Parse] accepts.
func Create(path string, e Entry) (Secret, error) { return editor{path, time.Sleep}.create(e) }

// Update lets change alter the key with the id in the access file at path, and
// returns what it then is. Nothing is written if change returns an error.
func Update(path, id string, change func(*Entry) error) (Entry, error) {
	return editor{path, time.Sleep}.update(id, change)
}

// Remove takes the key with the id out of the access file at path, along with
// the comments that stand in its block and directly above it.
func Remove(path, id string) error { return editor{path, time.Sleep}.remove(id) }

// Seal checks the access file at path and writes its first and last line anew,
// so that a server needs not wait to see whether it is whole. It is for after
// an edit by hand; the other edits do it as well.
func Seal(path string) error { return editor{path, time.Sleep}.seal() }

// An editor changes the access file at path.
type editor struct {
	path string
	// sleep waits for one that may be half written.
	sleep func(time.Duration)
}

func (ed editor) seal() error {
	return ed.edit(false, func(_ *document, entries []Entry) ([]Entry, []splice, error) { return entries, nil, nil })
}

func (ed editor) create(e Entry) (Secret, error) {
	secret, hash := NewKey()
	e.Hash = hash
	err := ed.edit(true, func(d *document, entries []Entry) ([]Entry, []splice, error) {
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			return nil, nil, fmt.Errorf("key %q exists already; choose another id, or remove it first", e.ID)
		}
		return append(entries, e), []splice{d.appendKey(e)}, nil
	})
	if err != nil {
		return Secret{}, err
	}
	return secret, nil
}

func (ed editor) update(id string, change func(*Entry) error) (Entry, error) {
	var after Entry
	err := ed.edit(false, func(d *document, entries []Entry) ([]Entry, []splice, error) {
		i, err := find(ed.path, entries, id)
		if err != nil {
			return nil, nil, err
		}
		before := entries[i]
		after = before.clone()
		if err := change(&after); err != nil {
			return nil, nil, err
		}
		entries[i] = after
		return entries, d.updateKey(d.keyBlock(i), before, after), nil
	})
	return after, err
}

func (ed editor) remove(id string) error {
	return ed.edit(false, func(d *document, entries []Entry) ([]Entry, []splice, error) {
		i, err := find(ed.path, entries, id)
		if err != nil {
			return nil, nil, err
		}
		return slices.Delete(entries, i, i+1), []splice{d.removeKey(d.keyBlock(i))}, nil
	})
}

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

// edit reads the file, or begins one if it may create it, has change say what
// it shall contain and which bytes to alter, proves that the one leads to the
// other, and replaces the file by one that is sealed.
func (ed editor) edit(create bool, change func(*document, []Entry) ([]Entry, []splice, error)) (err error) {
	path := ed.path
	// A link stays a link: what it points at is replaced.
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

	data, _, _, err := readRested(target, time.Now, ed.sleep)
	if err != nil && !(create && errors.Is(err, os.ErrNotExist)) {
		return err
	}
	if create && len(data) == 0 {
		data = seal([]byte(newFile), "\n")
	}
	table, doc, problems := parse(data)
	if len(problems) > 0 {
		return fmt.Errorf("mend the access file first:\n%w", &FileError{path, problems})
	}
	if below(data) == 0 {
		doc.data = unseal(data)
	} else if doc, problems = readDocument(unseal(data)); doc == nil {
		return &FileError{path, problems}
	}
	doc.finishLine()
	want, splices, err := change(doc, table.Entries())
	if err != nil {
		return err
	}
	result, err := doc.apply(splices)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(result)) == 0 {
		result = []byte(newFile)
	}
	result = seal(result, doc.eol())
	got, _, problems := parse(result)
	if len(problems) > 0 {
		return refusal(problems)
	}
	if !slices.EqualFunc(want, got.entries, Entry.equal) || got.AnonymousRate() != table.AnonymousRate() {
		return fmt.Errorf("%s is laid out in a way that this edit cannot follow; make it by hand", path)
	}
	return replace(target, result)
}

// refusal says what is wrong with a key that was asked for. Lines would be
// those of a file that was not written.
func refusal(problems []Problem) error {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	return errors.New(strings.Join(texts, "\n"))
}
