package check

import (
	"fmt"
	"slices"
	"strings"
)

// Error is returned when a check refused the build, so that the old snapshot stays current.
type Error struct {
	Reasons []string
	// Flags are the flags that would allow everything that was refused, such as
	// "--allow-shrink species".
	Flags []string
}

// maxReasons is the maximum number of reasons in an error message. The findings list all.
const maxReasons = 5

func (e *Error) Error() string {
	text := "refused: " + strings.Join(e.Reasons[:min(len(e.Reasons), maxReasons)], "; ")
	if more := len(e.Reasons) - maxReasons; more > 0 {
		text += fmt.Sprintf("; and %d more, which the findings list", more)
	}
	return text
}

// Limits prevent a build that lost data, or in which data lost their meaning, from replacing a good
// snapshot. A limit of zero is the default.
//
// A limit marked √ holds for one build. Over n builds, up to thirty, it is √n times as large, but
// at most three times. The additions and removals of a curator behave like a random walk, whose sum
// grows with √n; a steady loss grows faster.
type Limits struct {
	// MaxRejected is the maximum share of a table's rows that may be rejected. Zero is 0.01.
	MaxRejected float64
	// MaxShrink √ is the maximum share of a table's rows that may be removed. Zero is 0.05.
	MaxShrink float64
	// MaxGrowth is the maximum share by which a table may grow. Zero is 0.5. Larger growth usually
	// means that a table was loaded twice.
	MaxGrowth float64
	// MaxChanged is the maximum share that may change of a table's records, or of the filled cells
	// of a column. Zero is 0.1: curators correct up to 3 %, and a shifted column changes nearly all
	// cells.
	MaxChanged float64
	// MaxEmptied √ is the maximum share of a column's cells that may become empty. Zero is 0.05.
	MaxEmptied float64
	// MaxUnmatched √ is the maximum share of species that may lose their accepted name or one of
	// its identifiers. Zero is 0.01: a name that was found once is normally found again.
	MaxUnmatched float64

	// The Allow lists name what may fail a check in this build: a table (species), a column
	// (species.author) or a checklist (checklist:wcvp). Later builds are compared with the allowed
	// state.

	AllowRejects, AllowShrink []string
	// AllowGrowth allows tables to grow by more than MaxGrowth.
	AllowGrowth []string
	// AllowChanges allows unlimited changes of records and columns.
	AllowChanges []string
	// AllowEmpty allows columns and derived facts to become empty or to disappear.
	AllowEmpty []string
	// AllowMissing allows tables and checklists to disappear.
	AllowMissing []string
	// AllowOlder allows a source (package, or for example checklist:wcvp) to be older than the
	// previous one.
	AllowOlder []string
	// AllowUnfinished allows a file to end within a row.
	AllowUnfinished []string
	// AllowMovedGUIDs allows GUIDs to belong to other records than before.
	AllowMovedGUIDs []string
	// First allows an implausible first build.
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

// flag is a command-line flag that allows a check to fail.
type flag struct {
	name string
	// names returns the tables that the operator named with the flag.
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

// allows reports whether the operator allowed a table or its column to fail. The name of a
// checklist covers all its files.
func (f flag) allows(g *Limits, table, column string) bool {
	return slices.ContainsFunc(f.names(g), func(name string) bool {
		return name == "" || name == table || column != "" && name == table+"."+column || strings.HasPrefix(table, name+"/")
	})
}

// withTable returns the flag with its argument, as it is written on the command line.
func (f flag) withTable(table string) string {
	if f.name == allowFirst.name {
		return f.name
	}
	list, _, _ := strings.Cut(table, "/")
	return f.name + " " + list
}
