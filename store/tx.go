package store

// Count returns the number of records of a table.
func (t *Tx) Count(table Table) int { return int(t.meta([]byte(table))) }

// Stats returns [SiteStats] as JSON.
func (t *Tx) Stats() []byte { return t.get(bucketMeta, keyStats) }

// SpeciesNum finds a species by its GUID in any letter case.
func (t *Tx) SpeciesNum(guid string) (Num, bool) { return keyedSpecies.find(t, guid) }

// FormulaNum finds a formula by its GUID in any letter case.
func (t *Tx) FormulaNum(guid string) (Num, bool) { return keyedFormulas.find(t, guid) }

// HerbNum finds a herb by its GUID in any letter case. It also accepts the GUID of a merged name.
func (t *Tx) HerbNum(guid string) (Num, bool) {
	if n, ok := keyedHerbs.find(t, guid); ok {
		return n, true
	}
	n, _, ok := t.herbByAlias(guid)
	return n, ok
}

// SpeciesSummary returns the [SpeciesSummary] of a species.
func (t *Tx) SpeciesSummary(n Num) Template { return t.answer(speciesSummaries, n) }

// SpeciesDetail returns the [SpeciesDetail] of a species.
func (t *Tx) SpeciesDetail(n Num) Template { return t.answer(speciesDetails, n) }

// FindSpecies returns the [SpeciesDetail] of the species with a GUID, in any letter
// case.
func (t *Tx) FindSpecies(guid string) (Template, bool) {
	_, detail, ok := keyedSpecies.answer(t, speciesDetails, guid)
	return detail, ok
}

// SpeciesFlora returns the list of [FloraTreatment] of a species.
func (t *Tx) SpeciesFlora(n Num) Rows { return t.list(speciesFloras, n) }

// SpeciesUses returns the list of [PlantUse] of a species.
func (t *Tx) SpeciesUses(n Num) Rows { return t.list(speciesUses, n) }

// SpeciesPapers returns the list of [PaperSummary] of a species.
func (t *Tx) SpeciesPapers(n Num) Rows {
	return Rows{tx: t, bucket: paperSummaries, nums: t.numbers(speciesPapers, n)}
}

// SpeciesFormulas returns the formulas that use a species, in answer order.
func (t *Tx) SpeciesFormulas(n Num) []Num { return t.numbers(speciesFormulas, n) }

// FormulaSummary returns the [FormulaSummary] of a formula.
func (t *Tx) FormulaSummary(n Num) Template { return t.answer(formulaSummaries, n) }

// FormulaDetail returns the [FormulaDetail] of a formula. Pass the same parts to [Template.Append].
func (t *Tx) FormulaDetail(n Num, show Parts) Template {
	stored := t.answer(formulaDetails, n)
	if stored == nil {
		return nil
	}
	b := t.buffers()
	before := len(b.rendered)
	out := appendDetail(t, b.rendered, stored, n, string(rune(markSite)), show)
	if out == nil {
		return nil
	}
	b.rendered = out
	return out[before:len(out):len(out)]
}

// AppendFormula finds a formula by its GUID, in any letter case, and appends its [FormulaDetail] to
// dst, as [Template.Append] does. ok is false if there is no such formula. out is nil if the bytes
// are damaged.
func (t *Tx) AppendFormula(dst []byte, guid, site string, show Parts) (out []byte, ok bool) {
	n, stored, ok := keyedFormulas.answer(t, formulaDetails, guid)
	if !ok {
		return dst, false
	}
	if stored == nil {
		return nil, true
	}
	return appendDetail(t, dst, stored, n, site, show), true
}

// IngredientCounts returns the number of ingredients of each formula. It is empty in a store that
// leaves out [Composition].
func (t *Tx) IngredientCounts() IngredientCounts { return t.get(formulaLinks, keyAll) }

// Pattern returns the value of a key of [Data.Patterns], or nil if the key is missing.
func (t *Tx) Pattern(key string) []byte { return t.get(formulaPatterns, []byte(key)) }

// HerbSummary returns the [HerbSummary] of a herb.
func (t *Tx) HerbSummary(n Num) Template { return t.answer(herbSummaries, n) }

// HerbDetail returns the [HerbDetail] of a herb.
func (t *Tx) HerbDetail(n Num) Template { return t.answer(herbDetails, n) }

// FindHerb returns the [HerbDetail] of the herb with a GUID, in any letter case. For the GUID of a
// merged name it returns the herb and sets [HerbDetail.AliasOf].
func (t *Tx) FindHerb(guid string) (Template, bool) {
	if _, detail, ok := keyedHerbs.answer(t, herbDetails, guid); ok {
		return detail, true
	}
	n, alias, ok := t.herbByAlias(guid)
	if !ok {
		return nil, false
	}
	return t.withAlias(t.HerbDetail(n), n, alias), true
}

// HerbFormulas returns the formulas that contain a herb, in answer order.
func (t *Tx) HerbFormulas(n Num) []Num { return t.numbers(herbFormulas, n) }

// PaperSummary returns the [PaperSummary] of a paper.
func (t *Tx) PaperSummary(n Num) Template { return t.answer(paperSummaries, n) }

// FindPaper returns the number and the [PaperSummary] of the paper with an id.
func (t *Tx) FindPaper(id string) (Num, Template, bool) {
	return keyedPapers.answer(t, paperSummaries, id)
}

// PaperNum finds a paper by its id.
func (t *Tx) PaperNum(id string) (Num, bool) { return keyedPapers.find(t, id) }

// PaperSpecies returns the list of [SpeciesSummary] of the species in a paper.
func (t *Tx) PaperSpecies(n Num) Rows {
	return Rows{tx: t, bucket: speciesSummaries, nums: t.numbers(paperSpecies, n)}
}

// list returns the list of answers that a bucket holds for record n. The list is empty if the
// bucket has none.
func (t *Tx) list(bucket []byte, n Num) Rows {
	v := t.record(bucket, n)
	if v == nil {
		return Rows{whole: Template("[]")}
	}
	whole := t.unpack(v)
	return Rows{whole: whole, damaged: whole == nil}
}
