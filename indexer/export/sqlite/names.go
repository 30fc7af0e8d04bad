package sqlite

import (
	"cmp"
	"database/sql"
	"slices"
	"strings"

	"bencao/indexer/export"
	"bencao/names/han"
	"bencao/names/pinyin"
)

// namesTables creates a table with the names of all species and formulas, and its full-text index.
// FTS5 treats a run of Chinese characters as one word. So the column named spelling also has the
// other forms by which people search for a name, such as the single characters of the name.
var namesTables = []string{
	`CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  pinyin TEXT,
  spelling TEXT,
  species_id INTEGER REFERENCES species (entry_id),
  formula_id INTEGER REFERENCES formulas (entry_id),
  herb_id TEXT REFERENCES herbs (id)
)`,
	"CREATE INDEX names_species_id ON names (species_id)",
	"CREATE INDEX names_formula_id ON names (formula_id)",
	"CREATE INDEX names_herb_id ON names (herb_id)",
	"CREATE INDEX names_name ON names (name)",
	"CREATE VIRTUAL TABLE names_fts USING fts5 (name, pinyin, spelling, content=\"names\", content_rowid='id', tokenize=\"unicode61 remove_diacritics 2\")",
}

// indexNames fills the full-text index and merges it into one segment.
var indexNames = []string{
	"INSERT INTO names_fts (names_fts) VALUES ('rebuild')",
	"INSERT INTO names_fts (names_fts) VALUES ('optimize')",
}

func fillNames(db *sql.DB, p *export.Content) error {
	for _, s := range namesTables {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	err := insert(db, "names", 8, func(yield func([]any) bool) {
		id := int64(0)
		names(p, func(n name) bool {
			id++
			return yield([]any{id, n.name, n.kind, orNull(n.pinyin), orNull(spelling(n.name, n.pinyin)), n.species, n.formula, n.herb})
		})
	})
	if err != nil {
		return err
	}
	for _, s := range indexNames {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// name is a row of the table names. Exactly one of species, formula and herb is an id; the others
// are nil.
type name struct {
	name, kind, pinyin string
	species, formula   any
	herb               any
}

// names calls yield for every name until yield returns false. It derives missing pinyin with a
// model trained on the package, as a snapshot does.
func names(p *export.Content, yield func(name) bool) {
	model := pinyin.Train(p.PinyinPairs())
	withPinyin := func(name, given string) string {
		if given == "" && han.Has(name) {
			return model.Read(name)
		}
		return given
	}
	for i := range p.Species {
		s := &p.Species[i]
		all := []name{{name: string(s.ChineseName), kind: "chinese", pinyin: withPinyin(string(s.ChineseName), string(s.ChineseNamePinyin))}, {name: string(s.ScientificName), kind: "scientific"}}
		for _, a := range s.Aliases {
			if a.Name != string(s.ChineseName) {
				all = append(all, name{name: a.Name, kind: cmp.Or(a.Kind, "alias"), pinyin: withPinyin(a.Name, "")})
			}
		}
		for _, x := range s.Synonyms {
			all = append(all, name{name: x.Name, kind: "synonym"})
		}
		for _, n := range all {
			if n.species = s.EntryID; n.name != "" && !yield(n) {
				return
			}
		}
	}
	for i := range p.Formulas {
		f := &p.Formulas[i]
		if !yield(name{name: string(f.Name), kind: "formula", pinyin: withPinyin(string(f.Name), string(f.NamePinyin)), formula: f.EntryID}) {
			return
		}
	}
	for h := range p.Rows("herbs") {
		if !yield(name{name: h[1], kind: "herb", pinyin: h[2], herb: h[0]}) {
			return
		}
	}
	for h := range p.Rows("herb_names") {
		if !yield(name{name: h[1], kind: "herb " + h[2], pinyin: withPinyin(h[1], ""), herb: h[0]}) {
			return
		}
	}
}

// spelling returns the search forms of a Chinese name besides the name and its pinyin: the
// simplified form, pinyin without spaces, initials, and each character. It returns "" for names
// without Chinese characters.
func spelling(name, read string) string {
	if !han.Has(name) {
		return ""
	}
	var words []string
	folded := han.Fold(name)
	if folded != name {
		words = append(words, folded)
	}
	var joined, initials strings.Builder
	for _, s := range strings.Fields(pinyin.WithoutTones(read)) {
		joined.WriteString(s)
		initials.WriteString(s[:1])
	}
	words = append(words, joined.String(), initials.String())
	for _, r := range folded {
		words = append(words, string(r))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
