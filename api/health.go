package api

import (
	"sync"

	"bencao/api/access"
	"bencao/store/snapshot"
)

// Health gathers what the parts beside the server report: hand
// [Health.Snapshot] to the follower and [Health.Access] to the access file.
// The zero value is ready for use, from many goroutines.
type Health struct {
	mu sync.Mutex // guards what follows

	stale        error // why the snapshot is not the one that it should be
	swaps        int
	serving      string
	swapFailures int

	access         error // why the access file is not in force as it stands
	accessReloads  int
	accessFailures int
}

// Snapshot takes a report of [snapshot.Follower].
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

// Access takes a report of [access.File].
func (h *Health) Access(c access.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accessReloads++
	if c.Err != nil {
		h.accessFailures++
	}
	h.access = c.Err
}

// vitals is a copy of what was reported.
type vitals struct {
	stale, access                 error
	swaps, swapFailures           int
	accessReloads, accessFailures int
}

func (h *Health) now() vitals {
	h.mu.Lock()
	defer h.mu.Unlock()
	return vitals{h.stale, h.access, h.swaps, h.swapFailures, h.accessReloads, h.accessFailures}
}
