package main

import (
	"strconv"
	"strings"
)

// nepalReference is the reference of every Himalayan use.
const nepalReference = "Shrestha, Bhandari & Bhattarai (2022), Plants of Nepal"

// uses fills the uses table: handwritten/uses.tsv for the general, economic
// and folk collections, Plants of Nepal for the Himalayan one.
func (s *sources) uses(out *pack, list *plants) error {
	put := func(p *plant, cells ...string) error {
		return out.add("uses", append([]string{strconv.Itoa(out.count("uses") + 1), p.id()}, cells...)...)
	}
	for _, r := range s.hand["uses"] {
		p, err := list.find("uses", r["species"])
		if err != nil {
			return err
		}
		if err := put(p, r["collection"], r["name_cited"], r["category"], r["part"], r["description"],
			r["ethnic_group"], r["country"], r["region"], r["reference"]); err != nil {
			return err
		}
	}
	for _, r := range s.nepal {
		p, _ := list.cited(r["scientific_name"])
		if p == nil {
			continue
		}
		for _, use := range splitUses(r["uses"]) {
			if err := put(p, "himalaya", r["scientific_name"], use.category, use.part, "", "", "NP", "", nepalReference); err != nil {
				return err
			}
		}
	}
	return nil
}

// cited returns the plant with the longest name at the start of a name with author. It also returns
// the rest, which is the author.
func (l *plants) cited(name string) (*plant, string) {
	words := strings.Fields(name)
	for n := len(words); n > 1; n-- {
		if p := l.byName[strings.Join(words[:n], " ")]; p != nil {
			return p, strings.Join(words[n:], " ")
		}
	}
	return nil, ""
}

// use is one phrase of Plants of Nepal.
type use struct{ category, part string }

// splitUses cuts "Medicine (root, bark), Food (fruit)." at the commas outside
// brackets.
func splitUses(text string) []use {
	var uses []use
	depth, from := 0, 0
	cut := func(phrase string) {
		category, part, _ := strings.Cut(strings.Trim(phrase, " ."), "(")
		if category = strings.ToLower(strings.TrimSpace(category)); category != "" {
			uses = append(uses, use{category, strings.TrimRight(part, ") ")})
		}
	}
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				cut(text[from:i])
				from = i + 1
			}
		}
	}
	cut(text[from:])
	return uses
}
