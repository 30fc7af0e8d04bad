package indexer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bencao/indexer/finding"
	"bencao/indexer/herb"
	"bencao/store"
)

// maxUnlinked is the maximum length of the report's list of plain names that resolve to no species.
const maxUnlinked = 200

// sentenceChars are characters that are common in sentences and rare in the names of herbs.
const sentenceChars = "者之也则"

// reviewHerbs counts how many ingredients resolve to species. It reports the plain names that
// resolve to no species, the most frequent first, so that an editor can add these names to
// herb_species.
func (b *build) reviewHerbs() {
	r := &b.report.Herbs
	written := map[string]int{}
	for h := range herb.Written(b.pkg) {
		written[h]++
	}
	unlinked := map[string]int{}
	for i := range b.data.Formulas {
		f := &b.data.Formulas[i]
		if len(f.Unlisted) > 0 && !b.cfg.excludes("formula_ingredients") {
			r.Incomplete++
			b.log.Add(finding.Finding{
				Severity: finding.Warn, Code: finding.Unlisted, Table: "formula_ingredients", Column: "herb", Value: strings.Join(f.Unlisted, " "),
				Message: fmt.Sprintf("the text of formula %d names them, but its ingredients do not", f.EntryID), Hint: "add a row for each, with its dose",
			})
		}
		for j := range f.Ingredients {
			in := &f.Ingredients[j]
			plain := in.Plain
			if len(plain) > 1 {
				r.Together++
			}
			if why := b.doubtful(in, plain, written[in.Herb]); why != "" {
				r.Doubtful++
				b.log.Add(finding.Finding{
					Severity: finding.Warn, Code: finding.Herb, Table: "formula_ingredients", Column: "herb", Value: in.Herb,
					Message: fmt.Sprintf("formula %d, ingredient %d: %s", f.EntryID, in.Seq, why), Hint: "check whether it is a herb; if not, remove it",
				})
			}
			switch {
			case len(in.Species) > 0:
				r.Linked++
				continue
			case len(plain) > 0 && !slices.ContainsFunc(plain, func(p string) bool { return !b.herbs.NoPlant(p) }):
				r.NoPlant++
				continue
			}
			r.Unlinked++
			for _, p := range plain {
				if !b.herbs.NoPlant(p) {
					unlinked[p]++
				}
			}
		}
	}
	b.reportUnlinked(unlinked)
	b.reportDissents()
	r.Records = len(b.data.Herbs)
	for i := range b.data.Herbs {
		switch h := &b.data.Herbs[i]; {
		case len(h.Species) > 0:
			r.Sourced++
		case h.NoPlant:
			r.NoPlants++
		}
	}
}

// reportDissents reports the rows of herb_species whose plant is none that the pharmacopoeia gives the
// herb.
func (b *build) reportDissents() {
	for _, d := range b.herbs.Dissents(b.pkg) {
		s := &b.pkg.Species[d.Species]
		b.log.Add(finding.Finding{
			Severity: finding.Warn, Code: finding.Dissent, Table: "herb_species", Column: "species_id", Value: strconv.Itoa(int(s.EntryID)),
			Message: fmt.Sprintf("the row gives %s the species %s, and the Chinese Pharmacopoeia %s", d.Herb, s.ScientificName, strings.Join(d.Others, ", ")),
			Hint:    "check the species; if it is meant for formulas of some years, give from_year and to_year",
		})
	}
}

// doubtful returns the reason why an ingredient may not be a herb, or "".
func (b *build) doubtful(in *store.Ingredient, plain []string, written int) string {
	switch {
	case len(in.Species) > 0:
	case len(plain) == 0:
		return "an instruction, not a herb"
	case written == 1 && strings.ContainsAny(in.Herb, sentenceChars):
		return "reads like a part of a sentence, and occurs only once"
	case len(plain) == 1 && b.herbs.Remnant(plain[0]):
		return "only one character of the name remains"
	}
	return ""
}

// reportUnlinked reports the plain names that resolve to no species. count is the number of
// ingredients with each of these names.
func (b *build) reportUnlinked(count map[string]int) {
	r := &b.report.Herbs
	names := slices.SortedFunc(maps.Keys(count), func(x, y string) int {
		return cmp.Or(cmp.Compare(count[y], count[x]), strings.Compare(x, y))
	})
	r.First = []HerbCount{}
	for _, name := range names {
		if count[name] == 1 {
			r.Once++
			continue
		}
		if len(r.First) < maxUnlinked {
			r.First = append(r.First, HerbCount{name, count[name]})
		}
		f := finding.Finding{
			Severity: finding.Warn, Code: finding.Unlinked, Table: "formula_ingredients", Column: "herb", Value: name,
			Message: fmt.Sprintf("occurs in %d ingredients and resolves to no species", count[name]),
			Hint:    "add a row to herb_species: with its species; without a species if it is not a plant; or with its plain name in the column plain",
		}
		if lacking := b.herbs.Lacking(name); lacking != nil {
			f.Message += fmt.Sprintf(": it comes from %s, which the package does not have", strings.Join(lacking, " or "))
			f.Hint = "add the species to species.csv, or a row to herb_species with a species that the package has"
		}
		b.log.Add(f)
	}
}
