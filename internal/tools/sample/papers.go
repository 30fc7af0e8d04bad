package main

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// papers fills the tables papers and species_papers. It writes the handwritten papers, the source's
// papers with a title, and papers of which the source has only the DOI. It links a paper of the
// source to the species whose genus is in its title.
func (s *sources) papers(out *pack, list *plants) error {
	link := map[[2]string]bool{}
	connect := func(p *plant, paper string) error {
		if key := [2]string{p.id(), paper}; !link[key] {
			link[key] = true
			return out.add("species_papers", p.id(), paper)
		}
		return nil
	}
	byDOI := map[string]string{}
	for _, r := range s.hand["papers"] {
		byDOI[strings.ToLower(r["doi"])] = r["id"]
		if err := out.add("papers", r["id"], r["title"], r["authors"], r["source"], r["year"], r["doi"], r["pubmed_id"]); err != nil {
			return err
		}
		for name := range strings.SplitSeq(r["species"], "; ") {
			p, err := list.find("papers", name)
			if err != nil {
				return err
			}
			if err := connect(p, r["id"]); err != nil {
				return err
			}
		}
	}
	genera := map[string][]*plant{}
	for _, p := range list.all {
		genera[p.genus] = append(genera[p.genus], p)
	}
	for _, r := range s.papersRead {
		byDOI[strings.ToLower(r["doi"])] = r["id"]
		if err := out.add("papers", r["id"], r["title"], r["authors"], cite(r), r["year"], r["doi"]); err != nil {
			return err
		}
		words := map[string]bool{}
		for w := range strings.FieldsFuncSeq(r["title"], func(c rune) bool { return !unicode.IsLetter(c) }) {
			words[w] = true
		}
		for _, w := range slices.Sorted(maps.Keys(words)) {
			for _, p := range genera[w] {
				if err := connect(p, r["id"]); err != nil {
					return err
				}
			}
		}
	}
	for _, r := range s.paperLinks {
		p := list.byName[r["scientific_name"]]
		if p == nil {
			continue
		}
		id, known := byDOI[r["doi"]]
		if !known {
			id = "doi:" + r["doi"]
			byDOI[r["doi"]] = id
			if err := out.add("papers", id, "", "", "", "", r["doi"]); err != nil {
				return err
			}
		}
		if err := connect(p, id); err != nil {
			return err
		}
	}
	return nil
}

// cite formats journal, volume, number and pages as libraries do: "Taxon 63(2): 355–366".
func cite(r row) string {
	text := r["journal"]
	if r["volume"] != "" {
		text += " " + r["volume"]
	}
	if r["number"] != "" {
		text += "(" + r["number"] + ")"
	}
	if r["pages"] != "" {
		text += ": " + r["pages"]
	}
	return text
}
