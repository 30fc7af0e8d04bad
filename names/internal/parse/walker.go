package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// walker reads the words of a cleaned name from left to right.
type walker struct {
	p     *Parser
	n     *Name
	words []string
	i     int
	genus string // of the first parent, for the second part of a formula
	caps  bool   // the whole name is in capitals
	small bool   // the whole name is in small letters
	// doubted: the species is only compared with; no more can follow
	doubted bool
}

// walk fills n. It reports false if a word is nothing that it knows, so that
// somebody else should read the name.
func (w *walker) walk() bool {
	if len(w.words) == 0 {
		return true
	}
	if w.nowhere() {
		return true
	}
	w.look()
	w.leadingFamily()
	if w.i >= len(w.words) || notNames[bare(w.words[w.i])] && !w.p.isGenus(bare(w.words[w.i])) {
		return true
	}
	if !w.readGenus() {
		return w.n.Genus == "" && !w.likeName()
	}
	return w.rest()
}

// nowhere says whether the text says itself that it names nothing.
func (w *walker) nowhere() bool {
	for i, s := range w.words {
		b := bare(s)
		if strings.Contains(b, "incertaesedis") || strings.Contains(b, "inc.sed") ||
			i+1 < len(w.words) && (b == "incertae" || b == "inc") && strings.HasPrefix(bare(w.words[i+1]), "sed") {
			return true
		}
	}
	return false
}

// look notes the case of the whole name.
func (w *walker) look() {
	caps, smalls, titles := 0, 0, 0
	for _, s := range w.words {
		if !strings.ContainsFunc(s, unicode.IsLetter) || spelling.IsHybridSign(s) {
			continue
		}
		switch spelling.ShapeOf(s) {
		case spelling.Upper, spelling.Single:
			caps++
		case spelling.Lower:
			smalls++
		default:
			titles++
		}
	}
	w.caps = titles == 0 && smalls == 0 && caps > 0
	w.small = titles == 0 && caps == 0
}

func (w *walker) leadingFamily() {
	if len(w.words) < 2 || !spelling.IsFamily(bare(w.words[0])) {
		return
	}
	if w.words[1] == "-" && len(w.words) > 2 {
		w.words = append(w.words[:1:1], w.words[2:]...)
	}
	next := bare(w.words[1])
	if w.p.isGenus(next) || len(w.words) > 2 && spelling.IsWord(next) && spelling.ShapeOf(w.words[1]) == spelling.Title && spelling.IsWord(w.words[2]) && spelling.ShapeOf(w.words[2]) == spelling.Lower {
		w.n.Family = spelling.Capitalise(bare(w.words[0]))
		w.n.Flags |= vocabulary.FamilyHint
		w.i++
	}
}

// likeName says whether the words look like a name that gnparser may read.
func (w *walker) likeName() bool {
	if w.i >= len(w.words) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(w.words[w.i])
	return unicode.IsUpper(r) || r == '"' || r == '?'
}

// readGenus reads hybrid signs and the genus.
func (w *walker) readGenus() bool {
	n := w.n
	for w.i < len(w.words)-1 && spelling.IsHybridSign(w.words[w.i]) {
		n.HybridGenus = true
		w.i++
	}
	g := strings.TrimRight(w.words[w.i], ",;:")
	// xAgropogon, ×Agropogon is split already.
	if len(g) > 3 && (g[0] == 'x' || g[0] == 'X') && g[1] >= 'A' && g[1] <= 'Z' && spelling.ShapeOf(g[1:]) == spelling.Title {
		g = g[1:]
		n.HybridGenus = true
	}
	if w.genus != "" && spelling.ShapeOf(g) == spelling.Lower && spelling.IsWord(g) {
		n.Genus = w.genus
		return true // a formula's second part without its genus
	}
	if strings.HasSuffix(g, "?") {
		n.Flags |= vocabulary.Qualifier
		g = strings.TrimRight(g, "?")
	}
	if a := strings.TrimSuffix(g, "."); a != g || len(a) == 1 {
		return w.readAbbreviated(a)
	}
	if !spelling.IsWord(g) || utf8.RuneCountInString(g) < 2 || strings.Contains(g, "'") || oddHyphens(g) || strings.HasSuffix(w.words[w.i], ":") {
		return false
	}
	switch spelling.ShapeOf(g) {
	case spelling.Title:
	case spelling.Lower, spelling.Upper:
		known := w.p.isGenus(g)
		if !known && !w.caps && !w.small && !(spelling.ShapeOf(g) == spelling.Lower && len(w.words) > 1) {
			return false
		}
		if !known && (len(w.words) == w.i+1 || !w.plausible(w.words[w.i+1])) && w.small {
			return false
		}
		n.Flags |= vocabulary.CaseFixed
	default:
		if !w.p.isGenus(g) {
			// Hyphenated genera have two capitals: Uva-Ursi.
			if !strings.Contains(g, "-") {
				return false
			}
		}
		n.Flags |= vocabulary.CaseFixed
	}
	if strings.Contains(g, "-") {
		n.Genus = spelling.Capitalise(g)
	} else if spelling.ShapeOf(g) == spelling.Title {
		n.Genus = g
	} else {
		n.Genus = spelling.Capitalise(g)
	}
	w.i++
	return true
}

// oddHyphens says whether a word has its hyphens where no genus has them.
func oddHyphens(g string) bool {
	i := strings.IndexByte(g, '-')
	return i > 0 && (i < 3 || strings.Count(g, "-") > 2)
}

// plausible says whether a small-letter word after an unknown small-letter
// genus can be an epithet: without this "medicinal plants" would be a name.
func (w *walker) plausible(s string) bool {
	s = strings.TrimRight(s, ".,;")
	return spelling.IsHybridSign(s) || openWords[s] || spelling.IsWord(s) && w.p.isEpithet(s)
}

// readAbbreviated reads P. or Pan. before an epithet.
func (w *walker) readAbbreviated(a string) bool {
	n := w.n
	if !spelling.IsWord(a) || utf8.RuneCountInString(a) > 3 || w.i+1 >= len(w.words) {
		return false
	}
	if s := spelling.ShapeOf(a); s == spelling.Mixed {
		return false
	}
	n.Genus = spelling.Capitalise(a)
	if w.genus != "" && strings.HasPrefix(w.genus, n.Genus) {
		n.Genus = w.genus
	} else {
		n.Abbreviated = true
	}
	w.i++
	return true
}

// epithetAt says whether the word at i is an epithet, and its form.
func (w *walker) epithetAt(i int, sure bool) (string, bool) {
	if i >= len(w.words) {
		return "", false
	}
	s := strings.TrimRight(w.words[i], ",;:?")
	if s != "" && strings.HasSuffix(s, ".") && !strings.Contains(s[:len(s)-1], ".") && i == len(w.words)-1 && w.p.isEpithet(s[:len(s)-1]) {
		s = s[:len(s)-1] // the full stop ends the text
	}
	if h := strings.IndexByte(s, '-'); h > 0 && strings.Trim(s[:h], "0123456789") == "" && spelling.IsWord(s[h+1:]) && spelling.ShapeOf(s[h+1:]) == spelling.Lower {
		return s, true // 11-punctata
	}
	if !spelling.IsWord(s) || utf8.RuneCountInString(s) < 2 {
		return "", false
	}
	l := strings.ToLower(s)
	if neverEpithets[l] || i > 1 && strings.HasSuffix(w.words[i-1], ",") {
		return "", false
	}
	known := w.p.isEpithet(l)
	if authorParticles[l] && !known || noteWords[l] && !known {
		return "", false
	}
	switch spelling.ShapeOf(s) {
	case spelling.Lower:
		if authorParticles[l] && !sure {
			return "", false
		}
		if w.small && !sure && !known {
			return "", false
		}
		return s, true
	case spelling.Upper:
		if w.caps && (sure || known) {
			return l, true
		}
	case spelling.Title, spelling.Mixed:
		// A genus has no varieties: the word between is the species.
		if len(w.n.Epithets) == 0 && i+2 < len(w.words) && i == w.i && s == w.words[i] {
			if r, ok := spelling.RankWord(bare(w.words[i+1])); ok && r != "f." && spelling.ShapeOf(w.words[i+2]) == spelling.Lower {
				return l, true
			}
		}
		// Old spelling gave personal epithets a capital: Rosa Banksiae.
		genitive := strings.HasSuffix(l, "i") || strings.HasSuffix(l, "ae")
		if w.n.Genus != "" && (known && w.joins(l) || genitive && w.joinsNearly(l)) {
			return l, true
		}
		if strings.HasPrefix(l, "d'") && known {
			return l, true
		}
	}
	return "", false
}

// joins says whether the name so far, with epithet l, is in the index.
func (w *walker) joins(l string) bool { return w.p.isName(w.with(l)) }

// joinsNearly says whether it is there in another orthography.
func (w *walker) joinsNearly(l string) bool {
	key, _ := spelling.AppendKey(nil, w.with(l))
	return w.p.dict.HasVariant(key)
}

// with is the name so far, with epithet l.
func (w *walker) with(l string) string {
	var b strings.Builder
	b.WriteString(w.n.Genus)
	for _, e := range w.n.Epithets {
		b.WriteString(" " + e.Word)
	}
	b.WriteString(" " + l)
	return b.String()
}
