package mutant

import (
	"crypto/md5"
	"fmt"
	"path"
	"slices"
	"strings"

	"bencao/indexer/datapackage"
)

// Mutant is a version of the sources with one defect.
type Mutant struct {
	// Source is "package" or the key of a checklist. Table is the damaged file. Column is the
	// damaged column, or empty if the whole table is damaged. Kind is the kind of damage.
	Source, Table, Column, Kind string
	make                        func() (Sources, bool)
}

// Name returns source/table/column/kind without the empty parts.
func (m Mutant) Name() string {
	var parts []string
	for _, p := range []string{m.Source, strings.TrimSuffix(m.Table, path.Ext(m.Table)), m.Column, m.Kind} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "/")
}

// Sources returns the damaged sources. ok is false if they equal the original, for instance because
// the column to be emptied is empty already.
func (m Mutant) Sources() (s Sources, ok bool) { return m.make() }

// All returns every mutant of the sources in a fixed order.
func All(s Sources) []Mutant {
	pkg := source{key: "package", folder: s.Package, with: s.withPackage}
	all := append(pkg.mutants(), pkg.together()...)
	for i, c := range s.Checklists {
		replaced := func(c ...Checklist) Sources {
			return Sources{Package: s.Package, Checklists: slices.Replace(slices.Clone(s.Checklists), i, i+1, c...)}
		}
		list := source{c.Key, c.Folder, func(f Folder) Sources { return replaced(Checklist{c.Key, f}) }}
		all = append(all, list.mutants()...)
		all = append(all,
			Mutant{Source: c.Key, Kind: "left-out", make: func() (Sources, bool) { return replaced(), true }},
			Mutant{Source: c.Key, Kind: "other-key", make: func() (Sources, bool) {
				return replaced(Checklist{c.Key + "2", c.Folder}), true
			}})
	}
	return append(all, Mutant{Source: "checklists", Kind: "all-left-out", make: func() (Sources, bool) {
		return Sources{Package: s.Package}, len(s.Checklists) > 0
	}})
}

func (s Sources) withPackage(f Folder) Sources {
	s.Package = f
	return s
}

// source is one folder of the sources: the data package or a checklist.
type source struct {
	key    string
	folder Folder
	with   func(Folder) Sources
}

// mutant returns a mutant in which the function spoil damages a table. Then around, if not nil,
// adapts the rest of the folder.
func (s source) mutant(file, column, kind string, spoil func(*Table) *Table, around func(Folder) Folder) Mutant {
	return Mutant{s.key, file, column, kind, func() (Sources, bool) {
		t := s.folder.Tables[file]
		spoilt := spoil(t)
		if spoilt != nil && spoilt.same(t) {
			return Sources{}, false
		}
		f := s.folder.with(file, spoilt)
		if around != nil {
			f = around(f)
		}
		return s.with(f), true
	}}
}

// mutants returns the mutants in which one column or one table is damaged.
func (s source) mutants() []Mutant {
	var all []Mutant
	for _, file := range s.folder.names() {
		for col, name := range s.folder.Tables[file].Header {
			for _, k := range columnKinds {
				var around func(Folder) Folder
				if k.name == "rename" {
					around = func(f Folder) Folder { return f.renamed(file, name, "x_"+name) }
				}
				all = append(all, s.mutant(file, name, k.name, func(t *Table) *Table { return k.spoil(t, col) }, around))
			}
		}
		for _, k := range tableKinds() {
			var around func(Folder) Folder
			if k.name == "drop" {
				around = func(f Folder) Folder {
					return f.described(func(r map[string]any) bool { return r["path"] != file })
				}
			}
			all = append(all, s.mutant(file, "", k.name, k.spoil, around))
		}
	}
	return all
}

// renamed returns the folder with a field renamed in the description of a table.
func (f Folder) renamed(file, from, to string) Folder {
	return f.described(func(r map[string]any) bool {
		schema, ok := r["schema"].(map[string]any)
		if !ok || r["path"] != file {
			return true
		}
		fields, _ := schema["fields"].([]any)
		for _, field := range fields {
			if m, ok := field.(map[string]any); ok && m["name"] == from {
				m["name"] = to
			}
		}
		// A primary key of a missing column would be a second defect.
		delete(schema, "primaryKey")
		delete(schema, "foreignKeys")
		return true
	})
}

// sets lists groups of columns that a defective join shifts together.
var sets = []struct {
	table   string
	columns []string
}{
	{"species.csv", []string{"scientific_name", "author", "family"}},
	{"species.csv", []string{"scientific_name", "author", "family", "family_chinese", "genus", "genus_chinese"}},
	{"species.csv", []string{"scientific_name", "author"}},
	{"species.csv", []string{"chinese_name", "chinese_name_pinyin"}},
	{"species.csv", []string{"guid", "chinese_name", "chinese_name_pinyin"}},
	{"species.csv", []string{"entry_id", "guid"}},
	{"species.csv", []string{"family", "family_chinese"}},
	{"species.csv", []string{"genus", "genus_chinese"}},
	{"synonyms.csv", []string{"name", "author"}},
	{"synonyms.csv", []string{"name", "author", "rank", "status"}},
	{"flora.csv", []string{"name_in_flora", "chinese_name_in_flora"}},
	{"papers.csv", []string{"title", "authors"}},
	{"papers.csv", []string{"title", "authors", "source", "year"}},
	{"papers.csv", []string{"doi", "pubmed_id"}},
	{"formulas.csv", []string{"name", "name_pinyin"}},
	{"formulas.csv", []string{"composition", "efficacy", "indications"}},
	{"formulas.csv", []string{"dynasty", "year", "original_author", "original_source"}},
	{"formula_ingredients.csv", []string{"herb", "dose"}},
	{"formula_ingredients.csv", []string{"formula_id", "seq"}},
	{"uses.csv", []string{"species_id", "collection"}},
}

// together returns the mutants in which several columns are damaged at once.
func (s source) together() []Mutant {
	var all []Mutant
	for _, set := range sets {
		if _, there := s.folder.Tables[set.table]; !there {
			continue
		}
		for _, n := range []int{1, 2, 10} {
			all = append(all, s.mutant(set.table, strings.Join(set.columns, "+"), fmt.Sprintf("shift-%d", n), func(t *Table) *Table {
				for _, name := range set.columns {
					if col := t.index(name); col >= 0 {
						t = t.set(col, shifted(t.column(col), n))
					}
				}
				return t
			}, nil))
		}
	}
	for _, file := range s.folder.names() {
		if !hasGUID(s.folder.Tables[file]) {
			continue
		}
		all = append(all, s.mutant(file, "guid", "new", func(t *Table) *Table {
			col := t.withRole(datapackage.RoleGUID)
			return t.set(col, each(t.column(col), newGUID))
		}, nil))
	}
	return all
}

// newGUID derives another GUID from a GUID.
func newGUID(old string) string {
	if old == "" {
		return ""
	}
	h := fmt.Sprintf("%x", md5.Sum([]byte(old)))
	return strings.Join([]string{h[:8], h[8:12], "4" + h[13:16], "8" + h[17:20], h[20:]}, "-")
}
