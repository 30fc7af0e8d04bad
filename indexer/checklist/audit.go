package checklist

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"bencao/indexer/finding"
	"bencao/internal/invisible"
	"bencao/names"
)

// Audit checks the rows of one list as they are read. It keeps about 50 bytes for each row, so a
// list of two million names takes about 100 MiB.
type Audit struct {
	list string // the list's name in findings
	log  *finding.Log

	seed       maphash.Seed
	rows       map[uint64]int // hash of a row's id → the row's index in links
	links      []link
	unresolved []unresolved // accepted ids that have not been read yet
}

// link refers from a row to the row of its accepted name.
type link struct {
	to   uint64 // hash of the accepted id; 0 if the row has no accepted id or if that is the row's own id
	line int32
}

// unresolved is a reference to an accepted id. When the referring row was read, no row with that id
// had been read yet.
type unresolved struct {
	id   string
	file string
	row  int
}

// NewAudit returns an audit of a list.
func NewAudit(list string, log *finding.Log) *Audit {
	return &Audit{list: list, log: log, seed: maphash.MakeSeed(), rows: map[uint64]int{}}
}

// Keep checks a row and reports whether to keep it.
func (a *Audit) Keep(u *names.Usage, file string, line int) bool {
	reject := func(code finding.Code, column, value, message, hint string) bool {
		a.log.Add(finding.Finding{Severity: finding.Reject, Code: code, Table: a.list, File: file, Line: line,
			Column: column, Value: value, Message: message, Hint: hint})
		return false
	}
	switch {
	case u.Name == "":
		return reject(finding.Constraint, "name", u.ID, "a row without a name", "every row needs one")
	case u.ID == "":
		return reject(finding.Constraint, "id", u.Name, "a name without an id", "every row needs one")
	}
	if err := names.CheckName(u.Name); err != nil {
		return reject(finding.Name, "name", u.Name, err.Error(), "correct the name, or leave the row out")
	}
	for _, cell := range [][2]string{{"name", u.Name}, {"author", u.Author}, {"family", u.Family}, {"chinese name", u.ChineseName}} {
		if r, at, found := invisible.Find(cell[1]); found {
			a.Warn(finding.Glyph, file, line, cell[0], cell[1], fmt.Sprintf("character %d is %s, which is invisible", at, invisible.Name(r)),
				"take it out of the list; it stays in the data, and pages and files for people leave it out")
		}
	}
	h := a.hash(u.ID)
	if first, twice := a.rows[h]; twice {
		return reject(finding.PrimaryKey, "id", u.ID, fmt.Sprintf("occurs already on line %d", a.links[first].line), "the first row stays")
	}
	l := link{line: int32(line)}
	if u.AcceptedID != "" && u.AcceptedID != u.ID {
		l.to = a.hash(u.AcceptedID)
		if _, ok := a.rows[l.to]; !ok {
			a.unresolved = append(a.unresolved, unresolved{strings.Clone(u.AcceptedID), file, len(a.links)})
		}
	}
	a.rows[h] = len(a.links)
	a.links = append(a.links, l)
	return true
}

// hash returns a hash of id that is not 0; 0 means that there is no id.
func (a *Audit) hash(id string) uint64 { return max(1, maphash.String(a.seed, id)) }

// End reports problems that show only after all rows have been read.
func (a *Audit) End() {
	for _, w := range a.unresolved {
		if _, ok := a.rows[a.links[w.row].to]; ok {
			continue
		}
		a.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Dangling, Table: a.list, File: w.file,
			Line: int(a.links[w.row].line), Column: "accepted id", Value: w.id,
			Message: "the accepted name is not in the list", Hint: "the name stays without an accepted one"})
		a.links[w.row].to = 0
	}
	for _, row := range a.cycles() {
		// The first row of a cycle refers to a later row, so unresolved contains it.
		i, _ := slices.BinarySearchFunc(a.unresolved, row, func(w unresolved, row int) int { return cmp.Compare(w.row, row) })
		a.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Cycle, Table: a.list, File: a.unresolved[i].file,
			Line: int(a.links[row].line), Column: "accepted id", Value: a.unresolved[i].id,
			Message: "this synonym refers back to itself", Hint: "the names of the cycle stay without an accepted one"})
	}
	a.rows, a.links, a.unresolved = nil, nil, nil
}

// cycles returns one row of each cycle of synonyms: the first one in the file.
func (a *Audit) cycles() []int {
	walk := make([]int32, len(a.links)) // by row: the number, from 1, of the walk that visited it; 0 if none has
	var out []int
	for start := range a.links {
		row, ok := start, true
		for ok && walk[row] == 0 {
			walk[row] = int32(start + 1)
			if a.links[row].to == 0 {
				ok = false
				break
			}
			row, ok = a.rows[a.links[row].to]
		}
		if !ok || walk[row] != int32(start+1) {
			continue // the walk ended without a cycle, or reached a row of an earlier walk
		}
		first := row
		for at := a.rows[a.links[row].to]; at != row; at = a.rows[a.links[at].to] {
			first = min(first, at)
		}
		out = append(out, first)
	}
	slices.Sort(out)
	return out
}
