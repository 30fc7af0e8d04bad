package export

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/store"
)

// computed holds records of the store that are in no table of the source.
type computed struct {
	matches  map[string]*store.NameMatchInfo // by the GUID of the species
	herbs    []store.HerbDetail
	formulas []store.FormulaDetail
}

func column(name, typ string) datapackage.ColumnSchema {
	return datapackage.ColumnSchema{Name: name, Type: typ}
}

func filled(name, typ string) datapackage.ColumnSchema {
	return datapackage.ColumnSchema{Name: name, Type: typ, Required: true}
}

// computedTables are the tables that only exports have. A list inside a computed record, such as
// the species of a herb, is a separate table.
var computedTables = []datapackage.TableSchema{
	{Name: "herbs", PrimaryKey: []string{"id"}, Columns: []datapackage.ColumnSchema{filled("id", "string"), filled("name", "string"),
		column("name_pinyin", "string"), column("kind", "string"), filled("no_plant", "boolean"), filled("formulas", "integer")}},
	{Name: "herb_names", PrimaryKey: []string{"herb_id", "name", "kind"}, Columns: []datapackage.ColumnSchema{filled("herb_id", "string"),
		filled("name", "string"), filled("kind", "string")}, References: []datapackage.Reference{{Column: "herb_id", Table: "herbs", To: "id"}}},
	{Name: "herb_sources", Columns: []datapackage.ColumnSchema{filled("herb_id", "string"), filled("species_id", "integer"),
		column("part", "string"), column("authority", "string"), column("preferred", "boolean"), column("from_year", "integer"), column("to_year", "integer")},
		References: []datapackage.Reference{{Column: "herb_id", Table: "herbs", To: "id"}, {Column: "species_id", Table: "species", To: "entry_id"}}},
	{Name: "herb_variants", PrimaryKey: []string{"herb_id", "other_id"}, Columns: []datapackage.ColumnSchema{filled("herb_id", "string"),
		filled("other_id", "string"), filled("how", "string")},
		References: []datapackage.Reference{{Column: "herb_id", Table: "herbs", To: "id"}, {Column: "other_id", Table: "herbs", To: "id"}}},
	{Name: "distribution", Columns: []datapackage.ColumnSchema{filled("species_id", "integer"), column("code", "string"), column("name", "string"),
		filled("establishment", "string"), filled("status", "string"), filled("basis", "string"), filled("source", "string"), column("release", "string")},
		References: []datapackage.Reference{{Column: "species_id", Table: "species", To: "entry_id"}}},
	{Name: "ingredient_herbs", PrimaryKey: []string{"formula_id", "seq", "herb_id"}, Columns: []datapackage.ColumnSchema{
		filled("formula_id", "integer"), filled("seq", "integer"), filled("herb_id", "string")},
		References: []datapackage.Reference{{Column: "formula_id", Table: "formulas", To: "entry_id"}, {Column: "herb_id", Table: "herbs", To: "id"}}},
	{Name: "ingredient_species", PrimaryKey: []string{"formula_id", "seq", "species_id"}, Columns: []datapackage.ColumnSchema{
		filled("formula_id", "integer"), filled("seq", "integer"), filled("species_id", "integer")},
		References: []datapackage.Reference{{Column: "formula_id", Table: "formulas", To: "entry_id"}, {Column: "species_id", Table: "species", To: "entry_id"}}},
}

// compute reads the computed records from the store and fills tables of the package with them. It
// always fills name_matches and [computedTables], and it fills the other derived tables if the
// source lacks them.
func compute(ctx context.Context, tx *store.Tx, taxa *store.Taxa, p *datapackage.Package) (*computed, error) {
	c := &computed{matches: map[string]*store.NameMatchInfo{}}
	for _, s := range computedTables {
		p.Computed = append(p.Computed, datapackage.Computed{TableSchema: s})
	}
	if tx == nil {
		return c, nil
	}
	var err error
	if c.formulas, err = all[store.FormulaDetail](ctx, tx, store.TableFormulas, func(n store.Num) store.Template {
		return tx.FormulaDetail(n, store.Composition|store.Similarity)
	}); err != nil {
		return nil, err
	}
	species, err := all[store.SpeciesDetail](ctx, tx, store.TableSpecies, tx.SpeciesDetail)
	if err != nil {
		return nil, err
	}
	if c.herbs, err = all[store.HerbDetail](ctx, tx, store.TableHerbs, tx.HerbDetail); err != nil {
		return nil, err
	}
	ids := make(map[string]int32, len(species))
	for i := range species {
		ids[species[i].GUID] = species[i].EntryID
		if m := species[i].NameMatch; m != nil {
			c.matches[species[i].GUID] = m
		}
	}
	p.NameMatches = nil
	for i := range p.Species {
		if m := c.matches[p.Species[i].GUID]; m != nil {
			p.NameMatches = append(p.NameMatches, datapackage.NameMatch{SpeciesID: p.Species[i].EntryID, NameMatchInfo: *m})
		}
	}
	setComputed(p, "name_matches", len(p.NameMatches))
	c.ingredients(p, ids)
	if !p.Table("species_formulas").Present {
		c.links(tx, p, ids)
	}
	if !p.Table("formula_similarity").Present {
		c.similarity(p)
	}
	c.herbTables(p, ids)
	return c, distribution(ctx, tx, taxa, p)
}

// distribution fills the table of where the species grow, in the order of the species and of the
// geography.
func distribution(ctx context.Context, tx *store.Tx, taxa *store.Taxa, p *datapackage.Package) error {
	if taxa == nil {
		return nil
	}
	regions, err := tx.Regions()
	if err != nil {
		return err
	}
	for i := range p.Species {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, ok := tx.SpeciesNum(p.Species[i].GUID)
		if !ok {
			continue
		}
		listings, err := tx.SpeciesListings(n)
		if err != nil {
			return err
		}
		d, err := taxa.Distribution(listings, regions)
		if err != nil {
			return err
		}
		for _, a := range d.Areas {
			add(p, "distribution", number(p.Species[i].EntryID), string(a.Code), string(a.Name), a.Establishment, a.Status, a.Basis, a.Source, string(a.Release))
		}
	}
	return nil
}

// all returns the decoded answers for all records of a table.
//
// A formula's answer lists, for each similar formula, the herbs that the two share. all drops these
// lists, because they are most of the text.
func all[T any](ctx context.Context, tx *store.Tx, table store.Table, answer func(store.Num) store.Template) ([]T, error) {
	out := make([]T, tx.Count(table))
	var text []byte
	for n := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text = answer(store.Num(n)).Append(text[:0], "", store.Composition|store.Similarity)
		if err := json.Unmarshal(text, &out[n]); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", table, n, err)
		}
		if f, ok := any(&out[n]).(*store.FormulaDetail); ok {
			for _, list := range [][]store.SimilarFormula{f.SimilarJaccard, f.SimilarEuclidean} {
				for i := range list {
					list[i].SharedHerbs = nil
				}
			}
		}
	}
	return out, nil
}

// setComputed sets the counts of a table that the indexer computed. If the source has the table
// too, setComputed does not mark it as computed, since some of its rows come only from the source.
func setComputed(p *datapackage.Package, table string, rows int) {
	for i := range p.Tables {
		if t := &p.Tables[i]; t.Name == table {
			t.Computed = !t.Present
			t.Present, t.Rows, t.Kept, t.Rejected = true, rows, rows, 0
		}
	}
}

// add adds a row to a computed table.
func add(p *datapackage.Package, table string, cells ...string) {
	i := slices.IndexFunc(p.Computed, func(t datapackage.Computed) bool { return t.Name == table })
	p.Computed[i].Rows = append(p.Computed[i].Rows, cells)
}

// ingredients fills the tables of the herbs and the species of ingredients.
func (c *computed) ingredients(p *datapackage.Package, ids map[string]int32) {
	for i := range c.formulas {
		f := &c.formulas[i]
		for _, in := range f.Ingredients {
			formula, seq := number(f.EntryID), number(in.Seq)
			seen := map[string]bool{} // ids already written: an ingredient may name the same herb or species twice
			for _, h := range in.Herbs {
				if !seen[h.GUID] {
					seen[h.GUID] = true
					add(p, "ingredient_herbs", formula, seq, h.GUID)
				}
			}
			for _, s := range in.Species {
				if !seen[s.GUID] {
					seen[s.GUID] = true
					add(p, "ingredient_species", formula, seq, number(ids[s.GUID]))
				}
			}
		}
	}
}

// links fills species_formulas. The evidence of a link is the names of the herbs that link the
// formula to the species, as they are written in the formula.
func (c *computed) links(tx *store.Tx, p *datapackage.Package, ids map[string]int32) {
	herbs := map[[2]int32][]string{} // by species and formula
	for i := range c.formulas {
		for _, in := range c.formulas[i].Ingredients {
			for _, s := range in.Species {
				pair := [2]int32{ids[s.GUID], c.formulas[i].EntryID}
				if !slices.Contains(herbs[pair], in.Herb) {
					herbs[pair] = append(herbs[pair], in.Herb)
				}
			}
		}
	}
	for i := range p.Species {
		s := &p.Species[i]
		n, _ := tx.SpeciesNum(s.GUID)
		from := len(p.SpeciesFormulas)
		for _, f := range tx.SpeciesFormulas(n) {
			id := c.formulas[f].EntryID
			p.SpeciesFormulas = append(p.SpeciesFormulas, datapackage.SpeciesFormula{SpeciesID: s.EntryID, FormulaID: id,
				Evidence: strings.Join(herbs[[2]int32{s.EntryID, id}], "; ")})
		}
		slices.SortFunc(p.SpeciesFormulas[from:], func(a, b datapackage.SpeciesFormula) int { return int(a.FormulaID) - int(b.FormulaID) })
	}
	setComputed(p, "species_formulas", len(p.SpeciesFormulas))
}

// similarity fills formula_similarity with the lists that the API returns.
func (c *computed) similarity(p *datapackage.Package) {
	ids := make(map[string]int32, len(c.formulas))
	for i := range c.formulas {
		ids[c.formulas[i].GUID] = c.formulas[i].EntryID
	}
	for i := range c.formulas {
		f := &c.formulas[i]
		for _, list := range []struct {
			method string
			found  []store.SimilarFormula
		}{{"jaccard", f.SimilarJaccard}, {"euclidean", f.SimilarEuclidean}} {
			for _, s := range list.found {
				p.Similarity = append(p.Similarity, datapackage.Similarity{FormulaID: f.EntryID, OtherID: ids[s.GUID], Method: list.method, Value: s.Value})
			}
		}
	}
	slices.SortStableFunc(p.Similarity, func(a, b datapackage.Similarity) int { return int(a.FormulaID) - int(b.FormulaID) })
	setComputed(p, "formula_similarity", len(p.Similarity))
}

// herbTables fills the tables of herbs.
func (c *computed) herbTables(p *datapackage.Package, ids map[string]int32) {
	for i := range c.herbs {
		h := &c.herbs[i]
		add(p, "herbs", h.GUID, h.Name, string(h.NamePinyin), string(h.Kind), strconv.FormatBool(h.NoPlant), number(h.Formulas))
		for _, list := range []struct {
			kind  string
			names []string
		}{{"latin", h.LatinNames}, {"alias", h.Aliases}, {"processed", h.ProcessedForms}} {
			slices.Sort(list.names)
			for _, name := range slices.Compact(list.names) {
				add(p, "herb_names", h.GUID, name, list.kind)
			}
		}
		for _, s := range h.Species {
			preferred := ""
			if s.Preferred != nil {
				preferred = strconv.FormatBool(*s.Preferred)
			}
			add(p, "herb_sources", h.GUID, number(ids[s.GUID]), string(s.Part), string(s.Authority), preferred, optional(s.FromYear), optional(s.ToYear))
		}
		for _, v := range h.VariantOf {
			add(p, "herb_variants", h.GUID, v.GUID, v.How)
		}
	}
}

func number(n int32) string { return strconv.Itoa(int(n)) }

// optional returns a number as text. It returns "" for nil.
func optional(n *int32) string {
	if n == nil {
		return ""
	}
	return number(*n)
}
