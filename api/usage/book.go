package usage

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// saveEvery is how long counts stay in memory alone.
	saveEvery = time.Minute
	// gather is how long the first count after a quiet time waits for more.
	gather = time.Second
	// maxKeys bounds the ids that a book knows; more count as [Other].
	maxKeys = 10_000
)

// Options tunes a [Book]. The zero value is ready for use.
type Options struct {
	// Report is told when counts can't be saved, and with nil when they can
	// again. Nil tells nobody.
	Report func(error)
	// Every is how often they are saved. Zero is a minute.
	Every time.Duration
}

// Book counts requests. Its methods may be called from many goroutines.
type Book struct {
	folder string
	opt    Options
	dirty  chan struct{} // has a value once there is something to save

	mu      sync.Mutex
	keys    map[string]*account
	pending Days // of other days than the accounts', not saved

	saving  sync.Mutex
	failing error // why the last save failed; under mu
}

// account is what a key asked since the book was opened, and today.
type account struct {
	total, today Counts
	day          int64 // since 1970
}

// date is the day of today's counts, as [Days] has it.
func (a *account) date() string { return dayOf(time.Unix(a.day*24*60*60, 0)) }

// Open returns a book that keeps its counts in a folder, which is made when
// there is something to save. An empty one keeps them in memory alone.
func Open(folder string, opt Options) *Book {
	if opt.Report == nil {
		opt.Report = func(error) {}
	}
	if opt.Every <= 0 {
		opt.Every = saveEvery
	}
	return &Book{folder: folder, opt: opt, dirty: make(chan struct{}, 1), keys: map[string]*account{}, pending: Days{}}
}

// Count adds a request.
func (b *Book) Count(h Hit) {
	day := h.At.Unix() / (24 * 60 * 60)
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.keys[h.Key]
	if a == nil {
		if len(b.keys) >= maxKeys {
			h.Key = Other
			a = b.keys[Other]
		}
		if a == nil {
			a = &account{day: day}
			b.keys[h.Key] = a
		}
	}
	if a.day != day {
		b.shelve(h.Key, a)
		a.day = day
	}
	if a.today.Requests == 0 {
		select {
		case b.dirty <- struct{}{}:
		default:
		}
	}
	a.today.hit(h)
	a.total.hit(h)
}

// shelve moves what was counted of a day to what is to be saved.
func (b *Book) shelve(key string, a *account) {
	if a.today.Requests > 0 {
		b.pending.add(a.date(), key, a.today)
	}
	a.today = Counts{}
}

// total is what a key asked since the book was opened.
func (b *Book) total(key string) Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := b.keys[key]; a != nil {
		return a.total
	}
	return Counts{}
}

// Days are all that are kept, with what is not saved yet. The error says why
// counts are in memory alone, and is no reason not to use them.
func (b *Book) Days() (Days, error) {
	b.saving.Lock() // or what is being saved would be seen twice, or not at all
	defer b.saving.Unlock()
	days, err := Days{}, error(nil)
	if b.folder != "" {
		days, err = Read(b.folder)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	days.merge(b.unsaved())
	return days, errors.Join(err, b.failing)
}

// unsaved are the counts that are in memory alone.
func (b *Book) unsaved() Days {
	days := Days{}
	days.merge(b.pending)
	for key, a := range b.keys {
		if a.today.Requests > 0 {
			days.add(a.date(), key, a.today)
		}
	}
	return days
}

// Save adds what is in memory alone to the files.
func (b *Book) Save() error {
	b.saving.Lock()
	defer b.saving.Unlock()
	b.mu.Lock()
	for key, a := range b.keys {
		b.shelve(key, a)
	}
	taken := b.pending
	b.pending = Days{}
	b.mu.Unlock()
	var err error
	if b.folder != "" {
		err = add(b.folder, taken) // takes out what it has saved
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending.merge(taken)
	for day := range b.pending {
		if day < firstKept(time.Now()) {
			delete(b.pending, day)
		}
	}
	if (err == nil) != (b.failing == nil) {
		b.opt.Report(err)
	}
	b.failing = err
	return err
}

// Run saves until ctx ends; [Book.Save] then saves what was asked since. The
// first count after a quiet time is saved after a second, those after it when
// the minute is over.
func (b *Book) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.dirty:
		}
		for _, wait := range []time.Duration{min(gather, b.opt.Every), b.opt.Every} {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			_ = b.Save() // reported, and tried again
		}
	}
}
