package prescriptions

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"bencao/names/han"
	"bencao/names/herb"
)

// source is a source species of a drug.
type source struct{ guid, chinese, scientific, part, authority string }

// Package returns the files of a data package of the prescriptions: formulas, their ingredients under
// standard names, and the source species of these. "bencao index" reads it. A mention that is not sure
// stays in the text of the composition only, and a prescription that changes another one is left out.
func (s *Set) Package() []File {
	p := &packed{Set: s, species: map[string]int{}}
	var formulas, ingredients, herbs [][]string
	seen := map[int]bool{}
	for i := range s.Prescriptions {
		of := &s.Prescriptions[i]
		if of.Changes {
			continue
		}
		id := strconv.Itoa(len(formulas) + 1)
		name := of.ID
		if !han.Has(name) {
			name = "处方 " + name
		}
		formulas = append(formulas, []string{id, name, of.text()})
		seq := 0
		for _, d := range of.Drugs {
			for _, n := range d.drugs {
				seq++
				ingredients = append(ingredients, []string{id, strconv.Itoa(seq), s.base.drugs[n].name, s.packedDose(&d), d.Note})
				if !seen[n] {
					seen[n] = true
					herbs = append(herbs, p.herb(&s.base.drugs[n])...)
				}
			}
		}
	}
	return []File{
		plain("species.csv", []string{"entry_id", "guid", "chinese_name", "scientific_name", "rank"}, p.rows),
		plain("herb_species.csv", []string{"herb", "species_id", "part", "authority", "plain"}, herbs),
		plain("formulas.csv", []string{"entry_id", "name", "composition"}, formulas),
		plain("formula_ingredients.csv", []string{"formula_id", "seq", "herb", "dose", "note"}, ingredients),
		{"datapackage.json", func(w io.Writer) error {
			type resource struct {
				Name string `json:"name"`
				Path string `json:"path"`
			}
			var all []resource
			for _, name := range []string{"species", "herb_species", "formulas", "formula_ingredients"} {
				all = append(all, resource{name, name + ".csv"})
			}
			out := json.NewEncoder(w)
			out.SetIndent("", "  ")
			return out.Encode(map[string]any{"name": "prescriptions", "resources": all})
		}},
	}
}

// packedDose returns the dose of a drug. A number without a unit has none unless it is in grams.
func (s *Set) packedDose(d *Drug) string {
	if isNumber(strings.Trim(d.Dose, "$")) {
		if d.Grams == 0 {
			return ""
		}
		return number(d.Grams) + "g"
	}
	return strings.NewReplacer("$", "", "@", "").Replace(d.Dose)
}

// text returns the words of a prescription.
func (p *Prescription) text() string {
	var words []string
	for _, d := range p.Drugs {
		words = append(words, d.Written+d.Dose+d.Note)
	}
	return strings.Join(words, " ")
}

// packed collects the species of a package.
type packed struct {
	*Set
	species map[string]int // guid → entry id
	rows    [][]string
}

// herb returns the rows of a drug in herb_species. A row without a species says that it is no plant.
func (p *packed) herb(d *drug) (list [][]string) {
	for _, s := range d.sources {
		id, known := p.species[s.guid]
		if !known {
			id = len(p.species) + 1
			p.species[s.guid] = id
			p.rows = append(p.rows, []string{strconv.Itoa(id), s.guid, s.chinese, s.scientific, rankOf(s.scientific)})
		}
		list = append(list, []string{d.name, strconv.Itoa(id), s.part, s.authority, d.name})
	}
	if list == nil && (d.noPlant || herb.Lookup(d.name) == nil && !herb.HasRecord(d.name)) {
		list = append(list, []string{d.name, "", "", "", d.name})
	}
	return list
}

// rankOf returns the rank of a scientific name.
func rankOf(name string) string {
	switch {
	case strings.Contains(name, " var. "):
		return "variety"
	case strings.Contains(name, " subsp. "):
		return "subspecies"
	case strings.Contains(name, " f. "):
		return "form"
	case !strings.Contains(name, " "):
		return "genus"
	}
	return "species"
}

// plain returns a CSV file of a data package.
func plain(name string, head []string, all [][]string) File {
	return File{name, func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(head); err != nil {
			return err
		}
		return out.WriteAll(all)
	}}
}
