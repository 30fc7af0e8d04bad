package herb

import (
	"iter"
	"strings"
)

// declensions maps endings of genitives to endings of nominatives. Several rows may fit a word;
// callers keep only the nominatives that are names.
var declensions = []struct {
	genitive    string
	nominatives []string
}{
	{"", []string{""}},                                 // not declined: ginseng, officinarum, thunbergii, cannabis
	{"ae", []string{"a", "us", "um", "es"}},            // murrayae; an epithet may have the gender of another genus
	{"es", []string{"e", "es"}},                        // liriopes
	{"i", []string{"us", "um", "on", "os", "a", "is"}}, // rhei, crataegi, phellodendri; taraxaci
	{"is", []string{"", "es", "e", "us"}},              // asteris, achyranthis, amurensis
	{"idis", []string{"is", "as", "ides"}},             // coptidis
	{"adis", []string{"as"}},                           // asclepiadis
	{"iadis", []string{"ias"}},
	{"inis", []string{"o", "en", "is"}}, // plantaginis
	{"onis", []string{"o", "on"}},       // senecionis, platycodonis
	{"ontis", []string{"on"}},           // erigerontis
	{"icis", []string{"ex", "ix"}},      // ilicis, coicis
	{"acis", []string{"ax"}},            // smilacis
	{"ocis", []string{"ox"}},
	{"ucis", []string{"ux"}},
	{"ycis", []string{"yx"}},
	{"antis", []string{"as", "ans"}}, // impatiantis
	{"entis", []string{"ens"}},       // impatientis
	{"ndis", []string{"ns"}},         // juglandis
	{"atis", []string{"a", "as"}},    // alismatis, choerospondiatis
	{"otis", []string{"os"}},         // cissampelotis
	{"etis", []string{"es"}},
	{"itis", []string{"is", "ites"}},
	{"yis", []string{"ys"}}, // orostachyis
	{"yos", []string{"ys"}}, // nardostachyos
	{"eos", []string{"is"}},
	{"idos", []string{"is"}},
	{"opis", []string{"ops"}},      // echinopis
	{"oris", []string{"or", "us"}}, // majoris
	{"eris", []string{"er", "us"}}, // papaveris: papaver
	{"ris", []string{"er"}},        // acris
}

// nominatives yields the words whose genitive may be w. It yields each word once.
func nominatives(w string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var seen []string
		for _, d := range declensions {
			stem, ok := strings.CutSuffix(w, d.genitive)
			if !ok || len(stem) < 2 {
				continue
			}
			for _, end := range d.nominatives {
				n := stem + end
				if contains(seen, n) {
					continue
				}
				seen = append(seen, n)
				if !yield(n) {
					return
				}
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if s == t {
			return true
		}
	}
	return false
}

// Nominatives returns the scientific names whose genitive may be the stem, by the rules of Latin. A
// stem of one word gives genera (coptidis: coptis). A stem of two words gives a genus with an
// epithet (salviae miltiorrhizae: salvia miltiorrhiza) or the genera of two plants (erodii
// geranii). Nominatives returns only names for which known returns true. It passes names to known
// in lower case. It does not correct spelling.
func (n LatinName) Nominatives(known func(name string) bool) []string {
	var out []string
	genera := func(w string) (list []string) {
		for g := range nominatives(w) {
			if known(g) {
				list = append(list, g)
			}
		}
		return list
	}
	switch len(n.Stem) {
	case 0:
		return nil
	case 1:
		return genera(n.Stem[0])
	}
	for _, g := range genera(n.Stem[0]) {
		for e := range nominatives(n.Stem[1]) {
			if name := g + " " + e; known(name) {
				out = append(out, name)
			}
		}
	}
	if len(out) == 0 {
		for _, w := range n.Stem {
			out = append(out, genera(w)...)
		}
		if len(out) > 0 && len(genera(n.Stem[1])) == 0 {
			return nil // the stem has a genus beside a word that is neither an epithet nor a genus
		}
	}
	return out
}
