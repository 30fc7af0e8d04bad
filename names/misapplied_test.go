package names_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
	authors "bencao/names/internal/author"
	"bencao/names/internal/checklist"
)

// TestMisapplied checks that a name that was only misapplied to a plant does not tell which plant is
// meant, unless the query says that it is misapplied, and that it never stands in the way of the name
// in its own sense.
func TestMisapplied(t *testing.T) {
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for _, u := range []names.Usage{
		{ID: "1", Name: "Ribes alpestre", Author: "Wall. ex Decne."},
		{ID: "2", Name: "Ribes grossularia", Author: "auct. non L. : Wallich", AcceptedID: "1"},
		{ID: "3", Name: "Malva sylvestris", Author: "L."},
		{ID: "4", Name: "Malva cathayensis", Author: "M.G.Gilbert, Y.Tang & Dorr"},
		{ID: "5", Name: "Malva sylvestris", Author: "auct. non L.", AcceptedID: "4"},
		{ID: "6", Name: "Combretum rotundifolium", Author: "Rich."},
		{ID: "7", Name: "Combretum secundum", Author: "sensu G.Don", AcceptedID: "6"},
		{ID: "8", Name: "Glycine max", Author: "(L.) Merr."},
		{ID: "9", Name: "Glycine soja", Author: "auct. non Siebold & Zucc. : Baker", AcceptedID: "8"},
		{ID: "10", Name: "Croton longifolius", Author: "Müll.Arg."},
		{ID: "11", Name: "Croton hancei", Author: "Benth."},
		{ID: "12", Name: "Croton longifolium", Author: "auct. non Wall.", AcceptedID: "11"},
		{ID: "13", Name: "Photinia impressivena", Author: "Hayata"},
		{ID: "14", Name: "Photinia amphidoxa", Author: "auct. non (C. K. Schneid.) Rehder & E. H. Wilson", AcceptedID: "13"},
	} {
		u.Rank, u.Status = "Species", names.Accepted
		if u.AcceptedID != "" {
			u.Status = names.Synonym
		}
		must(t, c.Add(u))
	}
	must(t, b.Checklist(names.Checklist{Source: checklist.SourceWFO, Name: "WFO", Version: "test"}).Add(
		names.Usage{ID: "15", Name: "Photinia amphidoxa", Rank: "species", Status: names.Unplaced}))
	must(t, b.Record(names.Record{EntryID: 1, ScientificName: "Glycine soja", Author: "Siebold & Zucc.", Rank: "species"}))
	ix := built(t, b)
	for _, tt := range []struct {
		name, author string
		accepted     string
		score        float64
		via          string
		others       int
	}{
		{"Ribes grossularia", "", "Ribes alpestre", 0.60, answer.ViaMisappliedName, 0},
		{"Ribes grossularia", "L.", "Ribes alpestre", 0.60, answer.ViaMisappliedName, 0},
		{"Ribes grossularia", "auct. non L.", "Ribes alpestre", 0.98, answer.ViaMisappliedName, 0},
		{"Ribes grossularia auct., non L.", "", "Ribes alpestre", 0.98, answer.ViaMisappliedName, 0},
		{"Malva sylvestris", "", "Malva sylvestris", 0.98, answer.ViaAcceptedName, 1},
		{"Malva sylvestris", "L.", "Malva sylvestris", 1, answer.ViaAcceptedName, 0},
		{"Malva sylvestris", "auct. non L.", "Malva cathayensis", 0.98, answer.ViaMisappliedName, 1},
		{"Combretum secundum", "", "Combretum rotundifolium", 0.60, answer.ViaMisappliedName, 0},
		{"Combretum secundum", "sensu G.Don", "Combretum rotundifolium", 0.98, answer.ViaMisappliedName, 0},
		{"Combretum secundum sensu G.Don", "", "Combretum rotundifolium", 0.98, answer.ViaMisappliedName, 0},
		{"Combretum secundum", "sensu lato", "Combretum rotundifolium", 0.60, answer.ViaMisappliedName, 0},
		{"Glycine soja", "", "Glycine soja", 0.98, answer.ViaAcceptedName, 1},
		{"Glycine soja", "Siebold & Zucc.", "Glycine soja", 1, answer.ViaAcceptedName, 0},
		{"Croton longifolium", "", "Croton longifolius", 0.97, answer.ViaAcceptedName, 1},
		{"Croton longifolium auct.", "", "Croton hancei", 0.98, answer.ViaMisappliedName, 0},
		{"Photinia amphidoxa", "", "", 0.98, answer.ViaUnplacedName, 1},
	} {
		r, err := ix.Match(names.Query{Name: tt.name, Author: tt.author})
		must(t, err)
		if len(r.Results) != 1+tt.others || string(r.Results[0].AcceptedName) != tt.accepted || r.Results[0].Score != tt.score ||
			r.MatchedVia != tt.via || r.Results[0].Flags.Has(answer.Ambiguous|answer.Homonym) {
			t.Errorf("%s %s: %s; want %q at %.2f by %s and %d others, unambiguous", tt.name, tt.author, render(r), tt.accepted, tt.score, tt.via, tt.others)
		}
	}
}

// TestMisappliedReal checks all misapplied names of WCVP: none is an answer to be accepted, by its
// name alone or with the author behind non; the name with the words of the checklist is.
func TestMisappliedReal(t *testing.T) {
	ix := sharedIndex(t)
	all := 0
	must(t, eachRow(filepath.Join(sharedDir(t), "data", "wcvp.zip"), "wcvp_names.csv", '|', func(row map[string]string) error {
		name, cited := row["taxon_name"], row["taxon_authors"]
		if !authors.IsMisapplied(cited) {
			return nil
		}
		all++
		_, right, _ := strings.Cut(cited, "non ")
		right, _, _ = strings.Cut(right, ":")
		for _, of := range []string{"", right} {
			r, err := ix.Match(names.Query{Name: name, Author: strings.TrimSpace(of)})
			must(t, err)
			if slices.ContainsFunc(r.Results, func(e names.Entry) bool { return e.TaxonStatus == "misapplied" && e.Score > 0.6 }) {
				t.Errorf("%s %s: %s, want less for a misapplied name", name, of, render(r))
			}
		}
		r, err := ix.Match(names.Query{Name: name, Author: cited})
		must(t, err)
		if r.MatchedVia != answer.ViaMisappliedName {
			t.Errorf("%s %s: by %s, %s; want the misapplied name", name, cited, r.MatchedVia, render(r))
		}
		return nil
	}))
	if all < 60 {
		t.Errorf("%d misapplied names, want 60 and more", all)
	}
}
