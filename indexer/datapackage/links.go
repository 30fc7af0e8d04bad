package datapackage

import (
	"fmt"

	"bencao/indexer/finding"
	"bencao/store"
)

var papersTable = table[store.Paper]{
	name: "papers",
	columns: []column[store.Paper]{
		required(as(RoleID, text("id", func(p *store.Paper) *string { return &p.ID }))),
		as(RoleIdentity, text("title", func(p *store.Paper) *store.Text { return &p.Title })),
		text("authors", func(p *store.Paper) *store.Text { return &p.Authors }),
		text("source", func(p *store.Paper) *store.Text { return &p.Source }),
		as(RoleNumber, checked("year", printedYear, func(p *store.Paper) *store.Text { return &p.Year })),
		identifier("doi", isDOI, "hold no DOI and are left out", "a DOI begins with 10.", func(p *store.Paper) *store.Text { return &p.DOI }),
		identifier("pubmed_id", isPubMedID, "hold no PubMed id and are left out", "a PubMed id is a number", func(p *store.Paper) *store.Text { return &p.PubMedID }),
		as(RoleID, link("url", func(p *store.Paper) *string { return &p.URL })),
	},
	keys: []key[store.Paper]{{"id", finding.PrimaryKey, func(p *store.Paper) any { return p.ID }}},
	add: func(l *loader, p *store.Paper, line int) {
		l.papers[p.ID] = true
		if p.Title == "" {
			l.untitled = append(l.untitled, line)
		}
		l.p.Papers = append(l.p.Papers, *p)
	},
	each: rowsOf(func(p *Package) []store.Paper { return p.Papers }),
}

// checkTitles reports how many papers have no title. They may be many, so one finding is for all.
func (l *loader) checkTitles() {
	if n := len(l.untitled); n > 0 {
		l.report(finding.Finding{
			Severity: finding.Warn, Code: finding.Untitled, Table: "papers", File: l.files["papers"], Line: l.untitled[0], Column: "title",
			Message: fmt.Sprintf("%d of %d papers have no title; this is the first", n, len(l.p.Papers)),
			Hint:    "add the titles; pages show the DOI instead",
		})
	}
}

var speciesPapersTable = table[SpeciesPaper]{
	name: "species_papers",
	columns: []column[SpeciesPaper]{
		required(as(RoleReference, integer("species_id", func(s *SpeciesPaper) *int32 { return &s.SpeciesID }))),
		required(text("paper_id", func(s *SpeciesPaper) *string { return &s.PaperID })),
	},
	keys: []key[SpeciesPaper]{{"species_id + paper_id", finding.PrimaryKey, func(s *SpeciesPaper) any { return *s }}},
	refs: []ref[SpeciesPaper]{
		toSpecies(func(s *SpeciesPaper) *int32 { return &s.SpeciesID }),
		{column: "paper_id", table: "papers",
			found: func(l *loader, s *SpeciesPaper) bool { return l.papers[s.PaperID] },
			value: func(s *SpeciesPaper) string { return s.PaperID }},
	},
	add:  func(l *loader, s *SpeciesPaper, _ int) { l.p.SpeciesPapers = append(l.p.SpeciesPapers, *s) },
	each: rowsOf(func(p *Package) []SpeciesPaper { return p.SpeciesPapers }),
}

var speciesFormulasTable = table[SpeciesFormula]{
	name: "species_formulas",
	columns: []column[SpeciesFormula]{
		required(as(RoleReference, integer("species_id", func(s *SpeciesFormula) *int32 { return &s.SpeciesID }))),
		required(as(RoleReference, integer("formula_id", func(s *SpeciesFormula) *int32 { return &s.FormulaID }))),
		text("evidence", func(s *SpeciesFormula) *string { return &s.Evidence }),
	},
	keys: []key[SpeciesFormula]{{"species_id + formula_id", finding.PrimaryKey, func(s *SpeciesFormula) any {
		return [2]int32{s.SpeciesID, s.FormulaID}
	}}},
	refs: []ref[SpeciesFormula]{
		toSpecies(func(s *SpeciesFormula) *int32 { return &s.SpeciesID }),
		toFormula("formula_id", func(s *SpeciesFormula) *int32 { return &s.FormulaID }),
	},
	add:  func(l *loader, s *SpeciesFormula, _ int) { l.p.SpeciesFormulas = append(l.p.SpeciesFormulas, *s) },
	each: rowsOf(func(p *Package) []SpeciesFormula { return p.SpeciesFormulas }),
}

var nameMatchesTable = table[NameMatch]{
	name: "name_matches",
	columns: []column[NameMatch]{
		required(as(RoleReference, integer("species_id", func(m *NameMatch) *int32 { return &m.SpeciesID }))),
		text("match_source", func(m *NameMatch) *string { return &m.MatchSource }),
		oneOf(matchTypeWords, text("match_type", func(m *NameMatch) *string { return &m.MatchType })),
		number("score", func(m *NameMatch) *float64 { return m.Score }, func(m *NameMatch, v float64) { m.Score = &v }),
		text("accepted_name", func(m *NameMatch) *store.Text { return &m.AcceptedName }),
		text("accepted_author", func(m *NameMatch) *store.Text { return &m.AcceptedAuthor }),
		text("accepted_family", func(m *NameMatch) *store.Text { return &m.AcceptedFamily }),
		text("taxon_status", func(m *NameMatch) *store.Text { return &m.TaxonStatus }),
		text("wcvp_id", func(m *NameMatch) *store.Text { return &m.WCVPID }),
		text("ipni_id", func(m *NameMatch) *store.Text { return &m.IPNIID }),
		text("wfo_id", func(m *NameMatch) *store.Text { return &m.WFOID }),
		text("chinese_name_col_china", func(m *NameMatch) *store.Text { return &m.ChineseNameColChina }),
		text("checklist_version", func(m *NameMatch) *store.Text { return &m.ChecklistVersion }),
	},
	keys: []key[NameMatch]{{"species_id", finding.PrimaryKey, func(m *NameMatch) any { return m.SpeciesID }}},
	refs: []ref[NameMatch]{toSpecies(func(m *NameMatch) *int32 { return &m.SpeciesID })},
	add: func(l *loader, m *NameMatch, _ int) {
		if m.MatchSource == "" {
			m.MatchSource = "database"
		}
		if m.MatchType == "" {
			m.MatchType = "exact"
		}
		l.p.NameMatches = append(l.p.NameMatches, *m)
	},
	each: rowsOf(func(p *Package) []NameMatch { return p.NameMatches }),
}
