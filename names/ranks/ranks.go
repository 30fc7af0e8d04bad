// Package ranks is the list of the words for ranks: how a scientific name
// marks a rank, how a record has it in full, and what else people write for
// it. Parser, search and checklists all read this list.
package ranks

import "strings"

// rank is a rank with its words, in small letters and without a full stop.
type rank struct {
	// mark is the word as a canonical name has it. It is "" if names of this
	// rank have none.
	mark string
	// full is the rank as a record has it. It is "" if records say it as they
	// like.
	full string
	// usual are the words that stand in names everywhere, rare the others,
	// misspelt ones among them.
	usual, rare string
}

// table lists all ranks. To have a word read, add it to its rank.
var table = [...]rank{
	{"subsp.", "subspecies", "subsp ssp", "subspec subspecies sbsp susbp subssp"},
	{"var.", "variety", "var", "variety varietas v vars varr"},
	{"f.", "form", "f fo forma", "form fm fma"},
	{"subvar.", "subvariety", "subvar", "subvariety subvarietas sv sbv"},
	{"subf.", "subform", "subf", "subform subforma sf"},
	{"nothosubsp.", "nothosubspecies", "nothosubsp", "nothosubspecies nothossp notosubsp nssp nsubsp"},
	{"nothovar.", "nothovariety", "nothovar", "nothovarietas nvar"},
	{"nothof.", "nothoform", "", "nothof nothoforma"},
	{"convar.", "convariety", "convar", ""},
	{"prol.", "", "", "prol proles"},
	{"lusus", "", "", "lusus lus"},
	{"monstr.", "", "", "monstr"},
	{"mut.", "", "", "mut"},
	{"ab.", "", "", "ab"},
	{"race", "", "", "race"},
	{"agamosp.", "", "", "agamosp"},
	{"agamovar.", "", "", "agamovar"},
	{"stirps", "", "", "stirps st"},
	{"natio", "", "", "natio nat"},
	{"morpha", "", "", "morpha morph"},
	{"nothomorph.", "", "", "nothomorph nothom nm"},
	{"ecas.", "", "", "ecas"},
	{"grex", "", "", "gr"},
	{"subsubvar.", "", "", "subsubvar"},
	{"subsubf.", "", "", "subsubf"},
	{"microgene", "", "", "microgene"},
	{"modif.", "", "", "modif"},

	{"", "species", "", "sp spec"},
	{"", "nothospecies", "", "nothosp"},
	{"", "cultivar", "", "cv"},
	{"", "series", "", "ser"},
	{"", "section", "", "sect"},
	{"", "subgenus", "", "subg"},
	{"", "genus", "", "gen"},
	{"", "family", "", "fam"},
}

// words finds the rank of a word, usual the ranks of usual ones, full those of
// ranks in full.
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

// Mark returns how a canonical name writes the rank that a word, with or
// without its full stop, stands for: subsp. for ssp. It is not ok if the word
// marks no rank within names.
func Mark(word string) (mark string, ok bool) {
	if r := words[strings.TrimSuffix(word, ".")]; r != nil {
		mark = r.mark
	}
	return mark, mark != ""
}

// Usual tells whether a word, without full stop, marks a rank in names
// everywhere, so that nobody would take it for a part of them.
func Usual(word string) bool { return usual[word] != nil }

// Full returns in full the rank that a word, with or without its full stop,
// stands for: subspecies for ssp. It is not ok if that is not known.
func Full(word string) (rank string, ok bool) {
	if r := words[strings.TrimSuffix(word, ".")]; r != nil {
		rank = r.full
	}
	return rank, rank != ""
}

// MarkOf returns how a canonical name marks a rank in full: subsp. for
// subspecies. It is "" for a rank that names do not mark.
func MarkOf(rank string) string {
	if r := full[rank]; r != nil {
		return r.mark
	}
	return ""
}
