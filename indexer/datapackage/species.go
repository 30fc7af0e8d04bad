package datapackage

import (
	"fmt"

	"bencao/indexer/finding"
	"bencao/store"
)

var speciesTable = table[store.Species]{
	name: "species",
	columns: []column[store.Species]{
		required(as(RoleID, integer("entry_id", func(s *store.Species) *int32 { return &s.EntryID }))),
		guid(func(s *store.Species) *string { return &s.GUID }),
		as(RoleIdentity, checked("chinese_name", chineseName, func(s *store.Species) *store.Text { return &s.ChineseName })),
		text("chinese_name_pinyin", func(s *store.Species) *store.Text { return &s.ChineseNamePinyin }),
		required(as(RoleIdentity, checked("scientific_name", scientificName, func(s *store.Species) *store.Text { return &s.ScientificName }))),
		text("author", func(s *store.Species) *store.Text { return &s.Author }),
		required(oneOf(rankWords, text("rank", func(s *store.Species) *store.Text { return &s.Rank }))),
		as(RoleIdentity, checked("family", familyName, func(s *store.Species) *store.Text { return &s.Family })),
		checked("family_chinese", chineseName, func(s *store.Species) *store.Text { return &s.FamilyChinese }),
		text("genus", func(s *store.Species) *store.Text { return &s.Genus }),
		checked("genus_chinese", chineseName, func(s *store.Species) *store.Text { return &s.GenusChinese }),
		as(RoleID, link("url", func(s *store.Species) *string { return &s.URL })),
	},
	keys: []key[store.Species]{
		{"entry_id", finding.PrimaryKey, func(s *store.Species) any { return s.EntryID }},
		{"guid", finding.Unique, func(s *store.Species) any { return guidOrDerived(s.GUID, "species", s.EntryID) }},
	},
	add:  (*loader).addSpecies,
	each: rowsOf(func(p *Package) []store.Species { return p.Species }),
}

// synonym is a row of synonyms.
type synonym struct {
	species int32
	store.Synonym
}

var synonymsTable = table[synonym]{
	name: "synonyms",
	columns: []column[synonym]{
		filled(as(RoleID, integer("id", func(s *synonym) *int64 { return &s.ID }))),
		required(as(RoleReference, integer("species_id", func(s *synonym) *int32 { return &s.species }))),
		required(as(RoleIdentity, checked("name", scientificName, func(s *synonym) *string { return &s.Name }))),
		text("author", func(s *synonym) *string { return &s.Author }),
		oneOf(rankWords, text("rank", func(s *synonym) *string { return &s.Rank })),
		oneOf(synonymWords, text("status", func(s *synonym) *string { return &s.Status })),
	},
	keys:   []key[synonym]{id(func(s *synonym) int64 { return s.ID })},
	refs:   []ref[synonym]{toSpecies(func(s *synonym) *int32 { return &s.species })},
	number: func(s *synonym, n int64) { s.ID = n },
	add: func(l *loader, s *synonym, _ int) {
		to := l.speciesOf(s.species)
		to.Synonyms = append(to.Synonyms, s.Synonym)
	},
	each: ofSpecies(func(s *store.Species) []store.Synonym { return s.Synonyms },
		func(species int32, x store.Synonym) synonym { return synonym{species, x} }),
}

// alias is a row of aliases.
type alias struct {
	species int32
	store.Alias
}

var aliasesTable = table[alias]{
	name: "aliases",
	columns: []column[alias]{
		required(as(RoleReference, integer("species_id", func(a *alias) *int32 { return &a.species }))),
		required(as(RoleIdentity, checked("name", chineseName, func(a *alias) *string { return &a.Name }))),
		oneOf(aliasWords, text("kind", func(a *alias) *string { return &a.Kind })),
		text("source", func(a *alias) *string { return &a.Source }),
	},
	keys: []key[alias]{{"species_id + name", finding.Unique, func(a *alias) any {
		return struct {
			species int32
			name    string
		}{a.species, a.Name}
	}}},
	refs: []ref[alias]{toSpecies(func(a *alias) *int32 { return &a.species })},
	add: func(l *loader, a *alias, _ int) {
		to := l.speciesOf(a.species)
		to.Aliases = append(to.Aliases, a.Alias)
	},
	each: ofSpecies(func(s *store.Species) []store.Alias { return s.Aliases },
		func(species int32, x store.Alias) alias { return alias{species, x} }),
}

// floraEntry is a row of flora.
type floraEntry struct {
	species int32
	store.FloraTreatment
}

var floraTable = table[floraEntry]{
	name: "flora",
	columns: []column[floraEntry]{
		filled(as(RoleID, integer("id", func(f *floraEntry) *int64 { return &f.ID }))),
		required(as(RoleReference, integer("species_id", func(f *floraEntry) *int32 { return &f.species }))),
		required(text("flora", func(f *floraEntry) *string { return &f.Flora })),
		as(RoleIdentity, text("name_in_flora", func(f *floraEntry) *store.Text { return &f.NameInFlora })),
		checked("chinese_name_in_flora", chineseName, func(f *floraEntry) *store.Text { return &f.ChineseNameInFlora }),
		as(RoleNumber, text("volume", func(f *floraEntry) *store.Text { return &f.Volume })),
		as(RoleNumber, text("page", func(f *floraEntry) *store.Text { return &f.Page })),
		as(RoleID, link("url", func(f *floraEntry) *store.Text { return &f.URL })),
	},
	keys:   []key[floraEntry]{id(func(f *floraEntry) int64 { return f.ID })},
	refs:   []ref[floraEntry]{toSpecies(func(f *floraEntry) *int32 { return &f.species })},
	number: func(f *floraEntry, n int64) { f.ID = n },
	add: func(l *loader, f *floraEntry, _ int) {
		to := l.speciesOf(f.species)
		to.Flora = append(to.Flora, f.FloraTreatment)
	},
	each: ofSpecies(func(s *store.Species) []store.FloraTreatment { return s.Flora },
		func(species int32, x store.FloraTreatment) floraEntry { return floraEntry{species, x} }),
}

// use is a row of uses.
type use struct {
	species int32
	store.PlantUse
}

var usesTable = table[use]{
	name: "uses",
	columns: []column[use]{
		filled(as(RoleID, integer("id", func(u *use) *int64 { return &u.ID }))),
		required(as(RoleReference, integer("species_id", func(u *use) *int32 { return &u.species }))),
		required(oneOf(collectionWords, as(RoleIdentity, text("collection", func(u *use) *string { return &u.Collection })))),
		text("name_cited", func(u *use) *store.Text { return &u.NameCited }),
		as(RoleIdentity, text("category", func(u *use) *store.Text { return &u.Category })),
		text("part", func(u *use) *store.Text { return &u.Part }),
		text("description", func(u *use) *store.Text { return &u.Description }),
		text("ethnic_group", func(u *use) *store.Text { return &u.EthnicGroup }),
		text("country", func(u *use) *store.Text { return &u.Country }),
		text("region", func(u *use) *store.Text { return &u.Region }),
		text("reference", func(u *use) *store.Text { return &u.Reference }),
	},
	keys:   []key[use]{id(func(u *use) int64 { return u.ID })},
	refs:   []ref[use]{toSpecies(func(u *use) *int32 { return &u.species })},
	number: func(u *use, n int64) { u.ID = n },
	add: func(l *loader, u *use, _ int) {
		to := l.speciesOf(u.species)
		to.Uses = append(to.Uses, u.PlantUse)
	},
	each: ofSpecies(func(s *store.Species) []store.PlantUse { return s.Uses },
		func(species int32, x store.PlantUse) use { return use{species, x} }),
}

// addSpecies adds a species, derives its GUID if it has none, and warns if another species has the
// same Chinese name.
func (l *loader) addSpecies(s *store.Species, line int) {
	s.GUID = guidOrDerived(s.GUID, "species", s.EntryID)
	if other, twice := l.chinese[string(s.ChineseName)]; twice && s.ChineseName != "" {
		o := &l.p.Species[other]
		l.report(finding.Finding{
			Severity: finding.Warn, Code: finding.SharedName, Table: "species", File: l.files["species"], Line: line,
			Column: "chinese_name", Value: string(s.ChineseName),
			Message: fmt.Sprintf("%s has the Chinese name of %s (entry_id %d)", s.ScientificName, o.ScientificName, o.EntryID),
			Hint:    "both stay; is one of them a mistake?",
		})
	} else {
		l.chinese[string(s.ChineseName)] = len(l.p.Species)
	}
	l.species[s.EntryID] = len(l.p.Species)
	l.p.Species = append(l.p.Species, *s)
}

// speciesOf returns the species with an entry id, which must exist.
func (l *loader) speciesOf(entryID int32) *store.Species { return &l.p.Species[l.species[entryID]] }
