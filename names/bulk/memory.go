package bulk

import "sync"

// answer is a rendered answer: what follows the row number, for each row that
// it gives.
type answer struct {
	tails   [][]byte
	matched bool
	best    Kind
	err     error // the name could not be used
}

// slot holds the answer to one name; who needs it first asks, and the others
// wait.
type slot struct {
	known  sync.WaitGroup
	answer *answer
	err    error
}

// wait returns the answer when it is there.
func (s *slot) wait() (*answer, error) {
	s.known.Wait()
	return s.answer, s.err
}

// memory remembers answers: the most recent ones, between limit/2 and limit
// of them.
type memory struct {
	mu       sync.Mutex // guards both maps
	limit    int
	new, old map[string]*slot
}

func newMemory(limit int) *memory {
	if limit <= 0 {
		limit = 200_000
	}
	return &memory{limit: max(limit/2, 1), new: make(map[string]*slot)}
}

// longName is how many bytes a name may have to be remembered. A longer one is
// no name.
const longName = 4 << 10

// slot returns the slot of a name. If it is new the caller has to fill it.
func (m *memory) slot(key string) (s *slot, isNew bool) {
	if len(key) > longName {
		s = &slot{}
		s.known.Add(1)
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
		s.known.Add(1)
	}
	if len(m.new) >= m.limit {
		m.old, m.new = m.new, make(map[string]*slot)
	}
	m.new[key] = s
	return s, !ok
}
