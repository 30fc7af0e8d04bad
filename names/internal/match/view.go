package match

import (
	"bencao/names/internal/file"
	"bencao/names/internal/vocabulary"
)

// view is the names file as a question may see it.
type view struct {
	*file.File
	// foreign leaves the database's own names out, but those that the night
	// joined to a checklist's: it asks what the checklists say of them.
	foreign bool
}

// hidden says whether a usage is left out.
func (v view) hidden(u *file.Usage) bool {
	return v.foreign && int(u.Checklist) == v.Database && !(u.Bits.Has(file.Joined) && u.Bits.Has(file.Own))
}

// own says whether a usage is a name of the database.
func (v view) own(usage uint32) bool { return int(v.Usages[usage].Checklist) == v.Database }

// accepted says whether its checklist accepts a usage.
func (v view) accepted(usage uint32) bool {
	return v.Usages[usage].Status.Word() == vocabulary.Accepted
}

// misapplied says whether a usage is a misapplied name.
func misapplied(u *file.Usage) bool { return u.Status.Word() == vocabulary.Misapplied }

// placed says whether some checklist accepts the name that a candidate leads
// to.
func (v view) placed(c *candidate) bool { return v.Usages[c.concept].Bits.Has(file.Placed) }

// sameName says whether two usages are the same name in different lists.
func (v view) sameName(a, b uint32) bool {
	return v.SameKey(a, b) && v.Usages[a].Group == v.Usages[b].Group
}

// sameTaxon says whether two candidates lead to the same accepted name.
func (v view) sameTaxon(a, b *candidate) bool {
	return a.concept == b.concept && (v.placed(a) || a.usage == b.usage || v.SameKey(a.usage, b.usage))
}

// inDatabase says whether a concept is a species of the database.
func (v view) inDatabase(concept uint32) bool {
	if v.foreign {
		return false
	}
	for _, n := range v.MembersOf(concept) {
		if v.own(n) {
			return true
		}
	}
	return false
}
