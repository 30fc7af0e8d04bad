// Package keyuse remembers the use of each API key: the first and the last request, and the number
// of requests. Somebody who renews keys needs it. It is one small file:
//
//	usage/keys.json   {"lab":{"first":"2026-11-22T08:00:00Z","last":"…","requests":4}}
//
// Each request is first counted in memory. Every ten minutes, and when it ends, a server adds these
// counts to the file under a lock, so several servers can share the file. If a server is killed,
// the counts of at most ten minutes are lost. The file has the ids of keys and never a key itself.
// Begin with [Open] and [Counter.Count].
package keyuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"bencao/internal/durable"
	"bencao/internal/system"
)

const (
	saveEvery = 10 * time.Minute
	// mode is the file mode of the counts. They show when each key was used, so only the owner and
	// the group may read them.
	mode fs.FileMode = 0o640
)

// Use is the use of a key.
type Use struct {
	// First and Last are the times of the first and the last request; the zero time means that
	// there was none.
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Requests int64     `json:"requests"`
}

// Keys has the use of each API key, by the id of the key.
type Keys map[string]Use

func (k Keys) add(id string, u Use) {
	sum := k[id]
	sum.Requests += u.Requests
	if sum.First.IsZero() || u.First.Before(sum.First) {
		sum.First = u.First
	}
	if u.Last.After(sum.Last) {
		sum.Last = u.Last
	}
	k[id] = sum
}

// Counter counts requests by API key. Its methods may be called from many goroutines.
type Counter struct {
	folder string
	ids    func() []string
	report func(error)

	mu      sync.Mutex // guards unsaved
	unsaved Keys       // counts that are not yet added to the file

	saving  sync.Mutex // held while the file is changed
	failure error      // error of the last save, or nil
}

// Open returns a counter that saves its counts in a folder, which it creates when it first saves.
// ids returns the ids of all keys; the file has no other keys. report is called with the error when
// saving begins to fail, and with nil when saving works again.
func Open(folder string, ids func() []string, report func(error)) *Counter {
	return &Counter{folder: folder, ids: ids, report: report, unsaved: Keys{}}
}

// Count counts a request with the key that has the given id.
func (c *Counter) Count(id string, at time.Time) {
	at = at.UTC().Truncate(time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsaved.add(id, Use{at, at, 1})
}

// Run saves the counts every ten minutes until ctx ends. The caller must call Save once more after
// the last request.
func (c *Counter) Run(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.Save()
		}
	}
}

// Save adds the unsaved counts to the file. If that fails, the counts stay in memory for the next
// call.
func (c *Counter) Save() {
	c.saving.Lock()
	defer c.saving.Unlock()
	c.mu.Lock()
	taken := c.unsaved
	c.unsaved = Keys{}
	c.mu.Unlock()
	if len(taken) == 0 {
		return
	}
	err := c.write(taken)
	if err != nil {
		c.mu.Lock()
		for id, u := range taken {
			c.unsaved.add(id, u)
		}
		c.mu.Unlock()
	}
	if (err == nil) != (c.failure == nil) {
		c.report(err)
	}
	c.failure = err
}

func fileIn(folder string) string { return filepath.Join(folder, "keys.json") }

// Read returns the use of keys that is saved in a folder. If the folder or the file in it is
// missing, no key was used.
func Read(folder string) (Keys, error) {
	path := fileIn(folder)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Keys{}, nil
	}
	if err != nil {
		return nil, err
	}
	var keys Keys
	if err := json.Unmarshal(text, &keys); err != nil || keys == nil {
		return nil, fmt.Errorf("%s is damaged; move it away, and the counts begin again", path)
	}
	return keys, nil
}

// write adds counts to the file.
func (c *Counter) write(counts Keys) (err error) {
	if err := durable.MkdirAll(c.folder); err != nil {
		return fmt.Errorf("create the folder of the counts: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(c.folder, ".lock"), os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := system.Lock(lock); err != nil {
		return fmt.Errorf("%s: %w", lock.Name(), err)
	}
	if err := durable.ClearDir(c.folder); err != nil { // removes the temporary files that a killed server left behind
		return err
	}
	saved, err := Read(c.folder)
	if err != nil {
		return err
	}
	all := Keys{}
	for _, id := range c.ids() {
		for _, from := range []Keys{saved, counts} {
			if u, ok := from[id]; ok {
				all.add(id, u)
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return durable.WriteFile(fileIn(c.folder), append(text, '\n'), durable.Options{Mode: mode})
}
