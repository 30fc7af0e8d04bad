package api

import (
	"sync"

	"bencao/api/access"
	"bencao/store/snapshot"
)

// Health keeps the last report about the snapshot and the last report about the access file. Call
// [Health.Snapshot] and [Health.Access] with each report. The zero value is ready for use. The
// methods may be called from many goroutines.
type Health struct {
	mu sync.Mutex // guards the fields below

	stale        error // why the snapshot is stale
	swaps        int
	serving      string
	swapFailures int

	access         error // error of the access file; nil if all rights in the file are in force
	accessFailures int
}

// Snapshot stores a report of [snapshot.Follower].
func (h *Health) Snapshot(s snapshot.Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.Serving.ID != h.serving {
		if h.serving != "" {
			h.swaps++
		}
		h.serving = s.Serving.ID
	}
	if s.Err != nil {
		h.swapFailures++
	}
	h.stale = s.Err
}

// Access stores a report of [access.File].
func (h *Health) Access(c access.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.Err != nil {
		h.accessFailures++
	}
	h.access = c.Err
}

// vitals is a copy of the last reports that Health keeps.
type vitals struct {
	stale, access                       error
	serving                             string // id of the last reported snapshot, or empty
	swaps, swapFailures, accessFailures int
}

func (h *Health) now() vitals {
	h.mu.Lock()
	defer h.mu.Unlock()
	return vitals{h.stale, h.access, h.serving, h.swaps, h.swapFailures, h.accessFailures}
}
