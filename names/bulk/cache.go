package bulk

import "sync"

// answer is a rendered answer.
type answer struct {
	tails   [][]byte // the text after the row number, for each output row
	matched bool
	best    Kind
	err     error // why the name cannot be matched
	// sure reports that the best result is a name, at 0.7 and more.
	sure                          bool
	ambiguous, unplaced, disagree bool
	// taxa are hashes of the species, genus and family of the best result; 0 is none. counted
	// reports that they are counted; only the goroutine that writes uses it.
	taxa    [3]uint64
	counted bool
}

// slot holds the answer to one name. The first goroutine that needs it asks the matcher; the
// others wait.
type slot struct {
	ready  sync.WaitGroup
	answer *answer
	err    error
}

// wait returns the answer as soon as it is ready.
func (s *slot) wait() (*answer, error) {
	s.ready.Wait()
	return s.answer, s.err
}

// cache holds the most recent answers: between limit/2 and limit of them.
type cache struct {
	mu       sync.Mutex // guards both maps
	limit    int
	new, old map[string]*slot
}

func newCache(limit int) *cache {
	if limit <= 0 {
		limit = 160_000
	}
	return &cache{limit: max(limit/2, 1), new: make(map[string]*slot)}
}

// maxCachedName is the largest size of a cached name, in bytes. Longer texts are no names.
const maxCachedName = 4 << 10

// slot returns the slot of a name. If it is new, the caller must fill it.
func (m *cache) slot(key string) (s *slot, isNew bool) {
	if len(key) > maxCachedName {
		s = &slot{}
		s.ready.Add(1)
		return s, true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.new[key]; ok {
		return s, false
	}
	s, ok := m.old[key]
	if !ok {
		s = &slot{}
		s.ready.Add(1)
	}
	if len(m.new) >= m.limit {
		m.old, m.new = m.new, make(map[string]*slot)
	}
	m.new[key] = s
	return s, !ok
}
