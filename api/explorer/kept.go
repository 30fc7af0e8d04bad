package explorer

import "sync"

// kept holds the pages that were made last, by their tags, so that one that many
// read is made once. A tag names the data, so that nothing old is ever sent.
type kept struct {
	mu    sync.Mutex
	pages map[string]sheet
	ring  []string // tags, the oldest at next
	next  int
}

// mostKept is how many pages are kept, and largestKept how large one may be, in
// bytes: together at most 32 MiB.
const mostKept, largestKept = 256, 128 << 10

func newKept() *kept {
	return &kept{pages: map[string]sheet{}, ring: make([]string, mostKept)}
}

func (k *kept) get(tag string) (sheet, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.pages[tag]
	return s, ok
}

func (k *kept) put(tag string, s sheet) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.pages[tag]; ok || len(s.html) > largestKept {
		return
	}
	delete(k.pages, k.ring[k.next])
	k.ring[k.next] = tag
	k.next = (k.next + 1) % len(k.ring)
	k.pages[tag] = s
}
