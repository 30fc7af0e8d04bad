package check

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/names/han"
	"bencao/names/pinyin"
	"bencao/store"
)

// What is made of the sources is compared with last night like a table of
// theirs: a row for each species or formula, a column for each thing that can
// be lost.
const (
	matchesTable = "matches" // how species meet the checklists
	linksTable   = "links"   // where formulas lead
	herbsTable   = "herbs"   // where herbs lead
)

// NonTables are the names beside tables and checklists for which a gate may be
// lifted.
var NonTables = []string{Package, matchesTable, linksTable, herbsTable}

// derived tells that a table is none of the sources'.
func isDerived(table string) bool {
	return table == matchesTable || table == linksTable || table == herbsTable
}

// fact is a column of what is made of a record: "" is none.
type fact[R any] struct {
	name string
	of   func(b *judged, r *R) string
	// limit is how large a share of records may lose it in a night.
	limit func(Limits) float64
	// lasting facts add up what was lost in the nights before. Those that follow
	// from a table of links do not: who takes links out has a gate for them.
	lasting bool
	// from says of which tables it is made, apart from the records themselves.
	from func(table string) bool
	// says is what is wrong when more do, and mend what to do.
	problem, hint string
}

// listed are the checklists.
func isChecklist(table string) bool { return strings.HasPrefix(table, Checklist("")) }

// itself is no table but the record.
func noTable(string) bool { return false }

// linking are the tables that lead from one record to another.
func linksRecords(table string) bool {
	return slices.Contains([]string{"species", "formulas", "formula_ingredients", "herb_species", "species_formulas", "papers", "species_papers", "uses"}, table)
}

func maxUnmatched(g Limits) float64 { return g.MaxUnmatched }

// mended is the limit of what also a curator's work changes, such as whether a
// checklist confirms a family: as much as may change in a column.
func maxChanged(g Limits) float64 { return g.MaxChanged }

const (
	hintChecklists = "look whether a checklist is damaged, or the names"
	hintSpecies    = "look whether a column of species stands beside the wrong rows"
	hintTables     = "look at the tables that link them"
)

// matchFacts are what the checklists say of species, and what agrees.
var matchFacts = []fact[store.Species]{
	{"accepted_name", func(_ *judged, s *store.Species) string { return matchField(s, acceptedName) }, maxUnmatched, true, isChecklist, "have no accepted name any more", hintChecklists},
	{"wcvp_id", func(_ *judged, s *store.Species) string { return matchField(s, wcvpID) }, maxUnmatched, true, isChecklist, "have no identifier of WCVP any more", hintChecklists},
	{"ipni_id", func(_ *judged, s *store.Species) string { return matchField(s, ipniID) }, maxUnmatched, true, isChecklist, "have no identifier of IPNI any more", hintChecklists},
	{"wfo_id", func(_ *judged, s *store.Species) string { return matchField(s, wfoID) }, maxUnmatched, true, isChecklist, "have no identifier of World Flora Online any more", hintChecklists},
	{"chinese_name", func(_ *judged, s *store.Species) string { return agreement(chineseAgrees(s)) }, maxChanged, true, isChecklist,
		"have a Chinese name that the checklist which had it confirms no more", hintSpecies + ", or of the checklist"},
	{"family", func(_ *judged, s *store.Species) string { return agreement(familyAgrees(s)) }, maxChanged, true, isChecklist,
		"are of another family than their accepted name", hintSpecies + ", or of the checklist"},
	{"genus", func(_ *judged, s *store.Species) string { return agreement(genusAgrees(s)) }, maxChanged, true, noTable,
		"are of another genus than their name says", hintSpecies},
	{"pinyin", func(b *judged, s *store.Species) string { return agreement(b.pinyinAgrees(s)) }, maxChanged, true, noTable,
		"have a pinyin that does not read their name", hintSpecies},
	{"formulas", func(_ *judged, s *store.Species) string { return yes(len(s.Formulas) > 0) }, maxChanged, false, linksRecords, "lead to no formula any more", hintTables},
	{"papers", func(_ *judged, s *store.Species) string { return yes(len(s.Papers) > 0) }, maxChanged, false, linksRecords, "lead to no paper any more", hintTables},
	{"uses", func(_ *judged, s *store.Species) string { return yes(len(s.Uses) > 0) }, maxChanged, false, linksRecords, "have no use any more", hintTables},
}

// linkFacts are where formulas lead.
var linkFacts = []fact[store.Formula]{
	{"ingredients", func(_ *judged, f *store.Formula) string { return yes(len(f.Ingredients) > 0) }, maxChanged, false, linksRecords, "have no ingredient any more", hintTables},
	{"species", func(_ *judged, f *store.Formula) string { return yes(len(f.Species) > 0) }, maxChanged, false, linksRecords, "lead to no species any more", hintTables},
}

// herbFacts are where the herbs of formulas lead, by their plain name.
var herbFacts = []fact[bool]{
	{"species", func(_ *judged, leads *bool) string { return yes(*leads) }, maxChanged, false, linksRecords, "lead to no species any more", "look at herb_species"},
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func acceptedName(m *store.NameMatchInfo) string { return string(m.AcceptedName) }
func wcvpID(m *store.NameMatchInfo) string       { return string(m.WCVPID) }
func ipniID(m *store.NameMatchInfo) string       { return string(m.IPNIID) }
func wfoID(m *store.NameMatchInfo) string        { return string(m.WFOID) }

func matchField(s *store.Species, of func(*store.NameMatchInfo) string) string {
	if s.Match == nil {
		return ""
	}
	return of(s.Match)
}

// What follows says whether two things agree: 1, or -1 when they do not, or 0
// when there is nothing to compare.

// agreement is a fact that is lost when two things disagree, and not when one of
// them is empty: for that the table's own columns have their gates.
func agreement(of int) string {
	switch of {
	case 1:
		return "yes"
	case -1:
		return ""
	}
	return "nothing to compare"
}

func agree(does bool) int {
	if does {
		return 1
	}
	return -1
}

// chineseAgrees compares the Chinese names with the checklist's.
func chineseAgrees(s *store.Species) int {
	theirs := matchField(s, func(m *store.NameMatchInfo) string { return string(m.ChineseNameColChina) })
	if theirs == "" || s.ChineseName == "" {
		return 0
	}
	if theirs == s.ChineseName {
		return 1
	}
	for _, a := range s.Aliases {
		if a.Name == theirs {
			return 1
		}
	}
	return -1
}

// familyAgrees compares the family with that of the accepted name.
func familyAgrees(s *store.Species) int {
	theirs := matchField(s, func(m *store.NameMatchInfo) string { return string(m.AcceptedFamily) })
	if theirs == "" || s.Family == "" {
		return 0
	}
	return agree(strings.EqualFold(theirs, s.Family))
}

// genusAgrees compares the genus with the first word of the name.
func genusAgrees(s *store.Species) int {
	first, _, _ := strings.Cut(strings.TrimLeft(s.ScientificName, "×+ "), " ")
	if s.Genus == "" || first == "" {
		return 0
	}
	return agree(strings.EqualFold(first, strings.TrimLeft(s.Genus, "×+ ")))
}

// readsItself compares the pinyin that the package gives with the name.
func (b *judged) pinyinAgrees(s *store.Species) int {
	if !b.GivenPinyin[s.EntryID] {
		return 0
	}
	return agree(pinyinFits(s.ChineseName, s.ChineseNamePinyin))
}

// reads says whether a pinyin has a syllable for each character, and one that
// it may have, in two of three: dictionaries don't know all readings.
func pinyinFits(name, reading string) bool {
	var chars []rune
	for _, r := range name {
		if han.Is(r) {
			chars = append(chars, r)
		}
	}
	syllables := strings.FieldsFunc(reading, func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '\'' || r == '’' })
	if len(syllables) != len(chars) {
		syllables = pinyin.Segment(strings.Join(syllables, ""))
	}
	if len(syllables) != len(chars) {
		return false
	}
	right := 0
	for i, r := range chars {
		for _, known := range pinyin.Readings(r) {
			if pinyin.Letters(known) == pinyin.Letters(syllables[i]) {
				right++
				break
			}
		}
	}
	return 3*right >= 2*len(chars)
}

// Derived is what a night makes of its sources.
type Derived struct {
	*store.Data
	// Leads says whether a plain name leads to a species by itself.
	Resolves func(plain string) bool
	// Aloud are the species whose pinyin the package gives, by entry id.
	GivenPinyin map[int32]bool
}

// made is what is judged, and by which night.
type judged struct {
	*Checker
	Derived
}

// Matches judges what became of the species' matches, and whether the night
// makes sense.
func (c *Checker) Matches(of Derived) error {
	b := &judged{c, of}
	species := b.Species
	compareFacts(b, matchesTable, matchFacts, "species", func(yield func(string, *store.Species) bool) {
		for i := range species {
			if !yield(strconv.Itoa(int(species[i].EntryID)), &species[i]) {
				return
			}
		}
	})
	b.checkPlausible()
	return b.ledger.err()
}

// Links judges where the formulas and their herbs lead.
func (c *Checker) Links(of Derived) error {
	b := &judged{c, of}
	formulas := b.Formulas
	compareFacts(b, linksTable, linkFacts, "formulas", func(yield func(string, *store.Formula) bool) {
		for i := range formulas {
			if !yield(strconv.Itoa(int(formulas[i].EntryID)), &formulas[i]) {
				return
			}
		}
	})
	leads := map[string]bool{}
	for i := range formulas {
		for _, in := range formulas[i].Ingredients {
			for _, herb := range in.Plain {
				leads[herb] = leads[herb] || len(in.Plain) == 1 && len(in.Species) > 0 || b.Resolves(herb)
			}
		}
	}
	compareFacts(b, herbsTable, herbFacts, "herbs", func(yield func(string, *bool) bool) {
		for _, herb := range slices.Sorted(maps.Keys(leads)) {
			does := leads[herb]
			if !yield(herb, &does) {
				return
			}
		}
	})
	return b.ledger.err()
}

// compareFacts compares the facts of all records with last night's. Records
// that changed with the operator's leave are left out: what follows from the
// change is allowed with it.
func compareFacts[R any](b *judged, table string, facts []fact[R], of string, records iter.Seq2[string, *R]) {
	columns := make([]string, len(facts))
	for i, f := range facts {
		columns[i] = f.name
	}
	now := profile.Of("key", columns, func(yield func(string, []string) bool) {
		cells := make([]string, len(facts))
		for key, r := range records {
			for i, f := range facts {
				cells[i] = f.of(b, r)
			}
			if !yield(key, cells) {
				return
			}
		}
	})
	b.profiles[table] = now
	was, known := b.past.Profiles[table]
	if !known {
		return
	}
	skip := b.touched[of]
	if !allowChanges.allows(&b.limits, of, "") {
		skip = nil
	}
	d, ok := profile.Compare(was, now, skip)
	if !ok {
		return
	}
	l := b.ledger
	for i, c := range factColumns(d, facts) {
		f := facts[i]
		l.judge(verdict{
			measure: "lost", table: table, column: f.name, bad: c.Emptied - c.FilledIn, all: c.Filled, limit: f.limit(l.limits), small: 4, drift: f.lasting,
			flag: allowEmpty, code: finding.Emptied, scale: d.Scale, hint: f.hint, follows: l.follows(f.from),
			message: plural(c.Emptied*d.Scale, of) + " " + f.problem,
		})
		l.judge(verdict{
			measure: "values", table: table, column: f.name, bad: c.Changed - c.Emptied, all: c.Filled, limit: l.limits.MaxChanged, small: 6,
			flag: allowChanges, code: finding.Changes, scale: d.Scale, hint: f.hint, follows: l.follows(f.from),
			message: plural((c.Changed-c.Emptied)*d.Scale, of) + " have another " + f.name + " than in the snapshot before",
		})
	}
}

func plural(n int, of string) string { return strconv.Itoa(n) + " " + of }

// factColumns are a difference's columns by the facts' places.
func factColumns[R any](d profile.Difference, facts []fact[R]) map[int]profile.ColumnDifference {
	out := map[int]profile.ColumnDifference{}
	for i, f := range facts {
		for _, c := range d.Columns {
			if c.Name == f.name {
				out[i] = c
			}
		}
	}
	return out
}
