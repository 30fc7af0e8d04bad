// Package ranks lists the words for taxonomic ranks: the mark of a rank in a canonical name, the
// full word in a record, and other forms. The parser, search and checklists share this list. The
// package does not parse names. To add a word, add it to table.
package ranks

import "strings"

// rank is a rank with its words, in lower case and without a full stop.
type rank struct {
	// mark is the word for the rank in a canonical name. It is "" if canonical names do not mark
	// the rank.
	mark string
	// full is the word for the rank in a record. It is "" if records have no fixed word for the
	// rank.
	full string
	// usual lists the words for the rank that are common in names. rare lists the other words,
	// including misspellings.
	usual, rare string
}

// table lists all ranks. To add a word, add it to its rank.
var table = [...]rank{
	{"subsp.", "subspecies", "subsp ssp", "subspecies"},
	{"var.", "variety", "var", "variety varietas v"},
	{"f.", "form", "f fo forma", "form fm fma"},
	{"subvar.", "subvariety", "subvar", "subvariety subvarietas"},
	{"subf.", "subform", "subf", "subform subforma"},
	{"nothosubsp.", "nothosubspecies", "nothosubsp", "nothosubspecies nothossp nsubsp"},
	{"nothovar.", "nothovariety", "nothovar", "nothovarietas nvar"},
	{"nothof.", "nothoform", "", "nothof nothoforma"},
	{"convar.", "convariety", "convar", ""},
	{"prol.", "", "", "prol proles"},
	{"lusus", "", "", "lusus lus"},
	{"monstr.", "", "", "monstr"},
	{"ab.", "", "", "ab"},
	{"race", "", "", "race"},
	{"stirps", "", "", "stirps st"},
	{"morpha", "", "", "morpha morph"},
	{"grex", "", "", "gr"},

	{"", "species", "", "sp spec"},
	{"", "nothospecies", "", "nothosp"},
	{"", "cultivar", "", "cv"},
	{"", "series", "", "ser"},
	{"", "section", "", "sect"},
	{"", "subgenus", "", "subg"},
	{"", "genus", "", "gen"},
	{"", "family", "", "fam"},
}

// words maps every usual and rare word to its rank. usual has only the usual words, and full only
// the full words.
var words, usual, full = func() (words, usual, full map[string]*rank) {
	words, usual, full = map[string]*rank{}, map[string]*rank{}, map[string]*rank{}
	for i := range table {
		r := &table[i]
		for w := range strings.FieldsSeq(r.usual) {
			words[w], usual[w] = r, r
		}
		for w := range strings.FieldsSeq(r.rare) {
			words[w] = r
		}
		if r.full != "" {
			full[r.full] = r
		}
	}
	return words, usual, full
}()

// Mark returns the mark of the rank that a word means: subsp. for ssp. The word may end in a full
// stop. ok is false if the word does not mark a rank in canonical names.
func Mark(word string) (mark string, ok bool) {
	if r := words[strings.TrimSuffix(word, ".")]; r != nil {
		mark = r.mark
	}
	return mark, mark != ""
}

// Usual reports whether a word, given without full stop, is a usual word for a rank. Such a word is
// never part of a name itself.
func Usual(word string) bool { return usual[word] != nil }

// Full returns the full word for the rank that a word means: subspecies for ssp. The word may end
// in a full stop. ok is false if the word is unknown, or if the rank has no full word.
func Full(word string) (rank string, ok bool) {
	if r := words[strings.TrimSuffix(word, ".")]; r != nil {
		rank = r.full
	}
	return rank, rank != ""
}

// MarkOf takes the full word for a rank, such as subspecies, and returns the mark of that rank in
// canonical names, such as subsp. It returns "" if canonical names do not mark the rank.
func MarkOf(rank string) string {
	if r := full[rank]; r != nil {
		return r.mark
	}
	return ""
}
