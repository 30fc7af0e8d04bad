package main

import (
	"strconv"
	"strings"
)

// nepalReference is the reference of every Himalayan use.
const nepalReference = "Shrestha, Bhandari & Bhattarai (2022), Plants of Nepal"

// uses fills the uses table. The general, economic and folk collections come from
// handwritten/uses.tsv. The Himalayan collection comes from Plants of Nepal.
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

// cited returns the plant in a name with author, and the author. The plant is the one with the
// longest name with which the text starts.
func (l *plants) cited(name string) (*plant, string) {
	words := strings.Fields(name)
	for n := len(words); n > 1; n-- {
		if p := l.byName[strings.Join(words[:n], " ")]; p != nil {
			return p, strings.Join(words[n:], " ")
		}
	}
	return nil, ""
}

// use is one use of a plant, as a phrase in Plants of Nepal describes it.
type use struct{ category, part string }

// splitUses splits a text such as "Medicine (root, bark), Food (fruit)." at the commas outside
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
