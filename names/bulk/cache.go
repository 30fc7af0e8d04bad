package bulk

import "sync"

// answer is the rendered answer to a name.
type answer struct {
	tails   [][]byte // the results after the row number, one for each row of the output
	matched bool
	best    Kind
	err     error // the reason why the name cannot be matched
	// score is the score of the best result, or 0 if there is none. doubtful is true if another reading
	// of the row may be better: the score is below 0.9, or the family or author contradicts.
	score                         float64
	doubtful                      bool
	otherFamily                   bool // the best result is in another family than the query
	ambiguous, unplaced, disagree bool
	// taxa has hashes of the species, genus and family of the best result; 0 means that the result
	// has none. counted is true if the summary has counted these taxa. Only the goroutine that
	// writes uses counted.
	taxa    [3]uint64
	counted bool
	change  *Change // nil without [Options.Since]
}

// slot holds the answer to one name. The first goroutine that needs the answer calls the matcher,
// and the others wait for it.
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

// cache holds the answers to the names matched last. When it is full, it drops the older half.
type cache struct {
	mu       sync.Mutex // guards both maps
	limit    int
	new, old map[string]*slot
}

func newCache(limit int) *cache {
	if limit <= 0 {
		limit = 40_000
	}
	return &cache{limit: max(limit/2, 1), new: make(map[string]*slot)}
}

// maxCachedName is the maximum size of a cached name in bytes. Longer texts are not names.
const maxCachedName = 4 << 10

// slot returns the slot of a name. If isNew is true, the caller must fill the slot.
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
