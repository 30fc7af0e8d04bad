package match

import (
	"bencao/names/internal/checklist"
	"bencao/names/internal/file"
)

// view is the names file, restricted to the names that the answer to a question may have.
type view struct {
	*file.File
	// checklistsOnly, if true, hides the names of the list of herb names and the names of the
	// database. Accepted names of the database that the build joined to a concept of a checklist
	// stay visible.
	checklistsOnly bool
}

// hidden reports whether a usage must not be in an answer.
func (v view) hidden(u *file.Usage) bool {
	return v.checklistsOnly && (int(u.Checklist) == v.Database && !(u.Bits.Has(file.Joined) && u.Bits.Has(file.Own)) || v.ofHerbs(u))
}

// ofHerbs reports whether a usage is from the list of herb names, which is not a checklist.
func (v view) ofHerbs(u *file.Usage) bool {
	return int(u.Checklist) == v.Herbs
}

// own reports whether a usage is a name of the database.
func (v view) own(usage uint32) bool { return int(v.Usages[usage].Checklist) == v.Database }

// accepted reports whether the checklist of a usage accepts it.
func (v view) accepted(usage uint32) bool {
	return v.Usages[usage].Status.Word() == checklist.Accepted
}

// misapplied reports whether a usage is a misapplied name.
func misapplied(u *file.Usage) bool { return u.Status.Word() == checklist.Misapplied }

// sameUse reports whether two usages have the same key, and both or none of them are misapplied.
func (v view) sameUse(a, b uint32) bool {
	return v.SameKey(a, b) && misapplied(&v.Usages[a]) == misapplied(&v.Usages[b])
}

// sameName reports whether two usages, which may be in different lists, are the same name.
func (v view) sameName(a, b uint32) bool {
	return v.SameKey(a, b) && v.Usages[a].Group == v.Usages[b].Group
}

// inDatabase reports whether a concept is a species of the database.
func (v view) inDatabase(concept uint32) bool {
	for _, n := range v.MembersOf(concept) {
		if v.own(n) {
			return true
		}
	}
	return false
}
