package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordSet makes a set of space-separated words.
func wordSet(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	// openWords end a name whose species nobody named.
	openWords = wordSet("sp spp spec specs species indet undet ined sp1 sp2 unidentified")
	// qualifierWords say that the identification is in doubt.
	qualifierWords = wordSet("cf aff nr near ? cfr conf affin prox")
	// aggregateWords say that a group of species is meant.
	aggregateWords = wordSet("agg aggr aggreg coll complex s.l s.lat sens.lat agg.")
	// noteWords begin what is said about a name: what follows is no part of it.
	noteWords = wordSet("- or vel oder sensu sec auct auctt auctor auctorum non nec not nom nomen emend em orth sphalm comb stat pro ms mss in.ed ined incertae s.l s.lat s.str s.s s.ampl p.p sic corrig hort.non err typ vide fide basionym synonym syn excl incl pl partim quoad")
	// infragenericWords stand between the genus and a capitalised name.
	infragenericWords = map[string]string{
		"subgen": "subgen.", "subg": "subgen.", "subgenus": "subgen.", "sect": "sect.", "section": "sect.", "sectio": "sect.",
		"subsect": "subsect.", "subsectio": "subsect.", "ser": "ser.", "series": "ser.", "subser": "subser.", "div": "div.",
		"nothosect": "nothosect.", "nothosubsect": "nothosubsect.", "nothoser": "nothoser.", "nothosubgen": "nothosubgen.", "nothosubg": "nothosubgen.",
		"supersect": "supersect.", "grex": "grex", "trib": "trib.", "tr": "trib.", "subtrib": "subtrib.", "subtr": "subtrib.",
		"supertrib": "supertrib.", "subfam": "subfam.", "unr": "unr.",
	}
	// authorParticles are lower-case words that belong to authors.
	authorParticles = wordSet("ex in et and und y e de den der des del della degli di do dos da das du d' la las le les el los van von vom v zu zur zum ter ten af av bis f fil filius jun junior jr sen senior hort ap apud al alii bin ibn i o van't 't s'")
	// neverEpithets are words that only a broken text has where an epithet
	// should be.
	neverEpithets = wordSet("ex in et and of the und with from for mihi")
	// notNames begin texts that are no names; the drugs of pharmacopoeias
	// (Radix Ginseng) are among them.
	notNames = wordSet("not none no unidentified unknown undetermined undescribed unnamed unamed unassigned uncultured incertae inc inc.sed gen genn genus nomen taxon plant plants null nil na n/a unplaced various mixed indet undet sp spp tba test radix rhizoma herba flos fructus semen cortex folium caulis ramulus lignum bulbus pericarpium")
	kingdoms = wordSet("plantae viridiplantae chlorobionta fungi animalia bacteria chromista protista protozoa archaea")
	// oldFamilies are the eight families that do not end in -aceae.
	oldFamilies = map[string]string{
		"compositae": "asteraceae", "cruciferae": "brassicaceae", "gramineae": "poaceae", "guttiferae": "clusiaceae",
		"labiatae": "lamiaceae", "leguminosae": "fabaceae", "palmae": "arecaceae", "umbelliferae": "apiaceae",
	}
)

// wideFamilies are families that WCVP sees as parts of others (Christenhusz &
// Chase 2014, for ferns): each with the one that it is a part of there.
var wideFamilies = map[string]string{
	"arthropteridaceae": "polypodiaceae", "davalliaceae": "polypodiaceae", "didymochlaenaceae": "polypodiaceae", "dryopteridaceae": "polypodiaceae",
	"hypodematiaceae": "polypodiaceae", "lomariopsidaceae": "polypodiaceae", "nephrolepidaceae": "polypodiaceae", "oleandraceae": "polypodiaceae",
	"pteridryaceae": "polypodiaceae", "tectariaceae": "polypodiaceae",
	"athyriaceae": "aspleniaceae", "blechnaceae": "aspleniaceae", "cystopteridaceae": "aspleniaceae", "diplaziopsidaceae": "aspleniaceae",
	"onocleaceae": "aspleniaceae", "rhachidosoraceae": "aspleniaceae", "thelypteridaceae": "aspleniaceae", "woodsiaceae": "aspleniaceae",
	"cibotiaceae": "cyatheaceae", "dicksoniaceae": "cyatheaceae", "plagiogyriaceae": "cyatheaceae", "lygodiaceae": "schizaeaceae",
}

// wideFamily is the family that a folded one is a part of, or itself.
func wideFamily(f string) string {
	if w := wideFamilies[f]; w != "" {
		return w
	}
	return f
}

// isFamily says whether w is a family's name.
func isFamily(w string) bool {
	// Few words end as all families do; the others need not be folded.
	if n := len(w); n < 6 || w[n-2]|0x20 != 'a' || w[n-1]|0x20 != 'e' {
		return false
	}
	l := strings.ToLower(w)
	return len(l) > 7 && strings.HasSuffix(l, "aceae") || oldFamilies[l] != ""
}

// isAboveGenus says whether w ends like the name of a family, an order or a
// higher taxon.
func isAboveGenus(w string) bool {
	l := strings.ToLower(w)
	if isFamily(l) || kingdoms[l] {
		return true
	}
	for _, e := range []string{"ales", "opsida", "phyta", "phytina", "oideae", "mycota"} {
		if len(l) > len(e)+2 && strings.HasSuffix(l, e) {
			return true
		}
	}
	return false
}

// foldFamily brings a family's name to one form.
func foldFamily(w string) string {
	l := strings.ToLower(strings.TrimSpace(w))
	if f, ok := oldFamilies[l]; ok {
		return f
	}
	return l
}

// bare is w in lower case without full stops and commas at its end.
func bare(w string) string {
	return strings.ToLower(strings.TrimRight(w, ".,;:!"))
}

// shape says how a word is written.
type shape uint8

const (
	lower  shape = iota // all letters small
	title               // a capital, then small letters
	upper               // two capitals or more, no small letter
	mixed               // anything else
	single              // one capital letter
)

// shapeOf looks at letters only.
func shapeOf(w string) shape {
	caps, smalls, first := 0, 0, false
	for i, r := range w {
		switch {
		case r >= 'a' && r <= 'z':
			smalls++
		case unicode.IsUpper(r):
			caps++
			if i == 0 {
				first = true
			}
		case unicode.IsLower(r):
			smalls++
		}
	}
	switch {
	case caps == 0:
		return lower
	case smalls == 0 && caps == 1:
		return single
	case smalls == 0:
		return upper
	case first && caps == 1:
		return title
	}
	return mixed
}

// isWord says whether w is made of letters, with hyphens and apostrophes
// between them, as epithets and genera are.
func isWord(w string) bool {
	if w == "" {
		return false
	}
	prev := rune('-')
	for _, r := range w {
		if r == '-' || r == '\'' {
			if prev == '-' {
				return false
			}
			prev = r
			continue
		}
		if !(r < utf8.RuneSelf && isLetter(byte(r)) || r >= utf8.RuneSelf && unicode.Is(unicode.Latin, r)) {
			return false
		}
		prev = r
	}
	return prev != '-' && prev != '\''
}

// capitalise writes a word with a capital first letter; after a hyphen the
// letter stays small.
func capitalise(w string) string {
	l := strings.ToLower(w)
	r, n := utf8.DecodeRuneInString(l)
	return string(unicode.ToUpper(r)) + l[n:]
}
