// Package usage counts the requests of each API key: how many there were, how many were refused,
// and when the last one came. The counts of all time are in one small file:
//
//	usage/keys.json   {"keys":{"lab":{"requests":4,…,"since":"2026-11-22T08:00:00Z","last":"…"}}}
//
// Each request is first counted in memory. Once a minute, and when it ends, a server adds these
// counts to the file under a lock, so several servers can share the file. If a server is killed,
// the counts of at most one minute are lost. The file has the ids of keys and never a key itself.
// Begin with [Open] and [Counter.Count].
package usage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"bencao/internal/durable"
	"bencao/internal/system"
)

// Requests without a valid key are counted under these ids. No key can have such an id.
const (
	Anonymous = "(anonymous)" // requests without a key to a server that needs none
	Other     = "(other)"     // all other requests without a valid key
)

const (
	saveEvery = time.Minute
	// keepFor is how long the counts of a key are kept after its last request.
	keepFor = 400 * 24 * time.Hour
	// mode is the file mode of the counts. They show when each key was used, so only the owner and
	// the group may read them.
	mode fs.FileMode = 0o640
)

// Hit is one request that was answered or refused.
type Hit struct {
	// Key is the id of the key, or [Anonymous], or [Other].
	Key    string
	Status int
	// Names is the number of names that the request asked to match.
	Names int
	// Bytes is the length of the body as it was sent, after compression.
	Bytes int64
	At    time.Time
}

// Counts are the sums over all requests of a key.
type Counts struct {
	// Requests is the number of all requests, including the refused ones.
	Requests int64 `json:"requests"`
	// Unauthorized, Forbidden and Limited count the requests answered with 401, 403 and 429.
	Unauthorized int64 `json:"refused401"`
	Forbidden    int64 `json:"refused403"`
	Limited      int64 `json:"refused429"`
	Names        int64 `json:"names"`
	Bytes        int64 `json:"bytes"`
	// Since and Last are the times of the first and the last request; the zero time means that
	// there was none.
	Since time.Time `json:"since,omitzero"`
	Last  time.Time `json:"last,omitzero"`
}

func (h *Hit) counts() Counts {
	c := Counts{Requests: 1, Names: int64(h.Names), Bytes: h.Bytes, Since: h.At, Last: h.At}
	switch h.Status {
	case http.StatusUnauthorized:
		c.Unauthorized = 1
	case http.StatusForbidden:
		c.Forbidden = 1
	case http.StatusTooManyRequests:
		c.Limited = 1
	}
	return c
}

// Keys has the counts of each API key, by the id of the key.
type Keys map[string]Counts

func (k Keys) add(id string, c Counts) {
	sum := k[id]
	sum.Requests += c.Requests
	sum.Unauthorized += c.Unauthorized
	sum.Forbidden += c.Forbidden
	sum.Limited += c.Limited
	sum.Names += c.Names
	sum.Bytes += c.Bytes
	if sum.Since.IsZero() || !c.Since.IsZero() && c.Since.Before(sum.Since) {
		sum.Since = c.Since
	}
	if c.Last.After(sum.Last) {
		sum.Last = c.Last
	}
	k[id] = sum
}

func (k Keys) merge(o Keys) {
	for id, c := range o {
		k.add(id, c)
	}
}

// Counter counts requests by API key. Its methods may be called from many goroutines.
type Counter struct {
	folder string
	report func(error)

	mu      sync.Mutex // guards the fields below
	total   Keys       // counts since Open
	unsaved Keys       // counts that are not yet added to the file

	saving  sync.Mutex // held while the file is changed
	failure error      // error of the last save, or nil
}

// Open returns a counter that saves its counts in a folder. The counter creates the folder when it
// first saves. If folder is empty, the counts stay in memory only. If report is not nil, it is
// called with the error when saving begins to fail, and with nil when saving works again.
func Open(folder string, report func(error)) *Counter {
	if report == nil {
		report = func(error) {}
	}
	return &Counter{folder: folder, report: report, total: Keys{}, unsaved: Keys{}}
}

// Count adds a request to the counts of its key.
func (c *Counter) Count(h Hit) {
	one := h.counts()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.add(h.Key, one)
	c.unsaved.add(h.Key, one)
}

// Keys saves the counts and returns the counts in the file, which are those of all time. If saving
// fails, Keys returns the counts since the start and the error. Without a folder, it returns the
// counts since the start.
func (c *Counter) Keys() (Keys, error) {
	err := c.Save()
	if err == nil && c.folder != "" {
		return Read(c.folder)
	}
	all := Keys{}
	c.mu.Lock()
	defer c.mu.Unlock()
	all.merge(c.total)
	return all, err
}

// Run saves the counts once a minute until ctx ends. The caller must call Save once more after the
// last request.
func (c *Counter) Run(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = c.Save() // Save has reported the error, and the next save tries again
		}
	}
}

// Save adds the unsaved counts to the file in the folder. Without a folder it does nothing.
func (c *Counter) Save() error {
	if c.folder == "" {
		return nil
	}
	c.saving.Lock()
	defer c.saving.Unlock()
	c.mu.Lock()
	taken := c.unsaved
	c.unsaved = Keys{}
	c.mu.Unlock()
	if len(taken) == 0 && c.failure == nil {
		return nil
	}
	err := addTo(c.folder, taken)
	if err != nil {
		c.mu.Lock()
		c.unsaved.merge(taken)
		c.mu.Unlock()
	}
	if (err == nil) != (c.failure == nil) {
		c.report(err)
	}
	c.failure = err
	return err
}

func fileIn(folder string) string { return filepath.Join(folder, "keys.json") }

// file is the content of keys.json.
type file struct {
	Keys Keys `json:"keys"`
}

// Read returns the counts that are saved in a folder. If the folder or the file in it is missing,
// Read returns no counts.
func Read(folder string) (Keys, error) {
	path := fileIn(folder)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Keys{}, nil
	}
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil || f.Keys == nil {
		return nil, fmt.Errorf("%s is damaged; move it away, and the counts begin again", path)
	}
	return f.Keys, nil
}

// addTo adds counts to the counts that are saved in a folder.
func addTo(folder string, counts Keys) (err error) {
	if err := durable.MkdirAll(folder); err != nil {
		return fmt.Errorf("create the folder of the counts: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(folder, ".lock"), os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := system.Lock(lock); err != nil {
		return fmt.Errorf("%s: %w", lock.Name(), err)
	}
	if err := durable.ClearDir(folder); err != nil { // removes the temporary files that a killed server left behind
		return err
	}
	all, err := Read(folder)
	if err != nil {
		return err
	}
	all.merge(counts)
	for id, c := range all {
		if time.Since(c.Last) > keepFor {
			delete(all, id)
		}
	}
	text, err := json.Marshal(file{all})
	if err != nil {
		return err
	}
	return durable.WriteFile(fileIn(folder), append(text, '\n'), durable.Options{Mode: mode})
}
