package check

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/rowdiff"
	"bencao/names/han"
	"bencao/names/pinyin"
	"bencao/store"
)

// The checks compare derived data with those of the previous build, as they compare the tables of
// the sources. Each kind of derived data is a table. It has a row for each species, formula or
// herb, and a column for each fact that can be lost.
const (
	matchesTable = "matches" // how species match the checklists
	linksTable   = "links"   // the links of formulas
	herbsTable   = "herbs"   // the links of herbs
)

// NonTables lists the names, besides tables and checklists, that the operator may allow to fail a
// check.
var NonTables = []string{Package, matchesTable, linksTable, herbsTable}

// fact is a column of derived data. The cell of a record without the fact is "".
type fact[R any] struct {
	name string
	of   func(b *judged, r *R) string
	// rule is the check of the records that lose the fact, or "" if another fact is lost with it. For facts that follow from a table of
	// links, the losses of several builds are not added up, because removing links has its own check.
	rule string
	// from reports whether the fact also depends on the given table, besides the record's own
	// table.
	from func(table string) bool
	// problem is the rest of a message that starts like "12 species". hint says how to remedy the
	// problem.
	problem, hint string
}

// isChecklist reports whether a table belongs to a checklist.
func isChecklist(table string) bool { return strings.HasPrefix(table, Checklist("")) }

// noTable is used as the function fact.from of facts that depend on the record alone.
func noTable(string) bool { return false }

// linksRecords reports whether links between records are derived from a table.
func linksRecords(table string) bool {
	return slices.Contains([]string{"species", "formulas", "formula_ingredients", "herb_species", "species_formulas", "papers", "species_papers", "uses"}, table)
}

// acceptedFamily is the fact that [judged.compareFamilies] compares.
const acceptedFamily = "accepted_family"

const (
	hintChecklists = "check whether a checklist or the names are damaged"
	hintSpecies    = "check whether the values of a column of species moved to the wrong rows"
	hintTables     = "check the tables that link them"
)

// matchFacts are facts about a species' match in the checklists.
var matchFacts = []fact[store.Species]{
	{"accepted_name", func(_ *judged, s *store.Species) string { return matchField(s, acceptedName) }, "unmatched", isChecklist, "no longer have an accepted name", hintChecklists},
	{acceptedFamily, func(_ *judged, s *store.Species) string { return matchField(s, family) }, "", isChecklist, "", hintChecklists},
	{"wcvp_id", func(_ *judged, s *store.Species) string { return matchField(s, wcvpID) }, "unmatched", isChecklist, "no longer have an identifier of WCVP", hintChecklists},
	{"ipni_id", func(_ *judged, s *store.Species) string { return matchField(s, ipniID) }, "unmatched", isChecklist, "no longer have an identifier of IPNI", hintChecklists},
	{"wfo_id", func(_ *judged, s *store.Species) string { return matchField(s, wfoID) }, "unmatched", isChecklist, "no longer have an identifier of World Flora Online", hintChecklists},
	{"chinese_name", func(_ *judged, s *store.Species) string { return agreement(chineseAgrees(s)) }, "lost", isChecklist,
		"have a Chinese name that the checklist no longer confirms", hintSpecies + ", or of the checklist"},
	{"family", func(_ *judged, s *store.Species) string { return agreement(familyAgrees(s)) }, "lost", isChecklist,
		"have another family than their accepted name", hintSpecies + ", or of the checklist"},
	{"genus", func(_ *judged, s *store.Species) string { return agreement(genusAgrees(s)) }, "lost", noTable,
		"have another genus than their name", hintSpecies},
	{"pinyin", func(b *judged, s *store.Species) string { return agreement(b.pinyinAgrees(s)) }, "lost", noTable,
		"have a pinyin that does not fit their name", hintSpecies},
	{"formulas", func(_ *judged, s *store.Species) string { return yes(len(s.Formulas) > 0) }, "unlinked", linksRecords, "no longer link to a formula", hintTables},
	{"papers", func(_ *judged, s *store.Species) string { return yes(len(s.Papers) > 0) }, "unlinked", linksRecords, "no longer link to a paper", hintTables},
	{"uses", func(_ *judged, s *store.Species) string { return yes(len(s.Uses) > 0) }, "unlinked", linksRecords, "no longer have a use", hintTables},
}

// linkFacts are facts about a formula's links.
var linkFacts = []fact[store.Formula]{
	{"ingredients", func(_ *judged, f *store.Formula) string { return yes(len(f.Ingredients) > 0) }, "unlinked", linksRecords, "no longer have an ingredient", hintTables},
	{"species", func(_ *judged, f *store.Formula) string { return yes(len(f.Species) > 0) }, "unlinked", linksRecords, "no longer link to a species", hintTables},
}

// herbFacts are facts about the herbs of formulas. The key of a row is the herb's plain name.
var herbFacts = []fact[bool]{
	{"species", func(_ *judged, leads *bool) string { return yes(*leads) }, "unlinked", linksRecords, "no longer resolve to a species", "check herb_species"},
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func acceptedName(m *store.NameMatchInfo) string { return string(m.AcceptedName) }
func family(m *store.NameMatchInfo) string       { return string(m.AcceptedFamily) }
func wcvpID(m *store.NameMatchInfo) string       { return string(m.WCVPID) }
func ipniID(m *store.NameMatchInfo) string       { return string(m.IPNIID) }
func wfoID(m *store.NameMatchInfo) string        { return string(m.WFOID) }

func matchField(s *store.Species, of func(*store.NameMatchInfo) string) string {
	if s.NameMatch == nil {
		return ""
	}
	return of(s.NameMatch)
}

// The functions below whose name ends in Agrees compare two values of a species. They return 1 if
// the values agree, -1 if they disagree, and 0 if a value is missing.

// agreement converts the result of a function whose name ends in Agrees to the cell of a fact. It
// returns "" only if the two values disagree; the fact then counts as lost. A missing value does
// not make the cell "", since another check reports cells that become empty.
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

// chineseAgrees compares two values: the Chinese name in the package, and the Chinese name that a
// checklist gives for the species.
func chineseAgrees(s *store.Species) int {
	theirs := matchField(s, func(m *store.NameMatchInfo) string { return string(m.ChineseNameColChina) })
	if theirs == "" || s.ChineseName == "" {
		return 0
	}
	if theirs == string(s.ChineseName) {
		return 1
	}
	for _, a := range s.Aliases {
		if a.Name == theirs {
			return 1
		}
	}
	return -1
}

// familyAgrees compares two values: the family in the package, and the family of the accepted name.
func familyAgrees(s *store.Species) int {
	theirs := matchField(s, func(m *store.NameMatchInfo) string { return string(m.AcceptedFamily) })
	if theirs == "" || s.Family == "" {
		return 0
	}
	return agree(strings.EqualFold(theirs, string(s.Family)))
}

// genusAgrees compares two values: the genus in the package, and the first word of the scientific
// name.
func genusAgrees(s *store.Species) int {
	first, _, _ := strings.Cut(strings.TrimLeft(string(s.ScientificName), "×+ "), " ")
	if s.Genus == "" || first == "" {
		return 0
	}
	return agree(strings.EqualFold(first, strings.TrimLeft(string(s.Genus), "×+ ")))
}

// pinyinAgrees compares two values in the package: the pinyin and the Chinese name. If the package
// gives no pinyin, it returns 0.
func (b *judged) pinyinAgrees(s *store.Species) int {
	if !b.GivenPinyin[s.EntryID] {
		return 0
	}
	return agree(pinyinFits(string(s.ChineseName), string(s.ChineseNamePinyin)))
}

// pinyinFits reports whether a pinyin has a syllable for each Chinese character, and at least two
// thirds of the syllables are known readings. Not all syllables must be known, because the
// dictionaries do not have all readings.
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

// Derived is the data that a build derives from its sources.
type Derived struct {
	*store.Data
	Package *datapackage.Package
	// Resolves reports whether a plain name resolves to a species, in any year.
	Resolves func(plain string) bool
	// GivenPinyin holds the entry ids of the species whose pinyin the package gives.
	GivenPinyin map[int32]bool
}

// judged combines a build's derived data with its checks.
type judged struct {
	*Checker
	Derived
}

// Matches judges the species' matches. Without a previous snapshot, Matches also judges whether the
// data are plausible.
func (c *Checker) Matches(ctx context.Context, of Derived) error {
	b := &judged{c, of}
	species := b.Species
	err := compareFacts(ctx, b, matchesTable, matchFacts, "species", func(yield func(string, *store.Species) bool) {
		for i := range species {
			if !yield(strconv.Itoa(int(species[i].EntryID)), &species[i]) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	b.checkPlausible()
	return b.ledger.err()
}

// Links judges the links of formulas and of their herbs.
func (c *Checker) Links(ctx context.Context, of Derived) error {
	b := &judged{c, of}
	formulas := b.Formulas
	err := compareFacts(ctx, b, linksTable, linkFacts, "formulas", func(yield func(string, *store.Formula) bool) {
		for i := range formulas {
			if !yield(strconv.Itoa(int(formulas[i].EntryID)), &formulas[i]) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	leads := map[string]bool{}
	for i := range formulas {
		for _, in := range formulas[i].Ingredients {
			for _, herb := range in.Plain {
				leads[herb] = leads[herb] || len(in.Plain) == 1 && len(in.Species) > 0 || b.Resolves(herb)
			}
		}
	}
	err = compareFacts(ctx, b, herbsTable, herbFacts, "herbs", func(yield func(string, *bool) bool) {
		for _, herb := range slices.Sorted(maps.Keys(leads)) {
			does := leads[herb]
			if !yield(herb, &does) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return b.ledger.err()
}

// compareFacts compares the facts of all records with those of the previous build. The parameter
// "of" is the name of the records' table, such as species. If the operator allows changes of that
// table, compareFacts skips its changed records, since the facts about them may change too.
func compareFacts[R any](ctx context.Context, b *judged, table string, facts []fact[R], of string, records iter.Seq2[string, *R]) error {
	columns := []string{"key"}
	for _, f := range facts {
		columns = append(columns, f.name)
	}
	made := datapackage.Computed{TableSchema: datapackage.TableSchema{Name: table}}
	for _, name := range columns {
		made.Columns = append(made.Columns, datapackage.ColumnSchema{Name: name})
	}
	for key, r := range records {
		cells := []string{key}
		for _, f := range facts {
			cells = append(cells, f.of(b, r))
		}
		made.Rows = append(made.Rows, cells)
	}
	b.Checker.derived = append(b.Checker.derived, made)
	var was *rowdiff.Table
	err := b.openPackage(func(old *archive.Archive) (err error) {
		if old != nil {
			was, err = readTable(ctx, old, table)
		}
		return err
	})
	if was == nil || err != nil {
		return err
	}
	now, err := rowdiff.New(columns, func(yield func([]string) bool) {
		for _, cells := range made.Rows {
			if !b.touched[of][cells[0]] && !yield(cells) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if table == matchesTable {
		b.compareFamilies(was, now)
	}
	l := b.ledger
	diff := rowdiff.Compare(was, now, rowdiff.Spec{Key: []string{"key"}, Earlier: b.earlier(table)})
	b.remember(table, diff.Columns)
	for _, c := range diff.Columns {
		i := slices.IndexFunc(facts, func(f fact[R]) bool { return f.name == c.Name })
		if i < 0 {
			continue
		}
		f := facts[i]
		if f.rule == "" {
			continue
		}
		n := count{column: f.name, bad: c.Emptied - c.FilledIn, all: c.Filled, hint: f.hint, follows: l.follows(f.from), message: fmt.Sprintf("%d %s %s", c.Emptied, of, f.problem)}
		l.judge(f.rule, place{table: table}, n)
		n.bad, n.back, n.message = c.Changed-c.Emptied, c.Back, fmt.Sprintf("%d %s have another %s than in the previous snapshot", c.Changed-c.Emptied, of, f.name)
		l.judge("derived", place{table: table}, n)
	}
	return nil
}

// maxFamiliesNamed is the maximum number of species that the message about families names. The
// findings name all.
const maxFamiliesNamed = 10

// compareFamilies judges the species whose accepted name is in another family than in the previous
// build. Taxonomists move a species to another family a few times a year.
func (b *judged) compareFamilies(was, now *rowdiff.Table) {
	cells := func(t *rowdiff.Table) map[string][2]string {
		key, name, family := t.Index("key"), t.Index("accepted_name"), t.Index(acceptedFamily)
		out := map[string][2]string{}
		for row := range t.Rows() {
			if f := t.Cell(row, family); f != "" {
				out[t.Cell(row, key)] = [2]string{t.Cell(row, name), f}
			}
		}
		return out
	}
	before, all := cells(was), cells(now)
	n := count{column: acceptedFamily, all: len(before), follows: b.ledger.follows(isChecklist)}
	var named []string
	for i := range b.Species {
		s := &b.Species[i]
		key := strconv.Itoa(int(s.EntryID))
		from, to := before[key], all[key]
		if from[1] == "" || to[1] == "" || strings.EqualFold(from[1], to[1]) {
			continue
		}
		n.bad++
		move := fmt.Sprintf("%s (species %s): %s (%s) → %s (%s)", s.ScientificName, key, from[0], from[1], to[0], to[1])
		named = append(named, move)
		b.log.Add(finding.Finding{Severity: finding.Warn, Code: finding.Family, Table: "species", Column: "scientific_name", Value: string(s.ScientificName),
			Message: "the accepted name is in another family than in the previous snapshot: " + move, Hint: "is the checklist right?"})
	}
	n.message = fmt.Sprintf("the accepted names of %d species are in another family than in the previous snapshot: %s", n.bad, strings.Join(named[:min(len(named), maxFamiliesNamed)], "; "))
	if more := n.bad - maxFamiliesNamed; more > 0 {
		n.message += fmt.Sprintf("; and %d more, which the findings list", more)
	}
	b.ledger.judge("families", place{table: matchesTable}, n)
}

// Tables returns the tables that the checks add to the package, so that the next build can be
// compared with them. All exist after [Checker.Links] and [Checker.Matches].
func (c *Checker) Tables() []datapackage.Computed { return c.derived }
