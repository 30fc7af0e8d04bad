package main

import (
	"fmt"
	"strconv"
	"strings"
)

// plant is one row of the species table, with the values that the other tables need.
type plant struct {
	entry                          int
	name, author, rank             string
	chinese, family, familyChinese string
	genus, genusChinese            string
	wfo, ipni, wcvp                string // identifiers, empty when unknown
	nameInChina                    string // accepted name in the Chinese checklist, if it differs
	synonyms, herbs                []string
}

// id returns the value of the plant for columns called species_id.
func (p *plant) id() string { return strconv.Itoa(p.entry) }

// plants holds the rows of the species table.
type plants struct {
	all    []*plant
	byName map[string]*plant // by scientific name without author
}

// find returns the plant with a name from a handwritten table.
func (l *plants) find(table, name string) (*plant, error) {
	if p := l.byName[name]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("handwritten/%s.tsv: no species is called %q", table, name)
}

// species fills the species table from the source, handwritten/species.tsv, and the Himalayan
// plants in handwritten/himalaya.tsv.
func (s *sources) species(out *pack) (*plants, error) {
	list := &plants{byName: map[string]*plant{}}
	put := func(p *plant) *plant {
		p.entry = len(list.all) + 1
		list.all = append(list.all, p)
		list.byName[p.name] = p
		return p
	}
	for _, r := range s.plants {
		p := put(&plant{
			name: r["scientific_name"], author: strings.TrimSpace(r["authors"]), rank: strings.ToLower(r["rank"]),
			chinese: r["chinese_name"], family: r["family"], familyChinese: r["family_chinese"],
			genus: r["genus"], genusChinese: r["genus_chinese"],
			wfo: r["wfo_id"], ipni: r["ipni_id"], wcvp: r["wcvp_plant_name_id"], herbs: strings.Fields(r["herbs"]),
		})
		if a := r["accepted_name_china"]; a != p.name {
			p.nameInChina = a
		}
		for name := range strings.SplitSeq(r["synonyms_china"], "; ") {
			if name != "" && name != p.name {
				p.synonyms = append(p.synonyms, name)
			}
		}
	}
	for _, r := range append(s.hand["species"], s.hand["himalaya"]...) {
		p := list.byName[r["scientific_name"]]
		if p == nil {
			p = put(&plant{name: r["scientific_name"], wfo: r["wfo_id"]})
		}
		fill(&p.author, r["author"])
		fill(&p.chinese, r["chinese_name"])
		fill(&p.family, r["family"])
		fill(&p.familyChinese, r["family_chinese"])
		fill(&p.genusChinese, r["genus_chinese"])
	}
	for _, r := range s.nepal {
		if p, author := list.cited(r["scientific_name"]); p != nil {
			fill(&p.author, author)
			fill(&p.wfo, r["wfo_id"])
		}
	}
	pinyin := map[string]string{}
	for _, r := range s.hand["pinyin"] {
		pinyin[r["chinese_name"]] = r["pinyin"]
	}
	for _, p := range list.all {
		fill(&p.genus, strings.Fields(p.name)[0])
		fill(&p.rank, rankOf(p.name))
		if err := out.add("species", p.id(), guid("species", p.name), p.chinese, pinyin[p.chinese], p.name, p.author,
			p.rank, p.family, p.familyChinese, p.genus, p.genusChinese); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fill sets *to if it is empty.
func fill(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// rankOf returns the rank that the marker in a name indicates.
func rankOf(name string) string {
	for _, w := range strings.Fields(name) {
		switch w {
		case "subsp.":
			return "subspecies"
		case "var.":
			return "variety"
		case "f.":
			return "form"
		}
	}
	if strings.Contains(name, "'") {
		return "cultivar"
	}
	return "species"
}

// synonyms fills the synonyms table. The synonyms of handwritten/synonyms.tsv come first and have a
// status. The source's synonyms follow. They have the authors of WCVP or WFO, and the status
// synonym.
func (s *sources) synonyms(out *pack, list *plants) error {
	authors := map[string]string{}
	for _, r := range s.names {
		authors[r["taxon_name"]] = r["taxon_authors"]
	}
	seen := map[string]bool{}
	put := func(p *plant, name, author, status string) error {
		if key := p.name + "|" + name; seen[key] {
			return nil
		} else if status != "misapplied" {
			seen[key] = true
		}
		return out.add("synonyms", strconv.Itoa(out.count("synonyms")+1), p.id(), name, author, rankOf(name), status)
	}
	for _, r := range s.hand["synonyms"] {
		p, err := list.find("synonyms", r["species"])
		if err != nil {
			return err
		}
		if err := put(p, r["name"], r["author"], r["status"]); err != nil {
			return err
		}
	}
	for _, p := range list.all {
		names := p.synonyms
		if p.nameInChina != "" {
			names = append([]string{p.nameInChina}, names...)
		}
		for _, name := range names {
			if err := put(p, name, authors[name], "synonym"); err != nil {
				return err
			}
		}
	}
	return nil
}

// aliases fills the aliases table: herb names of the source, and well-known names of
// handwritten/aliases.tsv, which have a kind.
func (s *sources) aliases(out *pack, list *plants) error {
	seen := map[string]bool{}
	put := func(p *plant, name, kind, source string) error {
		if key := p.name + "|" + name; name == p.chinese || seen[key] {
			return nil
		} else {
			seen[key] = true
		}
		return out.add("aliases", p.id(), name, kind, source)
	}
	for _, r := range s.hand["aliases"] {
		p, err := list.find("aliases", r["species"])
		if err != nil {
			return err
		}
		for name := range strings.FieldsSeq(r["names"]) {
			if err := put(p, name, r["kind"], "common knowledge"); err != nil {
				return err
			}
		}
	}
	for _, p := range list.all {
		for _, herb := range p.herbs {
			if err := put(p, herb, "drug", "herb_species"); err != nil {
				return err
			}
		}
	}
	return nil
}

// flora fills the flora table. handwritten/flora.tsv gives the volume of each genus, and
// handwritten/pages.tsv the pages.
func (s *sources) flora(out *pack, list *plants) error {
	entries := map[string]row{}
	for _, r := range s.hand["pages"] {
		if _, err := list.find("pages", r["species"]); err != nil {
			return err
		}
		entries[r["species"]+"|"+r["flora"]] = r
	}
	volumes := map[string]row{}
	for _, r := range s.hand["flora"] {
		volumes[r["genus"]] = r
	}
	for _, p := range list.all {
		r, known := volumes[p.genus]
		if !known {
			continue
		}
		for _, f := range []struct{ flora, volume string }{{"FRPS", r["frps"]}, {"FOC", r["foc"]}} {
			if f.volume == "" {
				continue
			}
			entry := entries[p.name+"|"+f.flora]
			name := entry["name"]
			fill(&name, p.name)
			if err := out.add("flora", strconv.Itoa(out.count("flora")+1), p.id(), f.flora, name, p.chinese,
				f.volume, entry["page"]); err != nil {
				return err
			}
		}
	}
	return nil
}
