package check

import (
	"fmt"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/indexer/profile"
	"bencao/store"
)

// plausibility is a property that data must have when there is no previous snapshot to compare
// with.
type plausibility struct {
	table, column string
	// of returns the number of records that have the property, and the number that could have it.
	of func(b *judged) (holds, all int)
	// least is the minimum share of the records that must have the property.
	least          float64
	property, hint string
}

// plausibilities are few, and good data exceed the minimum shares by far. In the sample and the
// full-size package, each share is above 0.9, except the share of species whose Chinese name agrees
// with the checklist's, which is 0.6 or more. A plant has several Chinese names, but a checklist
// gives only one.
var plausibilities = []plausibility{
	{matchesTable, "accepted_name", countAccepted, 0.5, "have an accepted name in a checklist", "check whether the checklists are complete and each name is in the row of its own id"},
	{matchesTable, "chinese_name", countAgreeing(chineseAgrees), 0.2, "have the Chinese name that a checklist gives for their name", hintSpecies},
	{matchesTable, "family", countAgreeing(familyAgrees), 0.5, "have the family of their accepted name", hintSpecies},
	{matchesTable, "genus", countAgreeing(genusAgrees), 0.5, "have the genus with which their name begins", hintSpecies},
	{matchesTable, "pinyin", func(b *judged) (int, int) { return countAgreeing(b.pinyinAgrees)(b) }, 0.5, "have a pinyin that fits their name", hintSpecies},
	{"species", "chinese_name", countCells("species", "chinese_name", inHan), 0.5, "hold Chinese characters", hintSpecies},
	{"species", "scientific_name", countCells("species", "scientific_name", inLatin), 0.5, "hold Latin letters", hintSpecies},
	{"species", "family", countCells("species", "family", inLatin), 0.5, "hold Latin letters", hintSpecies},
	{"formulas", "name", countCells("formulas", "name", inHan), 0.5, "hold Chinese characters", "check the columns of formulas"},
	{"formula_ingredients", "herb", countCells("formula_ingredients", "herb", inHan), 0.5, "hold Chinese characters", "check the columns of formula_ingredients"},
	{"herb_species", "herb", countCells("herb_species", "herb", inHan), 0.5, "hold Chinese characters", "check the columns of herb_species"},
}

func countAccepted(b *judged) (holds, all int) {
	if len(b.sources) < 2 {
		return 0, 0
	}
	for i := range b.Species {
		all++
		if matchField(&b.Species[i], acceptedName) != "" {
			holds++
		}
	}
	return holds, all
}

func countAgreeing(does func(*store.Species) int) func(*judged) (int, int) {
	return func(b *judged) (holds, all int) {
		for i := range b.Species {
			switch does(&b.Species[i]) {
			case 1:
				holds++
				all++
			case -1:
				all++
			}
		}
		return holds, all
	}
}

// minRecords is the minimum number of records for which a share is judged.
const minRecords = 20

func inHan(m profile.Marks) int   { return m.Han }
func inLatin(m profile.Marks) int { return m.Latin }

// countCells counts the filled cells of a column of the package, and those with certain characters.
func countCells(table, column string, of func(profile.Marks) int) func(*judged) (int, int) {
	return func(b *judged) (holds, all int) {
		var marks profile.Marks
		i := slices.IndexFunc(datapackage.Schema(), func(s datapackage.TableSchema) bool { return s.Name == table })
		at := slices.IndexFunc(datapackage.Schema()[i].Columns, func(c datapackage.ColumnSchema) bool { return c.Name == column })
		for cells := range b.Package.Rows(table) {
			if cells[at] != "" {
				all++
				marks.Add(cells[at], 1)
			}
		}
		return of(marks), all
	}
}

// checkPlausible judges the plausibility of tables that have no previous version.
func (b *judged) checkPlausible() {
	for _, s := range plausibilities {
		if b.before != nil && (s.table == matchesTable || b.before.Tables[s.table] > 0) {
			continue
		}
		holds, all := s.of(b)
		if all < minRecords {
			continue
		}
		if float64(holds) < s.least*float64(all) {
			b.ledger.judge("sense", place{table: s.table}, count{column: s.column, bad: all - holds, all: all, hint: s.hint,
				message: fmt.Sprintf("of %d, only %d %s, and there is no earlier snapshot to confirm that", all, holds, s.property)})
		}
	}
	for name, p := range b.profiles() {
		if b.past.Files[name] != nil || p.Rows > 0 || strings.Contains(name, "/") {
			continue
		}
		switch {
		case name == "species":
			b.ledger.judge("sense", place{table: name}, count{bad: 1, all: 1, message: "the table has no rows", hint: "export it again"})
		case strings.HasPrefix(name, Checklist("")):
			b.ledger.judge("sense", place{table: name}, count{bad: 1, all: 1, message: "the checklist has no rows", hint: "fetch it again, or take it out of the configuration"})
		}
	}
}
