package matchers

import (
	"slices"

	"bencao/mappings/internal/hits"
)

// Trace records the ways that were tried in each stage.
type Trace struct {
	Stages [][]hits.Why
}

// beginStage starts the next stage. If nothing was tried in the current stage, that stage is
// dropped.
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
