package materia

import (
	"testing"

	"bencao/indexer/datapackage"
	"bencao/store"
)

// A name that no table has is a herb's if formulas often have it, and as a rule with
// a dose.
func TestIsHerb(t *testing.T) {
	c := &collection{Herbs: Known(&datapackage.Package{HerbSpecies: []datapackage.HerbSpecies{{Herb: "人参"}}})}
	uses := func(formulas, dosed int) *use {
		return &use{formulas: make([]store.Num, formulas), stands: formulas, dosed: dosed}
	}
	all := &use{stands: 1000, dosed: 900}
	for _, tt := range []struct {
		name string
		use  *use
		want bool
		why  string
	}{
		{"人参", uses(1, 0), true, "the table of drugs has it"},
		{"茵芋叶", uses(5, 4), true, "formulas often have it, with a dose"},
		{"茵芋叶", uses(4, 4), false, "not often enough"},
		{"发热", uses(6, 0), false, "an illness"},
		{"少阴", uses(9, 1), false, "a channel"},
		{"皂角子", uses(5, 3), true, "sometimes without a dose"},
		{"加豆豉", uses(6, 6), false, "an instruction"},
		{"舶上人参", uses(26, 18), true, "longer, and ends in a herb"},
		{"小便不利", uses(8, 8), false, "longer, and ends in none"},
	} {
		if got := c.isHerb(tt.name, tt.use, all); got != tt.want {
			t.Errorf("%s in %d formulas, %d times with a dose: herb %v, want %v: %s", tt.name, len(tt.use.formulas), tt.use.dosed, got, tt.want, tt.why)
		}
	}
	if !c.isHerb("茵芋叶", uses(5, 0), &use{stands: 1000}) {
		t.Error("a package without doses has no herbs but those of tables")
	}
}
