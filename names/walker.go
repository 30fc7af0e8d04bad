package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// walker reads the words of a cleaned name from left to right.
type walker struct {
	p     *parser
	n     *parsedName
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
		return w.n.genus == "" && !w.likeName()
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
		if !strings.ContainsFunc(s, unicode.IsLetter) || isHybridSign(s) {
			continue
		}
		switch shapeOf(s) {
		case upper, single:
			caps++
		case lower:
			smalls++
		default:
			titles++
		}
	}
	w.caps = titles == 0 && smalls == 0 && caps > 0
	w.small = titles == 0 && caps == 0
}

func (w *walker) leadingFamily() {
	if len(w.words) < 2 || !isFamily(bare(w.words[0])) {
		return
	}
	if w.words[1] == "-" && len(w.words) > 2 {
		w.words = append(w.words[:1:1], w.words[2:]...)
	}
	next := bare(w.words[1])
	if w.p.isGenus(next) || len(w.words) > 2 && isWord(next) && shapeOf(w.words[1]) == title && isWord(w.words[2]) && shapeOf(w.words[2]) == lower {
		w.n.family = capitalise(bare(w.words[0]))
		w.n.flags |= fFamilyHint
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
	for w.i < len(w.words)-1 && isHybridSign(w.words[w.i]) {
		n.hybridGenus = true
		w.i++
	}
	g := strings.TrimRight(w.words[w.i], ",;:")
	// xAgropogon, ×Agropogon is split already.
	if len(g) > 3 && (g[0] == 'x' || g[0] == 'X') && g[1] >= 'A' && g[1] <= 'Z' && shapeOf(g[1:]) == title {
		g = g[1:]
		n.hybridGenus = true
	}
	if w.genus != "" && shapeOf(g) == lower && isWord(g) {
		n.genus = w.genus
		return true // a formula's second part without its genus
	}
	if strings.HasSuffix(g, "?") {
		n.flags |= fQualifier
		g = strings.TrimRight(g, "?")
	}
	if a := strings.TrimSuffix(g, "."); a != g || len(a) == 1 {
		return w.readAbbreviated(a)
	}
	if !isWord(g) || utf8.RuneCountInString(g) < 2 || strings.Contains(g, "'") || oddHyphens(g) || strings.HasSuffix(w.words[w.i], ":") {
		return false
	}
	switch shapeOf(g) {
	case title:
	case lower, upper:
		known := w.p.isGenus(g)
		if !known && !w.caps && !w.small && !(shapeOf(g) == lower && len(w.words) > 1) {
			return false
		}
		if !known && (len(w.words) == w.i+1 || !w.plausible(w.words[w.i+1])) && w.small {
			return false
		}
		n.flags |= fCaseFixed
	default:
		if !w.p.isGenus(g) {
			// Hyphenated genera have two capitals: Uva-Ursi.
			if !strings.Contains(g, "-") {
				return false
			}
		}
		n.flags |= fCaseFixed
	}
	if strings.Contains(g, "-") {
		n.genus = capitalise(g)
	} else if shapeOf(g) == title {
		n.genus = g
	} else {
		n.genus = capitalise(g)
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
	return isHybridSign(s) || openWords[s] || isWord(s) && w.p.isEpithet(s)
}

// readAbbreviated reads P. or Pan. before an epithet.
func (w *walker) readAbbreviated(a string) bool {
	n := w.n
	if !isWord(a) || utf8.RuneCountInString(a) > 3 || w.i+1 >= len(w.words) {
		return false
	}
	if s := shapeOf(a); s == mixed {
		return false
	}
	n.genus = capitalise(a)
	if w.genus != "" && strings.HasPrefix(w.genus, n.genus) {
		n.genus = w.genus
	} else {
		n.expanded = true
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
	if h := strings.IndexByte(s, '-'); h > 0 && strings.Trim(s[:h], "0123456789") == "" && isWord(s[h+1:]) && shapeOf(s[h+1:]) == lower {
		return s, true // 11-punctata
	}
	if !isWord(s) || utf8.RuneCountInString(s) < 2 {
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
	switch shapeOf(s) {
	case lower:
		if authorParticles[l] && !sure {
			return "", false
		}
		if w.small && !sure && !known {
			return "", false
		}
		return s, true
	case upper:
		if w.caps && (sure || known) {
			return l, true
		}
	case title, mixed:
		// A genus has no varieties: the word between is the species.
		if len(w.n.epithets) == 0 && i+2 < len(w.words) && i == w.i && s == w.words[i] {
			if r, ok := rankWord(bare(w.words[i+1])); ok && r != "f." && shapeOf(w.words[i+2]) == lower {
				return l, true
			}
		}
		// Old spelling gave personal epithets a capital: Rosa Banksiae.
		genitive := strings.HasSuffix(l, "i") || strings.HasSuffix(l, "ae")
		if w.n.genus != "" && (known && w.joins(l) || genitive && w.joinsNearly(l)) {
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
	key, _ := appendKey(nil, w.with(l))
	return w.p.dict.hasVariant(key)
}

// with is the name so far, with epithet l.
func (w *walker) with(l string) string {
	var b strings.Builder
	b.WriteString(w.n.genus)
	for _, e := range w.n.epithets {
		b.WriteString(" " + e.word)
	}
	b.WriteString(" " + l)
	return b.String()
}
