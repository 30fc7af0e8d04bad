package names_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/names"
)

// TestFalseFriends matches names that look like another spelling of a plant's name and mean another
// plant, or perhaps do. Without an author that confirms them, none may have a score of 0.9. True
// spellings of the same names must.
func TestFalseFriends(t *testing.T) {
	species := func(id, name, author, accepted string) names.Usage {
		u := names.Usage{ID: id, Name: name, Author: author, Status: names.Accepted}
		if accepted != "" {
			u.AcceptedID, u.Status = accepted, names.Synonym
		}
		return u
	}
	ix := smallIndex(t,
		species("1", "Vitis silvestrii", "Pamp.", ""),
		species("2", "Ranunculus vernus", "L.", ""),
		species("3", "Quercus virginiana", "Mill.", ""),
		species("4", "Senecio platensis", "Arechav.", ""),
		species("5", "Rorippa palustris", "(L.) Besser", ""),
		species("6", "Cardamine palustre", "Kuntze", "5"),
		species("7", "Cardamine amara", "L.", ""),
		species("8", "Cardamine hirsuta", "L.", ""),
		species("9", "Cardamine flexuosa", "With.", ""),
		species("10", "Aconitum brevicalcaratum", "(Finet & Gagnep.) Diels", ""),
		species("11", "Aconitum lycoctonum var. vulparium", "Regel", "10"),
		species("12", "Aconitum lycoctonum", "L.", ""),
		species("13", "Bidens cernua", "L.", ""),
		species("14", "Miconia valerioana", "Wurdack", ""),
		species("15", "Geonoma longivaginata", "H.Wendl.", ""),
		species("16", "Banksia cirsioides", "Meisn.", ""),
		names.Usage{ID: "16g", Name: "Banksia", Author: "L.f.", Status: names.Accepted},
		species("17", "Acacia macdonnelliensis", "Maconochie", ""),
		species("18", "Syzygium aromaticum", "(L.) Merr. & L.M.Perry", ""),
		species("19", "Pimenta pseudocaryophyllus", "(Gomes) Landrum", ""),
		species("20", "Eugenia caryophylla", "St.-Lég.", "19"),
		species("21", "Setaria pumila", "(Poir.) Roem. & Schult.", ""),
		species("22", "Setaria parviflora", "(Poir.) Kerguélen", ""),
		species("23", "Setaria pallidefusca", "(Schumach.) Stapf & C.E.Hubb.", "22"),
		species("24", "Carex flava", "L.", ""),
		species("25", "Ruellia elegans", "Poir.", ""),
		species("26", "Cestrum schistosum", "Francey", ""),
		species("27", "Poa alpina", "P.Beauv.", ""),
		species("28", "Myroxylon balsamum", "(L.) Harms", ""),
		species("29", "Corydalis kingii", "Prain", ""),
		species("30", "Carex chingii", "Nescio", ""),
		species("31", "Salix ionica", "Brullo, Scelsi & Spamp.", ""),
		species("32", "Ruellia simplex", "C.Wright", ""),
		species("33", "Packera plattensis", "(Nutt.) W.A.Weber & Á.Löve", ""),
		species("34", "Viola curtisiae", "(L.G.Adams) K.R.Thiele", ""),
		species("35", "Ranunculus × mejeri", "Brügger", ""),
		species("36", "Allium asirense", "", ""),
		species("37", "Syzygium kingii", "Merr.", ""),
		species("38", "Sorbus avonensis", "T.C.G.Rich", ""),
		species("39", "Ferocactus hamatacanthus", "(Muehlenpf.) Britton & Rose", ""),
		species("40", "Centaurea micrantha", "Hoffmanns. & Link", ""),
		species("41", "Erica micranthos", "Nescio", ""),
		species("42", "Juncus buchenavi", "Sved.", ""),
		species("43", "Tibouchina rigidula", "(Naudin) Wurdack", ""),
		species("44", "Rubus friesiorum", "Gáyer", ""),
		species("45", "Salvia chrysophila", "Stapf", ""),
		species("49", "Hydrangea macrophylla", "(Thunb.) Ser.", ""),
		species("46", "Quercus liaotungensis", "Koidz.", ""),
		species("47", "Cynoglossum officinale", "L.", ""),
		species("48", "Ipomoea pes-caprae", "(L.) R.Br.", ""),
		species("50", "Ocotea puberula", "(Rich.) Nees", ""),
		species("51", "Ocotea puberulenta", "Nescio", ""),
	)
	for _, tt := range []struct {
		name        string
		least, most float64
		accepted    string // the accepted name of the answer, if least is above 0
	}{
		{"Vitis silvestris", 0.7, 0.85, "Vitis silvestrii"}, // a genitive is no gender ending
		{"Ranunculus vernyi", 0.7, 0.85, "Ranunculus vernus"},
		{"Quercus virgiliana", 0.7, 0.8, "Quercus virginiana"}, // other namesakes
		{"Vitis silvestris C.C.Gmel.", 0, 0.69, ""},            // an author shows that it is another plant
		{"Ranunculus vernyi Franch. & Sav.", 0, 0.69, ""},
		{"Quercus virgiliana (Ten.) Ten.", 0, 0.69, ""},
		{"Senecio plattensis", 0.7, 0.85, "Senecio platensis"}, // another place, as in Packera plattensis
		{"Senecio plattensis Nutt.", 0, 0.69, ""},
		{"Allium akirense N.Friesen & Fragman", 0.7, 0.8, "Allium asirense"},
		{"Viola curtisii", 0.7, 0.85, "Viola curtisiae"}, // a man, not a woman
		{"Ranunculus meyeri Harv.", 0, 0.85, ""},         // no hybrid
		{"Viola curtissiae", 0.9, 1, "Viola curtisiae"},
		{"Syzygium kingi", 0.9, 1, "Syzygium kingii"},
		{"Allium asirensis", 0.9, 1, "Allium asirense"},
		{"Corydalis chingii", 0.7, 0.85, "Corydalis kingii"},    // Ching is not King
		{"Cardamine palustris", 0.7, 0.85, "Rorippa palustris"}, // has the gender of the genus
		{"Aconitum lycoctonum subsp. vulparia", 0, 0.65, ""},    // rank, ending and species differ
		{"Aconitum lycoctonum subsp. vulparium", 0.9, 1, "Aconitum brevicalcaratum"},
		{"Salix monica", 0.7, 0.85, "Salix ionica"}, // another first letter
		{"Roellia simplex", 0, 0, ""},               // a moss
		{"Bidens cernuus", 0.9, 1, "Bidens cernua"},
		{"Miconia valeriana", 0.9, 1, "Miconia valerioana"},
		{"Geonoma longevaginata", 0.9, 1, "Geonoma longivaginata"},
		{"Banksia cirsiodes", 0.9, 1, "Banksia cirsioides"},
		{"Acacia macdonnellensis", 0.9, 1, "Acacia macdonnelliensis"},
		{"Eugenia caryophyllus", 0.8, 0.9, "Syzygium aromaticum"}, // books on herbs have this name
		{"Setaria pumila subsp. pallidefusca", 0.4, 0.4, "Setaria pumila"},
		{"Carex flava var. alpina", 0.4, 0.4, "Carex flava"}, // no Spina Caricis
		{"Myroxlyon balsamum", 0.7, 1, "Myroxylon balsamum"}, // no Balsamum Myroxlyi
		{"Carex flava s.strictiss.", 0.98, 0.98, "Carex flava"},
		{"Carex flava s. orig.", 0.98, 0.98, "Carex flava"},
		{"Carex flava キ", 0.98, 0.98, "Carex flava"}, // a common name in another script is no author
		{"Carex flava subagg.", 0.98, 0.98, "Carex flava"},
		{"Carex flava-Hybriden", 0.98, 0.98, "Carex flava"},
		{"Carex ignota, Carex flava", 0.5, 0.5, "Carex flava"}, // the first name is in no list
		{"Carex flava, Carex flavus", 0.98, 0.98, "Carex flava"},
		{"Vitis silvestrii × Vitis ignota", 0.7, 0.85, "Vitis silvestrii"},
		{"Sorbus arvonensis", 0.7, 0.85, "Sorbus avonensis"}, // another place, and few names have the epithet
		{"Sorbus arvonensis T.C.G.Rich", 0.9, 1, "Sorbus avonensis"},
		{"Ferocactus haematacanthus", 0.7, 0.85, "Ferocactus hamatacanthus"}, // blood is no hook
		{"Centaurea micranthos", 0.7, 0.85, "Centaurea micrantha"},           // a known Greek word
		{"Centaurea micranthus", 0.9, 1, "Centaurea micrantha"},
		{"Juncus × buchenaui", 0.7, 0.85, "Juncus buchenavi"}, // a hybrid
		{"Juncus buchenaui", 0.9, 1, "Juncus buchenavi"},
		{"Tibouchina frigidula", 0.7, 0.85, "Tibouchina rigidula"}, // a letter more at the start
		{"Quercus iaotungensis", 0.9, 1, "Quercus liaotungensis"},
		{"Rubus friesii", 0.7, 0.85, "Rubus friesiorum"}, // one person, not several
		{"Salvia chrysophylla", 0.7, 0.85, "Salvia chrysophila"},
		{"Hydrangea macrophilla", 0.9, 1, "Hydrangea macrophylla"},
		{"Cinoglossum officinale", 0.9, 1, "Cynoglossum officinale"}, // Cynoglossus is a fish
		{"Ipomoea pes caprae L.", 0.9, 1, "Ipomoea pes-caprae"},      // a hyphen is missing
		{"Buellia elegans", 0, 0, ""},                                // a lichen
		{"Cnestrum schistosum", 0, 0, ""},
		{"Poa alpina Beauverd", 0.9, 0.9, "Poa alpina"}, // no homonym is listed
		{"Banksia Meisn.", 0.9, 0.9, "Banksia"},         // who has named species of it
		{"Hydrangea macrophulla 'Alba'", 0.9, 1, "Hydrangea macrophylla"},
		{"Ocotea puberulen.", 0.7, 0.85, "Ocotea puberulenta"}, // cut off
		{"Ocotea puber.", 0, 0, ""},                            // two species begin like this
	} {
		r := match(ix, tt.name, "")
		score, accepted := 0.0, ""
		if len(r.Results) > 0 {
			score, accepted = r.Results[0].Score, string(r.Results[0].AcceptedName)
		}
		if score < tt.least || score > tt.most || tt.least > 0 && accepted != tt.accepted {
			t.Errorf("%s: %s, want %s at %.2f to %.2f", tt.name, render(r), tt.accepted, tt.least, tt.most)
		}
	}
	if r := match(ix, "Acacia macdonnelliartis Nescio", ""); len(r.Results) > 0 {
		t.Errorf("three letters and the author differ: %s", render(r))
	}
}

// TestHerbLatinBesideChinese checks that pharmaceutical Latin and the Chinese name beside it are both
// evidence. If they name different plants, the plant of the Latin comes first, with a flag and below
// 0.9. If nobody knows the Latin, the answer is not exact.
func TestHerbLatinBesideChinese(t *testing.T) {
	b := names.NewBuilder()
	for i, r := range []names.Record{
		{ScientificName: "Glehnia littoralis", Author: "F.Schmidt ex Miq.", ChineseName: "珊瑚菜"},
		{ScientificName: "Adenophora stricta", Author: "Miq.", ChineseName: "沙参"},
		{ScientificName: "Acorus calamus", Author: "L.", ChineseName: "菖蒲"},
		{ScientificName: "Lonicera japonica", Author: "Thunb.", ChineseName: "忍冬"},
		{ScientificName: "Lonicera macrantha", Author: "(D.Don) Spreng.", ChineseName: "大花忍冬"},
		{ScientificName: "Panax ginseng", Author: "C.A.Mey.", ChineseName: "人参"},
		{ScientificName: "Ceratonia siliqua", Author: "L.", ChineseName: "长角豆"},
	} {
		r.EntryID, r.Rank = int32(i+1), "species"
		must(t, b.Record(r))
	}
	ix := built(t, b)
	for _, tt := range []struct {
		latin, chinese, accepted string
		least, most              float64
		flag                     string
	}{
		{"Radix Glehniae", "菖蒲", "Glehnia littoralis", 0.7, 0.85, "chineseNameDiffers"},
		{"Radix Glehniae", "沙参", "Glehnia littoralis", 0.7, 0.85, "chineseNameDiffers"}, // the same only up to 1765
		{"Radix Glehniae", "北沙参", "Glehnia littoralis", 0.9, 1, ""},
		{"Flos Lonicerae", "金银花", "Lonicera japonica", 0.9, 1, ""}, // the Latin gives only the genus
		{"Radix Nescioquae", "人参", "Panax ginseng", 0.7, 0.75, "nameNotFound"},
		{"Panax ignotus", "人参", "Panax ginseng", 0.6, 0.75, "nameNotFound"},
		{"Panax ginseng C.A.Mey.", "沙参", "Panax ginseng", 0.9, 1, "chineseNameDiffers"}, // the author confirms it
		{"Panax ginseng", "沙参", "Panax ginseng", 0.7, 0.85, "chineseNameDiffers"},
		{"Ceratonia siliqua L.", "长角豆", "Ceratonia siliqua", 1, 1, ""}, // no Siliqua Ceratoniae
	} {
		r, err := ix.Match(names.Query{Name: tt.latin, ChineseName: tt.chinese})
		if err != nil || len(r.Results) == 0 {
			t.Errorf("%s beside %s: %v, %s", tt.latin, tt.chinese, err, render(r))
			continue
		}
		e := r.Results[0]
		flagged := slices.ContainsFunc(e.Flags, func(f string) bool { return f == "chineseNameDiffers" || f == "nameNotFound" })
		if string(e.AcceptedName) != tt.accepted || e.Score < tt.least || e.Score > tt.most || flagged != (tt.flag != "") || flagged && !slices.Contains(e.Flags, tt.flag) {
			t.Errorf("%s beside %s: %s, want %s at %.2f to %.2f with %q", tt.latin, tt.chinese, render(r), tt.accepted, tt.least, tt.most, tt.flag)
		}
		if tt.flag == "nameNotFound" && e.MatchType == names.MatchExact {
			t.Errorf("%s beside %s: exact, although nobody knows the Latin", tt.latin, tt.chinese)
		}
	}
}

// TestBracketsBesideChinese checks that the Chinese name in an answer has no bracket that encloses the
// Latin name beside it.
func TestBracketsBesideChinese(t *testing.T) {
	ix := fixture(t)
	for _, text := range []string{"人参(Ginseng Radix)", "Ginseng Radix (人参)", "人参 (Ginseng Radix)"} {
		if r := match(ix, text, ""); r.CanonicalName != "人参" || len(r.Results) == 0 {
			t.Errorf("%s: %s, want 人参", text, render(r))
		}
	}
	for text, canonical := range map[string]string{
		"丹参（丹参、人参）":         "丹参（丹参、人参）",     // what is in brackets is no list
		"不明物 Ginseng Radix": "Ginseng Radix", // the Chinese name is unknown
	} {
		if r := match(ix, text, ""); string(r.CanonicalName) != canonical || len(r.Results) == 0 {
			t.Errorf("%s: %s, want %s", text, render(r), canonical)
		}
	}
	const autonym = "Salvia miltiorrhiza var. miltiorrhiza"
	if r := match(ix, "丹参1(原变种)", ""); best(r).MatchedName != autonym {
		t.Errorf("丹参1(原变种): %s, want %s", render(r), autonym)
	}
}

// TestSisterSpecies checks that two edits are accepted in the epithet of an author who named other
// species of the genus if it is formed from the name of a person, or begins with the same eight letters.
func TestSisterSpecies(t *testing.T) {
	ix := sharedIndex(t)
	for name, want := range map[string]string{ // from the names in the Red List that botanists matched with WCVP
		"Boesenbergia albolutea (Baker) Schltr.": "Boesenbergia albolutens",
		"Cousinia lomakinii C.Winkl.":            "Cousinia lamakini",
		"Limonium duriaei (Girard) Kuntze":       "Limonium durieui",
		"Miconia doniana Naudin":                 "Miconia donaeana",
		"Solanum edmonstonei Hook.f.":            "Solanum edmondstonii",
		"Ixora regalis De Block":                 "g:Ixora", // not I. pedalis De Block
	} {
		if r := match(ix, name, ""); !isNamed(r, want) {
			t.Errorf("%s: %s, want %s", name, render(r), want)
		}
	}
}

// TestPublicLists matches judged names of public lists: names-4 of sixteen, names-5 of thirty others
// and of reports of other matchers. The names are sorted by kind.
func TestPublicLists(t *testing.T) {
	ix := sharedIndex(t)
	belowTake := func(r names.Response, want string) bool {
		return len(r.Results) == 0 || r.Results[0].Score < names.ScoreTake || isNamed(r, want)
	}
	named := func(least float64) func(r names.Response, want string) bool {
		return func(r names.Response, want string) bool { return isNamed(r, want) && r.Results[0].Score >= least }
	}
	for _, kind := range []struct {
		file  string
		right func(r names.Response, want string) bool
		least float64 // the share that must be right
	}{
		{"names-4/pairs", isNamed, 1},
		{"names-4/falsefriends", belowTake, 1},
		{"names-4/cells", func(r names.Response, want string) bool {
			return isNamed(r, want) && r.Results[0].Score < names.ScoreTake
		}, 1},
		{"names-4/variants", named(names.ScoreLook), 0.99},
		{"names-4/synonyms", isNamed, 1},
		{"names-4/nonplants", func(r names.Response, _ string) bool { return len(r.Results) == 0 }, 1},
		{"names-4/herbs", isNamed, 0.99},
		{"names-4/issues", isNamed, 0.99},
		{"names-5/falsefriends", belowTake, 1},
		{"names-5/cells", isNamed, 0.9},
		{"names-5/variants", named(0.6), 0.96},
		{"names-5/synonyms", isNamed, 1},
		{"names-5/nonplants", func(r names.Response, want string) bool {
			return len(r.Results) == 0 || r.Results[0].Score < names.ScoreLook || isNamed(r, want)
		}, 1},
		{"names-5/herbs", func(r names.Response, want string) bool {
			return isNamed(r, want) || len(r.Results) == 0 && strings.Contains(want, "none")
		}, 1},
		{"names-5/issues", func(r names.Response, want string) bool {
			return isNamed(r, want) || strings.Contains(want, "none") && (len(r.Results) == 0 || onlyGenus(r.Results[0]))
		}, 1},
	} {
		all, right := 0, 0
		for row := range judged(t, filepath.Join(sharedDir(t), "golden", kind.file+".tsv")) {
			q := names.Query{Name: row["input"]}
			if kind.file == "names-4/pairs" {
				q.Name, q.ChineseName, _ = strings.Cut(row["input"], " + ")
			}
			r, err := ix.Match(q)
			must(t, err)
			all++
			if kind.right(r, row["expected"]) {
				right++
			} else {
				t.Logf("%s: %s: %s, want %s (%s)", kind.file, row["input"], render(r), row["expected"], row["note"])
			}
		}
		if all == 0 || float64(right) < kind.least*float64(all) {
			t.Errorf("%s: %d of %d are right, want %.2f", kind.file, right, all, kind.least)
		}
	}
}

// isNamed reports whether the first entry has one of the names in want, which have a bar between
// them. A name after g: is a genus. If the entry is ambiguous, the other entries count too.
func isNamed(r names.Response, want string) bool {
	for i, e := range r.Results {
		if i > 0 && !slices.Contains(r.Results[0].Flags, "ambiguous") {
			return false
		}
		for name := range strings.SplitSeq(want, "|") {
			name = words(strings.TrimPrefix(name, "g:"))
			if words(string(e.MatchedName)) == name || words(string(e.AcceptedName)) == name || words(string(e.AcceptedNameColChina)) == name {
				return true
			}
		}
	}
	return false
}
