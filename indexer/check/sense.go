package check

import (
	"fmt"
	"strings"

	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/store"
)

// enough is how many records must say something before the absence of sense in
// them means anything.
const enough = 20

// sense is what must hold of a night by itself, when there is none to compare
// it with.
type sense struct {
	table, column string
	// of says of how many it holds, and of how many it could.
	of func(b *made) (holds, all int)
	// least is the share of which it must hold.
	least      float64
	says, mend string
}

// senses are few and mild: good data of any kind pass by far. In the sample and
// in the full package each is over 0.9 but the Chinese names, which stand at
// 0.6 and more: several are in use, and a checklist knows one.
var senses = []sense{
	{matchesTable, "accepted_name", accepted, 0.5, "have an accepted name in a checklist", "look whether the checklists are whole and their names stand beside their own ids"},
	{matchesTable, "chinese_name", agreed(chineseAgrees), 0.2, "have the Chinese name that a checklist gives for their name", seeSpecies},
	{matchesTable, "family", agreed(familyAgrees), 0.5, "are of the family of their accepted name", seeSpecies},
	{matchesTable, "genus", agreed(genusAgrees), 0.5, "are of the genus that their name begins with", seeSpecies},
	{matchesTable, "pinyin", func(b *made) (int, int) { return agreed(b.readsItself)(b) }, 0.5, "have a pinyin that reads their name", seeSpecies},
	{"species", "chinese_name", looks("species", "chinese_name", hanCells), 0.5, "hold Chinese characters", seeSpecies},
	{"species", "scientific_name", looks("species", "scientific_name", latinCells), 0.5, "hold Latin letters", seeSpecies},
	{"species", "family", looks("species", "family", latinCells), 0.5, "hold Latin letters", seeSpecies},
	{"formulas", "name", looks("formulas", "name", hanCells), 0.5, "hold Chinese characters", "look at the columns of formulas"},
	{"formula_ingredients", "herb", looks("formula_ingredients", "herb", hanCells), 0.5, "hold Chinese characters", "look at the columns of formula_ingredients"},
	{"herb_species", "herb", looks("herb_species", "herb", hanCells), 0.5, "hold Chinese characters", "look at the columns of herb_species"},
}

func accepted(b *made) (holds, all int) {
	if len(b.sources) < 2 {
		return 0, 0
	}
	for i := range b.Species {
		all++
		if ofMatch(&b.Species[i], acceptedName) != "" {
			holds++
		}
	}
	return holds, all
}

func agreed(does func(*store.Species) int) func(*made) (int, int) {
	return func(b *made) (holds, all int) {
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

func looks(table, column string, of func(profile.Column) int) func(*made) (int, int) {
	return func(b *made) (int, int) {
		p := b.profiles[table]
		if p == nil {
			return 0, 0
		}
		c, _ := p.Column(column)
		return of(c), c.Filled
	}
}

// sense looks whether the night makes sense by itself, where no other says so.
func (b *made) sense() {
	for _, s := range senses {
		if _, known := b.past.Profiles[s.table]; known {
			continue
		}
		holds, all := s.of(b)
		if all < enough {
			continue
		}
		b.ledger.judge(verdict{
			measure: "sense", table: s.table, column: s.column, bad: all - holds, all: all, limit: 1 - s.least, flag: allowFirst, code: finding.Sense,
			message: fmt.Sprintf("of %d, only %d %s, and there is no night before to say that this is so", all, holds, s.says), hint: s.mend,
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
