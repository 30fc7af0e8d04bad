package check

import (
	"fmt"
	"slices"
	"strings"
)

// Error says that a gate kept the old snapshot.
type Error struct {
	Reasons []string
	// Flags are those that would lift all gates that closed, such as
	// "--allow-shrink species".
	Flags []string
}

// maxReasons is how many reasons an error gives in full; findings give all.
const maxReasons = 5

func (e *Error) Error() string {
	text := "refused: " + strings.Join(e.Reasons[:min(len(e.Reasons), maxReasons)], "; ")
	if more := len(e.Reasons) - maxReasons; more > 0 {
		text += fmt.Sprintf("; and %d more, which the findings list", more)
	}
	return text
}

// Limits keep a night that lost data, or in which data lost their meaning, from
// replacing a good one. Zero limits are the defaults.
//
// A limit that is marked with √ holds for one night. Over n nights, up to
// thirty, it is √n times as large and at most three times: what a curator adds
// and takes away drifts like that, and what leaks away grows faster.
type Limits struct {
	// MaxRejected is the largest share of a table's rows that may be
	// rejected. Zero is 0.01.
	MaxRejected float64
	// MaxShrink √ is the largest share of a table's rows that may be gone. Zero
	// is 0.05.
	MaxShrink float64
	// MaxGrowth is the largest share by which a table may grow in a night. Zero
	// is 0.5: more is a table that was loaded twice.
	MaxGrowth float64
	// MaxChanged is the largest share of a table's records, or of the filled
	// cells of a column, that may change in a night. Zero is 0.1: curators mend
	// up to three in a hundred, and a shifted column changes nearly all.
	MaxChanged float64
	// MaxEmptied √ is the largest share of a column's cells that may become
	// empty. Zero is 0.05.
	MaxEmptied float64
	// MaxUnmatched √ is the largest share of species that may lose their
	// accepted name, or one of its identifiers. Zero is 0.01: names that were
	// found yesterday are found tomorrow.
	MaxUnmatched float64

	// What follows names, for this night, the tables for which the operator
	// lifts a gate: a table (species), a column (species.author), a checklist
	// (checklist:wcvp). What is so allowed is what later nights are compared
	// with.

	AllowRejects, AllowShrink []string
	// AllowGrowth lifts MaxGrowth.
	AllowGrowth []string
	// AllowChanges lets records and columns change as they like.
	AllowChanges []string
	// AllowEmpty lets columns, or what is derived from them, become empty or
	// vanish.
	AllowEmpty []string
	// AllowMissing lets tables and checklists vanish.
	AllowMissing []string
	// AllowOlder lets a source, package or checklist:wcvp, be older than
	// yesterday's.
	AllowOlder []string
	// AllowUnfinished lets a file end within a row.
	AllowUnfinished []string
	// AllowMovedGUIDs lets GUIDs belong to other records than before.
	AllowMovedGUIDs []string
	// First lets a night pass that makes no sense by itself and can't be
	// compared with another.
	First bool
}

func (g Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit *float64
		value float64
	}{
		{&g.MaxRejected, 0.01}, {&g.MaxShrink, 0.05}, {&g.MaxGrowth, 0.5},
		{&g.MaxChanged, 0.1}, {&g.MaxEmptied, 0.05}, {&g.MaxUnmatched, 0.01},
	} {
		if *d.limit == 0 {
			*d.limit = d.value
		}
	}
	return g
}

// flag is a way to lift a gate.
type flag struct {
	name string
	// of gives what the operator named with it.
	names func(*Limits) []string
}

var (
	allowRejects    = flag{"--allow-rejects", func(g *Limits) []string { return g.AllowRejects }}
	allowShrink     = flag{"--allow-shrink", func(g *Limits) []string { return g.AllowShrink }}
	allowGrowth     = flag{"--allow-growth", func(g *Limits) []string { return g.AllowGrowth }}
	allowChanges    = flag{"--allow-changes", func(g *Limits) []string { return g.AllowChanges }}
	allowEmpty      = flag{"--allow-empty", func(g *Limits) []string { return g.AllowEmpty }}
	allowMissing    = flag{"--allow-missing", func(g *Limits) []string { return g.AllowMissing }}
	allowOlder      = flag{"--allow-older", func(g *Limits) []string { return g.AllowOlder }}
	allowUnfinished = flag{"--allow-unfinished", func(g *Limits) []string { return g.AllowUnfinished }}
	allowMovedGUIDs = flag{"--allow-moved-guids", func(g *Limits) []string { return g.AllowMovedGUIDs }}
	allowFirst      = flag{"--first", func(g *Limits) []string {
		if g.First {
			return []string{""}
		}
		return nil
	}}
)

// lifts says whether the operator lifted the gate for a table or its column. A
// checklist's name stands for all its files.
func (f flag) allows(g *Limits, table, column string) bool {
	return slices.ContainsFunc(f.names(g), func(name string) bool {
		return name == "" || name == table || column != "" && name == table+"."+column || strings.HasPrefix(table, name+"/")
	})
}

// with is the flag as the operator would give it.
func (f flag) withTable(table string) string {
	if f.name == allowFirst.name {
		return f.name
	}
	list, _, _ := strings.Cut(table, "/")
	return f.name + " " + list
}
