package indexer

import (
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
)

// GateError says that a gate kept the old snapshot.
type GateError struct {
	Reasons []string
}

func (e *GateError) Error() string {
	return "refused: " + strings.Join(e.Reasons, "; ")
}

// Gates keep a night that lost data from replacing a good one.
type Gates struct {
	// MaxRejected is the largest share of a table's rows that may be
	// rejected. Zero is 0.01.
	MaxRejected float64
	// MaxShrink is the largest share of a table's rows that may be gone since
	// the snapshot before. Zero is 0.05.
	MaxShrink float64
	// AllowRejects and AllowShrink name the tables for which the operator
	// lifts a gate.
	AllowRejects, AllowShrink []string
}

func (g Gates) withDefaults() Gates {
	if g.MaxRejected == 0 {
		g.MaxRejected = 0.01
	}
	if g.MaxShrink == 0 {
		g.MaxShrink = 0.05
	}
	return g
}

// check compares tables with the limits and with the last good snapshot's
// counts, which is nil when there is none. It adds a finding for each gate
// that it closes or that the operator lifted, and returns a [*GateError] if
// one is closed.
func (g Gates) check(tables []datapackage.Table, current map[string]int, log *finding.Log) error {
	var closed []string
	judge := func(code finding.Code, t datapackage.Table, problem, flag string, allowed bool) {
		f := finding.Finding{Severity: finding.Fatal, Code: code, Table: t.Name, Message: problem}
		if allowed {
			f.Severity = finding.Warn
			f.Hint = fmt.Sprintf("allowed by %s %s", flag, t.Name)
		} else {
			f.Hint = fmt.Sprintf("mend the source, or allow it with %s %s", flag, t.Name)
			closed = append(closed, fmt.Sprintf("%s (%s)", problem, f.Hint))
		}
		log.Add(f)
	}
	for _, t := range tables {
		if share := t.RejectedShare(); share > g.MaxRejected {
			judge(finding.Rejects, t,
				fmt.Sprintf("table %s: %d of %d rows are rejected, %.1f %% where %.1f %% are allowed", t.Name, t.Rejected, t.Rows, 100*share, 100*g.MaxRejected),
				"--allow-rejects", slices.Contains(g.AllowRejects, t.Name))
		}
		before := current[t.Name]
		if lost := before - t.Kept; before > 0 && float64(lost)/float64(before) > g.MaxShrink {
			judge(finding.Shrink, t,
				fmt.Sprintf("table %s: %d rows where the snapshot before has %d, %.1f %% fewer where %.1f %% are allowed", t.Name, t.Kept, before, 100*float64(lost)/float64(before), 100*g.MaxShrink),
				"--allow-shrink", slices.Contains(g.AllowShrink, t.Name))
		}
	}
	if len(closed) > 0 {
		return &GateError{Reasons: closed}
	}
	return nil
}
