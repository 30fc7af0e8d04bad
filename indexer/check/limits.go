package check

import (
	"cmp"
	"fmt"
	"maps"
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
	text := "refused: " + strings.Join(e.Reasons[:min(len(e.Reasons), maxReasons)], "\n")
	if more := len(e.Reasons) - maxReasons; more > 0 {
		text += fmt.Sprintf("\nand %d more, which the findings list", more)
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
	// MaxChanged is the maximum share of a table's records, or of a column's filled cells, that may
	// change. Zero means 0.1. Curators correct up to 3 % of the records in one build, and a shifted
	// column changes nearly all cells.
	MaxChanged float64
	// Allowed names what may fail a check in this build. Once such a build is published, later builds
	// are compared with it.
	Allowed Allowed
	// First allows an implausible first build.
	First bool
}

// Allowed has, by the kind of exception, what may fail a check: a table (species), a column
// (species.author) or a checklist (checklist:wcvp).
type Allowed map[string][]string

func (g Limits) withDefaults() Limits {
	g.MaxRejected, g.MaxShrink, g.MaxChanged = cmp.Or(g.MaxRejected, 0.01), cmp.Or(g.MaxShrink, 0.05), cmp.Or(g.MaxChanged, 0.1)
	return g
}

// Unfinished is the kind of exception for a file that ends within a row.
const Unfinished = "unfinished"

// exception is a kind of failed check that the operator may allow, as in --allow KIND=TABLE.
type exception string

const (
	allowRejects exception = "rejects"
	allowShrink  exception = "shrink"
	allowGrowth  exception = "growth"
	// allowChanges allows unlimited changes of records and columns.
	allowChanges exception = "changes"
	// allowEmpty allows columns and derived facts to become empty or to disappear.
	allowEmpty exception = "empty"
	// allowMissing allows tables and checklists to disappear.
	allowMissing exception = "missing"
	// allowOlder allows a source (package, or for example checklist:wcvp) to be older than before.
	allowOlder exception = "older"
	// allowMovedGUIDs allows GUIDs to belong to other records than before.
	allowMovedGUIDs exception = "moved-guids"
	allowUnfinished exception = Unfinished
	allowFirst      exception = "" // --first
)

// Exceptions returns the kinds of failures that [Limits.Allow] accepts.
func Exceptions() (kinds []string) {
	for _, e := range []exception{
		allowRejects, allowShrink, allowGrowth, allowChanges, allowEmpty, allowMissing, allowOlder, allowMovedGUIDs, allowUnfinished,
	} {
		kinds = append(kinds, string(e))
	}
	return kinds
}

// Allow allows a table to fail the checks of the given kind. It returns false if there is no such
// kind.
func (g *Limits) Allow(kind, table string) bool {
	if !slices.Contains(Exceptions(), kind) {
		return false
	}
	all := maps.Clone(g.Allowed) // a copy of the limits may have the same map
	if all == nil {
		all = Allowed{}
	}
	all[kind] = append(slices.Clone(all[kind]), table)
	g.Allowed = all
	return true
}

// allows reports whether the operator allowed a table or its column to fail. The name of a
// checklist allows all its files to fail.
func (e exception) allows(g *Limits, table, column string) bool {
	if e == allowFirst {
		return g.First
	}
	return slices.ContainsFunc(g.Allowed[string(e)], func(name string) bool {
		return name == table || column != "" && name == table+"."+column || strings.HasPrefix(table, name+"/")
	})
}

// withTable returns the flag that allows a table to fail, as on the command line.
func (e exception) withTable(table string) string {
	if e == allowFirst {
		return "--first"
	}
	list, _, _ := strings.Cut(table, "/")
	return "--allow " + string(e) + "=" + list
}
