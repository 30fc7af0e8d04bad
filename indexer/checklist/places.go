package checklist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bencao/indexer/finding"
)

// Place is a row of a table of distribution: a place where the plant of a name grows.
type Place struct {
	// ID is the id of the name.
	ID string
	// Code is the code of the place, such as CHS, and Name its name in the list. One of the two may be
	// "".
	Code, Name string
	Introduced bool // otherwise native
	Status     Presence
}

// PlacesSuffix follows the name of a list in the name of its table of distribution.
const PlacesSuffix = "/distribution"

// Presence says whether the plant still grows in a place, and how sure that is.
type Presence uint8

// The kinds of presence.
const (
	Present Presence = iota
	Extinct
	Doubtful
)

// NoPlaces are the places of a list without a table of distribution.
func NoPlaces(func(Place, error) bool) {}

// The words of Darwin Core and ColDP for the presence and for how a plant came to a place. Other words,
// and an empty cell, mean present and native.
var (
	presences = map[string]Presence{
		"extinct": Extinct, "extinction": Extinct, "regionallyextinct": Extinct, "re": Extinct, "ex": Extinct,
		"doubtful": Doubtful, "uncertain": Doubtful, "questionable": Doubtful, "locationdoubtful": Doubtful,
	}
	absent  = map[string]bool{"absent": true, "excluded": true}
	foreign = map[string]bool{
		"introduced": true, "introducedassistedcolonisation": true, "alien": true, "domesticated": true, "naturalised": true, "naturalized": true,
		"invasive": true, "cultivated": true, "managed": true, "vagrant": true, "adventive": true, "ephemeral": true,
	}
)

// key returns a word of a vocabulary without its spaces, in lower case.
func key(word string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "", ":", "", "(", "", ")", "").Replace(word))
}

// IsTrue reports whether a cell says yes: T, TRUE, Y or 1.
func IsTrue(cell string) bool {
	switch strings.ToLower(cell) {
	case "t", "true", "y", "yes", "1":
		return true
	}
	return false
}

// Published returns the date of a publication without the brackets around it.
func Published(cell string) string {
	for _, pair := range []string{"()", "[]"} {
		if len(cell) > 2 && cell[0] == pair[0] && cell[len(cell)-1] == pair[1] && strings.Count(cell, pair[:1]) == 1 {
			return cell[1 : len(cell)-1]
		}
	}
	return cell
}

// Words sets how the plant came to a place and whether it still grows there, by the words of a list. It
// returns false if the list says that the plant is not there.
func (p *Place) Words(words ...string) (there bool) {
	for _, word := range words {
		k := key(word)
		if absent[k] {
			return false
		}
		p.Introduced = p.Introduced || foreign[k]
		p.Status = max(p.Status, presences[k])
	}
	return true
}

// ScanPlaces yields the rows of a table of distribution. open opens the table, which must have the
// columns needed. place makes a row from its cells, and returns false for a row that says that a plant
// does not grow in a place. An error ends the iteration: it is yielded last.
func ScanPlaces(ctx context.Context, list string, log *finding.Log, open func() (*Table, error), needed []string, place func(cell func(string) string) (Place, bool)) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		audit := &Audit{list: list + PlacesSuffix, log: log}
		t, err := open()
		if err == nil {
			defer t.Close()
			err = RequireColumns(t.File, t.Header, needed...)
		}
		if err != nil {
			yield(Place{}, audit.Fatal(err))
			return
		}
		var cells []string
		cell := func(column string) string { return t.Header.Cell(cells, column) }
		for n := 0; ; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				yield(Place{}, ctx.Err())
				return
			}
			if cells, err = t.Rows.Read(); errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Place{}, audit.Fatal(err))
				return
			}
			if blank(cells) {
				continue
			}
			p, there := place(cell)
			reject := func(message, hint string) {
				audit.Log(finding.Finding{Severity: finding.Reject, Code: finding.Constraint, File: t.File, Line: t.Rows.Line(0), Value: p.ID, Message: message, Hint: hint})
			}
			switch {
			case len(cells) > len(t.Header.Labels) && !blank(cells[len(t.Header.Labels):]):
				reject(fmt.Sprintf("%d cells instead of %d", len(cells), len(t.Header.Labels)), "look for a delimiter inside a cell")
			case p.ID == "" || p.Code == "" && p.Name == "":
				reject("a place without the id of its name, or without a code or name of its own", "every row needs both")
			case there:
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}
