package check

import (
	"fmt"
	"strings"

	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/store"
)

// minRecords is the minimum number of comparable records for which the share of plausible records
// is judged.
const minRecords = 20

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
	{"species", "chinese_name", countCells("species", "chinese_name", hanCells), 0.5, "hold Chinese characters", hintSpecies},
	{"species", "scientific_name", countCells("species", "scientific_name", latinCells), 0.5, "hold Latin letters", hintSpecies},
	{"species", "family", countCells("species", "family", latinCells), 0.5, "hold Latin letters", hintSpecies},
	{"formulas", "name", countCells("formulas", "name", hanCells), 0.5, "hold Chinese characters", "check the columns of formulas"},
	{"formula_ingredients", "herb", countCells("formula_ingredients", "herb", hanCells), 0.5, "hold Chinese characters", "check the columns of formula_ingredients"},
	{"herb_species", "herb", countCells("herb_species", "herb", hanCells), 0.5, "hold Chinese characters", "check the columns of herb_species"},
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

func hanCells(c profile.Column) int   { return c.Han }
func latinCells(c profile.Column) int { return c.Latin }

func countCells(table, column string, of func(profile.Column) int) func(*judged) (int, int) {
	return func(b *judged) (int, int) {
		p := b.profiles[table]
		if p == nil {
			return 0, 0
		}
		c, _ := p.Column(column)
		return of(c), c.Filled
	}
}

// checkPlausible judges the plausibility of tables that have no previous version.
func (b *judged) checkPlausible() {
	for _, s := range plausibilities {
		if _, known := b.past.Profiles[s.table]; known {
			continue
		}
		holds, all := s.of(b)
		if all < minRecords {
			continue
		}
		b.ledger.judge(verdict{
			measure: "sense", table: s.table, column: s.column, bad: all - holds, all: all, limit: 1 - s.least, flag: allowFirst, code: finding.Sense,
			message: fmt.Sprintf("of %d, only %d %s, and there is no earlier snapshot to confirm that", all, holds, s.property), hint: s.hint,
		})
	}
	for name, p := range b.profiles {
		if _, known := b.past.Profiles[name]; known || p.Rows > 0 || !strings.HasPrefix(name, Checklist("")) || strings.Contains(name, "/") {
			continue
		}
		b.ledger.judge(verdict{measure: "sense", table: name, bad: 1, all: 1, flag: allowFirst, code: finding.Sense,
			message: "the checklist has no rows", hint: "fetch it again, or take it out of the configuration"})
	}
}
