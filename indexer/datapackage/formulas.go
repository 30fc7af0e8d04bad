package datapackage

import (
	"bencao/indexer/finding"
	"bencao/store"
)

var formulasTable = table[store.Formula]{
	name: "formulas",
	columns: []column[store.Formula]{
		required(as(RoleID, integer("entry_id", func(f *store.Formula) *int32 { return &f.EntryID }))),
		guid(func(f *store.Formula) *string { return &f.GUID }),
		required(as(RoleIdentity, checked("name", chineseName, func(f *store.Formula) *store.Text { return &f.Name }))),
		text("name_pinyin", func(f *store.Formula) *store.Text { return &f.NamePinyin }),
		as(RoleIdentity, text("composition", func(f *store.Formula) *store.Text { return &f.Composition })),
		text("efficacy", func(f *store.Formula) *store.Text { return &f.Efficacy }),
		text("indications", func(f *store.Formula) *store.Text { return &f.Indications }),
		text("preparation", func(f *store.Formula) *store.Text { return &f.Preparation }),
		text("dynasty", func(f *store.Formula) *store.Text { return &f.Dynasty }),
		as(RoleNumber, year("year", func(f *store.Formula) **int32 { return &f.Year })),
		text("original_author", func(f *store.Formula) *store.Text { return &f.OriginalAuthor }),
		as(RoleIdentity, text("original_source", func(f *store.Formula) *store.Text { return &f.OriginalSource })),
		text("compilation", func(f *store.Formula) *store.Text { return &f.Compilation }),
		as(RoleID, link("url", func(f *store.Formula) *string { return &f.URL })),
	},
	keys: []key[store.Formula]{
		{"entry_id", finding.PrimaryKey, func(f *store.Formula) any { return f.EntryID }},
		{"guid", finding.Unique, func(f *store.Formula) any { return guidOrDerived(f.GUID, "formulas", f.EntryID) }},
	},
	add: func(l *loader, f *store.Formula, _ int) {
		f.GUID = guidOrDerived(f.GUID, "formulas", f.EntryID)
		l.formulas[f.EntryID] = len(l.p.Formulas)
		l.p.Formulas = append(l.p.Formulas, *f)
	},
	each: rowsOf(func(p *Package) []store.Formula { return p.Formulas }),
}

// ingredient is a row of formula_ingredients.
type ingredient struct {
	formula int32
	store.Ingredient
}

var ingredientsTable = table[ingredient]{
	name: "formula_ingredients",
	columns: []column[ingredient]{
		required(as(RoleReference, integer("formula_id", func(i *ingredient) *int32 { return &i.formula }))),
		required(as(RoleID, integer("seq", func(i *ingredient) *int32 { return &i.Seq }))),
		required(as(RoleIdentity, checked("herb", chineseName, func(i *ingredient) *string { return &i.Herb }))),
		as(RoleNumber, checked("dose", readableDose, func(i *ingredient) *string { return &i.Dose })),
		text("note", func(i *ingredient) *string { return &i.Note }),
		oneOf(roleWords, text("role", func(i *ingredient) *string { return &i.Role })),
	},
	keys: []key[ingredient]{{"formula_id + seq", finding.PrimaryKey, func(i *ingredient) any {
		return [2]int32{i.formula, i.Seq}
	}}},
	refs: []ref[ingredient]{toFormula("formula_id", func(i *ingredient) *int32 { return &i.formula })},
	add: func(l *loader, i *ingredient, _ int) {
		to := l.formulaOf(i.formula)
		to.Ingredients = append(to.Ingredients, i.Ingredient)
	},
	each: ofFormulas(func(f *store.Formula) []store.Ingredient { return f.Ingredients },
		func(formula int32, i store.Ingredient) ingredient { return ingredient{formula, i} }),
}

// formulaCode is a row of formula_codes.
type formulaCode struct {
	formula int32
	store.FormulaCode
}

var codesTable = table[formulaCode]{
	name: "formula_codes",
	columns: []column[formulaCode]{
		required(as(RoleReference, integer("formula_id", func(c *formulaCode) *int32 { return &c.formula }))),
		required(text("system", func(c *formulaCode) *string { return &c.System })),
		required(text("code", func(c *formulaCode) *string { return &c.Code })),
		text("label", func(c *formulaCode) *store.Text { return &c.Label }),
	},
	keys: []key[formulaCode]{{"formula_id + system + code", finding.PrimaryKey, func(c *formulaCode) any {
		return struct {
			formula      int32
			system, code string
		}{c.formula, c.System, c.Code}
	}}},
	refs: []ref[formulaCode]{toFormula("formula_id", func(c *formulaCode) *int32 { return &c.formula })},
	add: func(l *loader, c *formulaCode, _ int) {
		to := l.formulaOf(c.formula)
		to.Codes = append(to.Codes, c.FormulaCode)
	},
	each: ofFormulas(func(f *store.Formula) []store.FormulaCode { return f.Codes },
		func(formula int32, c store.FormulaCode) formulaCode { return formulaCode{formula, c} }),
}

var similarityTable = table[Similarity]{
	name: "formula_similarity",
	columns: []column[Similarity]{
		required(as(RoleReference, integer("formula_id", func(s *Similarity) *int32 { return &s.FormulaID }))),
		required(as(RoleReference, integer("other_id", func(s *Similarity) *int32 { return &s.OtherID }))),
		required(oneOf(methodWords, text("method", func(s *Similarity) *string { return &s.Method }))),
		required(as(RoleNumber, number("value", func(s *Similarity) *float64 { return &s.Value }, func(s *Similarity, v float64) { s.Value = v }))),
	},
	keys: []key[Similarity]{{"formula_id + other_id + method", finding.PrimaryKey, func(s *Similarity) any {
		return struct {
			formula, other int32
			method         string
		}{s.FormulaID, s.OtherID, s.Method}
	}}},
	refs: []ref[Similarity]{
		toFormula("formula_id", func(s *Similarity) *int32 { return &s.FormulaID }),
		toFormula("other_id", func(s *Similarity) *int32 { return &s.OtherID }),
	},
	add:  func(l *loader, s *Similarity, _ int) { l.p.Similarity = append(l.p.Similarity, *s) },
	each: rowsOf(func(p *Package) []Similarity { return p.Similarity }),
}

// formulaOf returns the formula with an entry id, which must exist.
func (l *loader) formulaOf(entryID int32) *store.Formula { return &l.p.Formulas[l.formulas[entryID]] }
