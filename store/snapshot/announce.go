package snapshot

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"time"

	"bencao/internal/durable"
)

// Timestamp reads timestamp.json. It returns [fs.ErrNotExist] if there is none.
func (d Dir) Timestamp() (Timestamp, error) {
	b, err := readSmall(d.timestamp(), maxTimestamp)
	if err != nil {
		return Timestamp{}, err
	}
	t, err := ParseTimestamp(b)
	if err != nil {
		return Timestamp{}, fmt.Errorf("%s %w", d.timestamp(), err)
	}
	return t, nil
}

var (
	// ErrOfPublisher is returned when a timestamp is that of the publisher of
	// whom this data directory is a mirror.
	ErrOfPublisher = errors.New("timestamp is the publisher's")
	// ErrNoKey is returned when a timestamp that was signed can't be renewed
	// for want of the key.
	ErrNoKey = errors.New("timestamp was signed, and there is no key to sign another")
)

// Announce makes mirrors follow to the snapshot that is current now, after
// [Writer.Rollback]. It returns [ErrOfPublisher] or [ErrNoKey] if that is not
// possible, and mirrors then stay where they are.
func (w *Writer) Announce() error {
	old, err := w.dir.Timestamp()
	seen, seenErr := w.dir.Seen()
	switch {
	case err == nil && seenErr == nil && seen.Version == old.Version:
		return ErrOfPublisher
	case err == nil && old.Signed() && w.opt.Key == nil:
		return ErrNoKey
	}
	return w.announce()
}

// announce writes a timestamp for the current snapshot, of the next version
// and with an expiry from now on.
//
// Versions are seconds since 1970, or one more than the version before if that
// is later: so they rise also from a data directory that is lost to the one
// that takes its place.
func (w *Writer) announce() error {
	p, err := w.dir.Current()
	if err != nil {
		return err
	}
	version := w.opt.Now().Unix()
	if old, err := w.dir.Timestamp(); err == nil {
		version = max(version, old.Version+1)
	}
	if seen, err := w.dir.Seen(); err == nil {
		version = max(version, seen.Version+1)
	}
	expires := w.opt.Now().Add(cmp.Or(w.opt.Expires, defaultExpires)).Truncate(time.Second)
	t, err := newTimestamp(p, version, expires, w.opt.Key)
	if err != nil {
		return err
	}
	if err := w.PutTimestamp(&t); err != nil || w.opt.Announce == nil {
		return err
	}
	return w.opt.Announce(p)
}

// Withdrawn tells of a snapshot that is newer than the current one that it is
// not on its way here: the publisher has gone back from it.
//
// Mirrors are told of a snapshot after it was made and CURRENT was written, here
// and at the publisher. So when they are told of another one, later than this
// one was made, it is over; and so it is when they are told of this one, and
// CURRENT has left it since. A mirror that is merely late was last told of
// another one before this one was made.
func Withdrawn(d Dir, id string, now time.Time) bool {
	// First what is written last: read the other way round, a publication
	// between the two would look like the second case.
	told, err := d.Timestamp()
	if err != nil {
		return false
	}
	current, err := d.Current()
	if err != nil || current.ID == id {
		return false
	}
	made, err := stampTime(id)
	when := time.Unix(told.Version, 0)
	// The version is no time if the publisher's clock was ahead once.
	return err == nil && (told.ID == id || when.After(made) && !fromFuture(when, now))
}

// PutTimestamp writes what a publisher has said. Nil is nothing: then one that
// is there is taken away.
func (w *Writer) PutTimestamp(t *Timestamp) error {
	if t == nil {
		return removeIfThere(w.dir.timestamp())
	}
	if old, err := readSmall(w.dir.timestamp(), maxTimestamp); err == nil && bytes.Equal(old, t.raw) {
		return nil
	}
	w.opt.Step("write timestamp")
	if err := durable.WriteFile(w.dir.timestamp(), t.raw, durable.Options{}); err != nil {
		return fmt.Errorf("tell mirrors of %s: %w", t.ID, err)
	}
	w.opt.Step("done")
	return nil
}

// Seen reads SEEN. It returns [fs.ErrNotExist] if there is none.
func (d Dir) Seen() (Seen, error) {
	b, err := readSmall(d.seen(), maxSeen)
	if err != nil {
		return Seen{}, err
	}
	s, err := ParseSeen(b)
	if err != nil {
		return Seen{}, fmt.Errorf("%s %w", d.seen(), err)
	}
	return s, nil
}

// Remember writes SEEN, durably. The zero value forgets.
func (w *Writer) Remember(s Seen) error {
	if s == (Seen{}) {
		return removeIfThere(w.dir.seen())
	}
	if old, err := w.dir.Seen(); err == nil && old == s {
		return nil
	}
	w.opt.Step("write SEEN")
	return durable.WriteFile(w.dir.seen(), s.encode(), durable.Options{})
}
