package main

import (
	"fmt"
	"strconv"
	"strings"
)

// books maps a source book to the letters with which the codes of its formulas start.
var books = map[string]string{
	"《伤寒论》":      "SHL",
	"《金匮要略方论》":   "JGYL",
	"《备急千金要方》":   "QJYF",
	"《太平惠民和剂局方》": "HJJF",
	"《严氏济生方》":    "JSF",
	"《普济本事方》":    "BSF",
}

// formulas fills the tables formulas, formula_ingredients and formula_codes. The number in the
// source's identifier becomes the entry_id, so that the entry_id stays the same when formulas are
// added.
func (s *sources) formulas(out *pack, _ *plants) error {
	known := map[string]row{}
	for _, r := range s.hand["formulas"] {
		known[r["id"]] = r
	}
	place := map[string]int{}
	for _, f := range s.formulasRead {
		entry := strings.TrimLeft(strings.TrimPrefix(f.ID, "AF"), "0")
		if _, err := strconv.Atoi(entry); err != nil {
			return fmt.Errorf("formula %q: its id is not AF and a number", f.ID)
		}
		hand := known[f.ID]
		name := hand["name"]
		fill(&name, f.Name)
		roles := strings.Fields(hand["roles"])
		if len(roles) != 0 && len(roles) != len(f.Ingredients) {
			return fmt.Errorf("handwritten/formulas.tsv: %s: %d roles for %d ingredients", f.ID, len(roles), len(f.Ingredients))
		}
		if err := out.add("formulas", entry, guid("formulas", f.ID), name, hand["pinyin"], f.Composition, hand["efficacy"],
			f.Indications, f.Preparation, f.Dynasty, strconv.Itoa(f.Year), f.OriginalAuthor, f.OriginalSource, corrections.Replace(f.Section)); err != nil {
			return err
		}
		for i, in := range f.Ingredients {
			role := ""
			if len(roles) > 0 {
				role = roles[i]
			}
			if err := out.add("formula_ingredients", entry, strconv.Itoa(i+1), in.Name, in.Dose, processing(in.Note, in.Dose), role); err != nil {
				return err
			}
		}
		book, listed := books[f.OriginalSource]
		if !listed {
			return fmt.Errorf("formula %s: book %s has no letters for its code; add them to books", f.ID, f.OriginalSource)
		}
		place[book]++
		if err := out.add("formula_codes", entry, "bencao-sample", fmt.Sprintf("%s-%03d", book, place[book]),
			fmt.Sprintf("%s样本第%d方", f.OriginalSource, place[book])); err != nil {
			return err
		}
	}
	return nil
}

// corrections reverses wrong replacements that a character converter made in the headings of the
// transcriptions.
var corrections = strings.NewReplacer("香港脚", "脚气", "黄胆", "黄疸")

// processing removes the dose from a note that has a processing and a dose: from "去皮，三两" with
// the dose 三两 it returns 去皮.
func processing(note, dose string) string {
	var kept []string
	for part := range strings.SplitSeq(note, "，") {
		if part = strings.TrimSpace(part); part != "" && part != dose {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "，")
}

// herbs fills the table herb_species. The source gives one species for each herb.
// handwritten/herbs.tsv gives the parts, the years and the other species that the Chinese
// Pharmacopoeia allows. handwritten/herbs.tsv gives the herbs that are not plants.
func (s *sources) herbs(out *pack, list *plants) error {
	facts := map[string]row{}
	for _, r := range s.hand["herbs"] {
		if r["species"] == "" {
			facts[r["herb"]] = r
		}
	}
	for _, r := range s.herbSpecies {
		p := list.byName[r["scientific_name"]]
		if p == nil {
			return fmt.Errorf("herb_species.csv: no species is called %q", r["scientific_name"])
		}
		f := facts[r["herb"]]
		if err := out.add("herb_species", r["herb"], p.id(), f["part"], "", "true", "", f["from_year"], f["to_year"]); err != nil {
			return err
		}
	}
	for _, r := range s.hand["herbs"] {
		if r["species"] == "" {
			continue
		}
		p, err := list.find("herbs", r["species"])
		if err != nil {
			return err
		}
		part := r["part"]
		fill(&part, facts[r["herb"]]["part"])
		if err := out.add("herb_species", r["herb"], p.id(), part, r["authority"], "false", "", r["from_year"], r["to_year"]); err != nil {
			return err
		}
	}
	for _, r := range s.hand["drugs"] {
		if err := out.add("herb_species", r["herb"], "", r["part"], "", "", r["plain"]); err != nil {
			return err
		}
	}
	return nil
}
