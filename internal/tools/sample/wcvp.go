package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// wcvpColumns is the header of the published wcvp_names.csv.
var wcvpColumns = strings.Fields(`plant_name_id ipni_id taxon_rank taxon_status family genus_hybrid genus
	species_hybrid species infraspecific_rank infraspecies parenthetical_author primary_author publication_author
	place_of_publication volume_and_page first_published nomenclatural_remarks geographic_area lifeform_description
	climate_description taxon_name taxon_authors accepted_plant_name_id basionym_plant_name_id replaced_synonym_author
	homotypic_synonym parent_plant_name_id powo_id hybrid_formula reviewed`)

// localID is the first plant_name_id for names whose WCVP number the sources do not give. Real
// numbers have seven digits.
const localID = 900_000_001

// wcvp writes a checklist in the form of the published wcvp_names.csv. It has the source's names,
// the names of handwritten/wcvp.tsv, and the synonyms in species.csv with their accepted names.
func (s *sources) wcvp(dir string, list *plants) error {
	var rows []row
	byName := map[string]row{} // the row to which a name without author refers
	next := localID
	put := func(r row) row {
		if r["plant_name_id"] == "" {
			r["plant_name_id"] = strconv.Itoa(next)
			next++
		}
		spell(r)
		rows = append(rows, r)
		if old, known := byName[r["taxon_name"]]; !known || old["taxon_status"] != "Accepted" {
			byName[r["taxon_name"]] = r
		}
		return r
	}
	accepted := map[string]string{} // accepted name of each handwritten name
	for _, r := range s.hand["wcvp"] {
		accepted[r["taxon_name"]] = r["accepted"]
	}
	for _, r := range s.names {
		own := row{}
		for _, c := range wcvpColumns {
			own[c] = r[c]
		}
		own["reviewed"] = "N"
		if own["taxon_status"] == "" {
			own["taxon_status"] = "Unplaced"
		}
		put(own)
	}
	for _, r := range s.hand["wcvp"] {
		if old := byName[r["taxon_name"]]; old != nil && r["homonym"] == "" {
			old["taxon_status"] = r["taxon_status"]
			fillCell(old, "taxon_authors", r["taxon_authors"])
			spell(old)
			continue
		}
		own := row{"plant_name_id": r["plant_name_id"], "taxon_rank": title(rankOf(r["taxon_name"])), "taxon_status": r["taxon_status"], "family": r["family"],
			"taxon_name": r["taxon_name"], "taxon_authors": r["taxon_authors"], "nomenclatural_remarks": r["remarks"], "reviewed": "N"}
		put(own)
		own["accepted"] = r["accepted"]
	}
	for _, r := range rows {
		name := r["taxon_name"]
		to := r["accepted"]
		if to == "" && r["taxon_status"] != "Accepted" && r["taxon_status"] != "Unplaced" {
			to = accepted[name]
		}
		switch {
		case r["taxon_status"] == "Accepted":
			r["accepted_plant_name_id"] = r["plant_name_id"]
		case to != "":
			a := byName[to]
			if a == nil || a["taxon_status"] != "Accepted" {
				return fmt.Errorf("handwritten/wcvp.tsv: %s: %q is no accepted name", name, to)
			}
			r["accepted_plant_name_id"] = a["plant_name_id"]
			fillCell(r, "family", a["family"])
		}
	}
	for _, p := range list.all {
		home := byName[p.name]
		if home == nil || home["accepted_plant_name_id"] == "" {
			continue
		}
		for _, name := range append(slices.Clone(p.synonyms), p.nameInChina) {
			if name == "" || byName[name] != nil || strings.ContainsAny(name, "'×") || strings.Contains(name, "subvar.") || strings.Count(name, ".") > 1 {
				continue
			}
			put(row{"taxon_rank": title(rankOf(name)), "taxon_status": "Synonym", "family": home["family"], "taxon_name": name,
				"accepted_plant_name_id": home["accepted_plant_name_id"], "reviewed": "N"})
		}
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		for _, c := range wcvpColumns {
			cells[i] = append(cells[i], r[c])
		}
	}
	return writeTabs(filepath.Join(dir, "wcvp_names.csv"), "|", wcvpColumns, cells)
}

// spell fills the columns that repeat parts of the name and the authors.
func spell(r row) {
	words := strings.Fields(r["taxon_name"])
	if r["genus"] == "" && len(words) > 1 {
		if words[0] == "×" {
			r["genus_hybrid"], words = "×", words[1:]
		}
		r["genus"], words = words[0], words[1:]
		if words[0] == "×" {
			r["species_hybrid"], words = "×", words[1:]
		}
		r["species"], words = words[0], words[1:]
		if len(words) == 2 {
			r["infraspecific_rank"], r["infraspecies"] = words[0], words[1]
		}
	}
	authors := r["taxon_authors"]
	if rest, ok := strings.CutPrefix(authors, "("); ok {
		r["parenthetical_author"], authors, _ = strings.Cut(rest, ") ")
	}
	r["primary_author"] = authors
}

// fillCell sets a cell that is still empty.
func fillCell(r row, column, value string) {
	if r[column] == "" {
		r[column] = value
	}
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
