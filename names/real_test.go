package names_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
)

// TestHardInputs matches difficult names with the real checklists. testdata/match.txt has difficult
// names for the small checklists of the tests.
func TestHardInputs(t *testing.T) {
	ix := sharedIndex(t)
	tests := []struct {
		input, canonical, via               string
		accepted, wcvpID, ipniID, wfoID, zh string
		kind                                string
		score                               float64
		author                              string
		flags                               []string
	}{
		{"Salvia miltiorhiza Bge.", "Salvia miltiorhiza", answer.ViaAcceptedName, "Salvia miltiorrhiza", "183206", "456707-1", "wfo-0000301608", "丹参", answer.MatchVariant, 0.97, answer.AuthorCompatible, []string{"orthography"}},
		{"ACONITUM CARMICHAELI DEBX.", "Aconitum carmichaeli", answer.ViaAcceptedName, "Aconitum carmichaelii", "2618501", "707241-1", "wfo-0000517046", "乌头", answer.MatchVariant, 0.97, answer.AuthorCompatible, []string{"caseFixed", "orthography"}},
		{"Evodia rutaecarpa (Juss.) Benth.", "Evodia rutaecarpa", answer.ViaSynonym, "Tetradium ruticarpum", "2514718", "909759-1", "wfo-0000455303", "吴茱萸", answer.MatchVariant, 0.97, answer.AuthorCompatible, []string{"orthography"}},
		{"P. ginseng", "Panax ginseng", answer.ViaAcceptedName, "Panax ginseng", "146697", "91472-1", "wfo-0000263606", "人参", answer.MatchExact, 0.70, answer.AuthorNotGiven, []string{"genusExpanded"}},
		// The shared checklists accept Pleuropterus multiflorus.
		{"Polygonum multiflorum Thunb.", "Polygonum multiflorum", answer.ViaSynonym, "Pleuropterus multiflorus", "10057728", "695253-1", "wfo-0000488348", "何首乌", answer.MatchExact, 1, answer.AuthorSame, nil},
		{"Magnolia officinalis", "Magnolia officinalis", answer.ViaAcceptedName, "Magnolia officinalis", "117741", "554787-1", "wfo-0000233306", "厚朴", answer.MatchExact, 0.98, answer.AuthorNotGiven, []string{"checklistsDisagree"}},
		{"Citrus aurantium", "Citrus aurantium", answer.ViaAcceptedName, "Citrus × aurantium", "2723957", "59600-2", "wfo-0000607909", "酸橙", answer.MatchExact, 0.75, answer.AuthorNotGiven, []string{"hybridSignIgnored", "homonym", "ambiguous"}},
		{"Citrus aurantium L.", "Citrus aurantium", answer.ViaAcceptedName, "Citrus × aurantium", "2723957", "59600-2", "wfo-0000607909", "酸橙", answer.MatchExact, 1, answer.AuthorSame, []string{"hybridSignIgnored"}},
		{"Rubus calycinoides Hayata ex Koidz.", "Rubus calycinoides", answer.ViaSynonym, "Rubus rolfei", "2987018", "739788-1", "wfo-0001018240", "高山悬钩子", answer.MatchExact, 1, answer.AuthorSame, []string{"homonym"}},
		{"Ligusticum chuanxiong Hort.", "Ligusticum chuanxiong", answer.ViaSynonym, "Conioselinum anthriscoides 'Chuanxiong'", "2934837", "77221902-1", "wfo-1200010974", "川芎", answer.MatchExact, 0.98, answer.AuthorCompatible, nil},
		{"Araliaceae panax notoginseng (burk.) f.h. chen ex c.chow", "Panax notoginseng", answer.ViaAcceptedName, "Panax notoginseng", "146751", "91521-1", "wfo-0000263666", "三七", answer.MatchExact, 0.98, answer.AuthorCompatible, []string{"familyHint", "caseFixed"}},
		{"Cisus dicolor", "Cisus dicolor", answer.ViaAcceptedName, "Cissus discolor", "2722364", "869840-1", "wfo-0000606224", "", answer.MatchFuzzy, 0.77, answer.AuthorNotGiven, []string{"genusCorrected", "epithetCorrected"}},
		{"Malva spec.", "Malva", answer.ViaHigherRank, "Malva", "10181279", "60436984-2", "wfo-4000022983", "", answer.MatchHigherRank, 0.20, answer.AuthorNotGiven, []string{"openNomenclature"}},
	}
	for _, tt := range tests {
		r := match(ix, tt.input, "")
		if string(r.CanonicalName) != tt.canonical || r.MatchedVia != tt.via || len(r.Results) == 0 {
			t.Errorf("%s: %s, want canonical name %s via %s", tt.input, render(r), tt.canonical, tt.via)
			continue
		}
		e := r.Results[0]
		got := []string{string(e.AcceptedName), string(e.WCVPID), string(e.IPNIID), string(e.WFOID), e.MatchType, e.AuthorMatch}
		want := []string{tt.accepted, tt.wcvpID, tt.ipniID, tt.wfoID, tt.kind, tt.author}
		if !slices.Equal(got, want) || e.Score != tt.score || tt.zh != "" && string(e.ChineseName) != tt.zh {
			t.Errorf("%s: %q %s %.2f, want %q %s %.2f", tt.input, got, e.ChineseName, e.Score, want, tt.zh, tt.score)
		}
		for _, f := range tt.flags {
			if !slices.Contains(e.Flags, f) {
				t.Errorf("%s: flags %v lack %s", tt.input, e.Flags, f)
			}
		}
	}
	if r := match(ix, "Xqzwklerty Vbnmasdfgh", ""); r.MatchedVia != answer.ViaNone || len(r.Results) != 0 {
		t.Errorf("letters without meaning match: %s", render(r))
	}
}

// TestRealNamesFindThemselves checks that names of the real checklists are exact matches for
// themselves, with and without author.
func TestRealNamesFindThemselves(t *testing.T) {
	ix := sharedIndex(t)
	rng := rand.New(rand.NewPCG(3, 4))
	n, lost := 0, 0
	err := eachRow(filepath.Join(sharedDir(t), "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		if !*allNames && rng.IntN(60) > 0 {
			return nil
		}
		n++
		name := strings.Join(strings.Fields(strings.ReplaceAll(r["taxon_name"], "×", " × ")), " ")
		findsItself(t, ix, name, "")
		findsItself(t, ix, name, r["taxon_authors"])
		if a := r["taxon_authors"]; a != "" && !strings.HasPrefix(a, "auct") && a != "ined." && !strings.HasPrefix(a, "sensu") {
			together, err := ix.Match(names.Query{Name: name + " " + a, Limit: names.MaxLimit})
			if err != nil {
				if len([]rune(name+a)) < answer.MaxNameLen {
					t.Errorf("%s %s: %v", name, a, err)
				}
				return nil
			}
			if !slices.ContainsFunc(together.Results, func(e names.Entry) bool {
				return e.MatchType == answer.MatchExact && isName(e, name) && e.AuthorMatch != answer.AuthorDiffers && e.AuthorMatch != answer.AuthorNotGiven
			}) {
				// In a few rows of the checklist, the column of the author contains part of the
				// name.
				lost++
				t.Logf("%q + %q: %s", name, a, render(together))
			}
		}
		return nil
	})
	must(t, err)
	if lost > n/10_000+1 {
		t.Errorf("%d of %d names with their author do not find themselves; the log has them", lost, n)
	}
}
