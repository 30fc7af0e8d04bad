package explorer

// Held is what forms have taken: places, by client, by network and for all; turns; and bytes.
type Held struct {
	Groups, Forms, Turns int
	Bytes                int64
}

// Held returns what forms have taken now.
func (e *Explorer) Held() Held {
	e.intake.mu.Lock()
	defer e.intake.mu.Unlock()
	all := e.intake.taken[group{}]
	return Held{len(e.intake.taken), all.forms, len(e.intake.turns), all.bytes}
}
