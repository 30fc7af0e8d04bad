package matchers

import (
	"slices"

	"bencao/mappings/internal/hits"
)

// Trace is what was tried, stage by stage.
type Trace struct {
	Stages [][]hits.Why
}

// stage begins the next stage. One in which nothing was tried is none.
func (t *Trace) beginStage() {
	if t != nil && (len(t.Stages) == 0 || len(t.Stages[len(t.Stages)-1]) > 0) {
		t.Stages = append(t.Stages, nil)
	}
}

func (t *Trace) note(why hits.Why) {
	if t == nil || why.Tier == 0 {
		return
	}
	if last := &t.Stages[len(t.Stages)-1]; !slices.Contains(*last, why) {
		*last = append(*last, why)
	}
}
