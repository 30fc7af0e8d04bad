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
	// "--allow shrink=species".
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
// snapshot. Zero selects the default limit.
//
// A limit marked Σ holds for one build. For the sum over about the last thirty builds, it is twice
// as large.
type Limits struct {
	// MaxRejected is the maximum share of a table's rows that may be rejected. Zero means 0.01.
	MaxRejected float64
	// MaxShrink Σ is the maximum share of a table's rows that may be removed. Zero means 0.05.
	MaxShrink float64
	// MaxGrowth is the maximum share by which a table may grow. Zero means 0.5. Larger growth
	// usually means that a table was loaded twice.
	MaxGrowth float64
	// MaxChanged is the maximum share of a table's records, or of a column's filled cells, that may
	// change. Zero means 0.1. Curators correct up to 3 % of the records in one build, and a shifted
	// column changes nearly all cells.
	MaxChanged float64
	// MaxEmptied Σ is the maximum share of a column's cells that may become empty. Zero means 0.05.
	MaxEmptied float64
	// MaxUnmatched Σ is the maximum share of species that may lose their accepted name or one of
	// its identifiers. Zero means 0.01. The default is so low because a name that was found in a
	// checklist once is normally found again.
	MaxUnmatched float64

	// The Allow lists name what may fail a check in this build: a table (species), a column
	// (species.author) or a checklist (checklist:wcvp). Once such a build is published, later
	// builds are compared with it.

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

// Unfinished is the kind of exception for a file that ends within a row.
const Unfinished = "unfinished"

// exception is a kind of failed check that the operator may allow.
type exception struct {
	kind string // as in --allow KIND=TABLE; "" is --first
	// tables returns the list of tables that may fail, or nil for --first.
	tables func(*Limits) *[]string
}

var (
	allowRejects    = exception{"rejects", func(g *Limits) *[]string { return &g.AllowRejects }}
	allowShrink     = exception{"shrink", func(g *Limits) *[]string { return &g.AllowShrink }}
	allowGrowth     = exception{"growth", func(g *Limits) *[]string { return &g.AllowGrowth }}
	allowChanges    = exception{"changes", func(g *Limits) *[]string { return &g.AllowChanges }}
	allowEmpty      = exception{"empty", func(g *Limits) *[]string { return &g.AllowEmpty }}
	allowMissing    = exception{"missing", func(g *Limits) *[]string { return &g.AllowMissing }}
	allowOlder      = exception{"older", func(g *Limits) *[]string { return &g.AllowOlder }}
	allowUnfinished = exception{Unfinished, func(g *Limits) *[]string { return &g.AllowUnfinished }}
	allowMovedGUIDs = exception{"moved-guids", func(g *Limits) *[]string { return &g.AllowMovedGUIDs }}
	allowFirst      = exception{}
)

var exceptions = []exception{
	allowRejects, allowShrink, allowGrowth, allowChanges, allowEmpty, allowMissing, allowOlder, allowMovedGUIDs, allowUnfinished,
}

// Exceptions returns the kinds of failures that [Limits.Allow] accepts.
func Exceptions() (kinds []string) {
	for _, e := range exceptions {
		kinds = append(kinds, e.kind)
	}
	return kinds
}

// Allow allows a table to fail the checks of the given kind. It returns false if there is no such
// kind.
func (g *Limits) Allow(kind, table string) bool {
	i := slices.IndexFunc(exceptions, func(e exception) bool { return e.kind == kind })
	if i < 0 {
		return false
	}
	list := exceptions[i].tables(g)
	*list = append(*list, table)
	return true
}

// allows reports whether the operator allowed a table or its column to fail. The name of a
// checklist allows all its files to fail.
func (e exception) allows(g *Limits, table, column string) bool {
	if e.tables == nil {
		return g.First
	}
	return slices.ContainsFunc(*e.tables(g), func(name string) bool {
		return name == table || column != "" && name == table+"."+column || strings.HasPrefix(table, name+"/")
	})
}

// withTable returns the flag that allows a table to fail, as on the command line.
func (e exception) withTable(table string) string {
	if e.tables == nil {
		return "--first"
	}
	list, _, _ := strings.Cut(table, "/")
	return "--allow " + e.kind + "=" + list
}
