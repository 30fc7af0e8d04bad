package ways

import (
	"slices"

	"bencao/mappings/internal/hits"
)

// Trace is what was tried, stage by stage.
type Trace struct {
	Stages [][]hits.Why
}

func (t *Trace) stage() {
	if t != nil {
		t.Stages = append(t.Stages, nil)
	}
}

func (t *Trace) tried(why hits.Why) {
	if t == nil || why.Tier == 0 {
		return
	}
	if last := &t.Stages[len(t.Stages)-1]; !slices.Contains(*last, why) {
		*last = append(*last, why)
	}
}
