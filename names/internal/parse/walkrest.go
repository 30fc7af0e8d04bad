package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/spelling"
	"bencao/names/internal/vocabulary"
)

// rest reads what follows the genus: epithets, rank words, authors, notes.
func (w *walker) rest() bool {
	n := w.n
	var author []string // of the epithet before, until another follows
	rank, hybrid, doubt := "", false, false
	addEpithet := func(word string) {
		if strings.ToLower(w.words[w.i]) != w.words[w.i] {
			n.Flags |= vocabulary.CaseFixed
		}
		if doubt && len(n.Epithets) == 0 {
			w.doubted = true
		}
		if strings.HasSuffix(w.words[w.i], "?") {
			n.Flags |= vocabulary.Qualifier
		}
		n.Epithets = append(n.Epithets, Epithet{rank, strings.ToLower(word), hybrid})
		author, rank, hybrid, doubt = nil, "", false, false
		w.i++
	}
	for w.i < len(w.words) {
		s := w.words[w.i]
		b := bare(s)
		_, isRank := spelling.RankWord(b)
		switch {
		case spelling.IsHybridSign(s) && w.i+1 < len(w.words):
			hybrid = true
			w.i++
			continue
		case spelling.IsHybridSign(s):
			w.i++
			continue
		case strings.HasPrefix(s, "(") && len(n.Epithets) == 0 && len(author) == 0 && w.subgenus():
			continue
		case b == "?" && len(n.Epithets) == 0 && len(author) == 0:
			n.Flags |= vocabulary.Qualifier | vocabulary.OpenNomenclature
			n.OpenGenus = true
			return w.done(nil)
		case b == "spp" && len(n.Epithets) > 0:
			// Often a slip for ssp.; the checklists know.
			if word, ok := w.epithetAt(w.i+1, true); !ok || !w.joins(word) {
				n.Flags |= vocabulary.OpenNomenclature
				return w.done(author)
			}
			rank = "subsp."
			w.i++
			continue
		case strings.Trim(s, ",.;") == n.Genus && len(n.Epithets) > 0 && w.i > 1:
			n.Flags |= vocabulary.AnnotationIgnored
			return w.done(author) // the name again
		case (b == "aff" || b == "affin" || b == "nr" || b == "near" || b == "prox") && len(n.Epithets) == 0 && len(author) == 0:
			// Near that species, and so another one.
			n.Flags |= vocabulary.Qualifier | vocabulary.OpenNomenclature
			n.OpenGenus = true
			return w.done(nil)
		case qualifierWords[b] && (b != "nr" && b != "near" && b != "prox" || len(author) == 0) && !w.p.isEpithet(b):
			n.Flags |= vocabulary.Qualifier
			doubt = true
			w.i++
			continue
		case aggregateWords[b] && w.i > 0 && (len(n.Epithets) > 0 || strings.HasSuffix(s, ".")) && !(b == "complex" && len(n.Epithets) == 0):
			n.Flags |= vocabulary.Aggregate
			w.i++
			continue
		case len(n.Epithets) == 0 && w.isOpen(b):
			n.Flags |= vocabulary.OpenNomenclature
			n.OpenGenus = true
			return w.done(nil)
		case len(n.Epithets) == 0 && w.infrageneric(b):
			return true
		case w.isNote(s, b):
			w.note(b)
			return w.done(author)
		case w.i > 0 && spelling.IsFamily(strings.Trim(b, "()")):
			n.Family = spelling.Capitalise(strings.Trim(b, "()"))
			n.Flags |= vocabulary.FamilyHint
			w.i++
			continue
		case (b == "cv" || b == "cultivar" || len(author) == 0 && (b == "group" || b == "grex" || b == "gx")) && (s != "group" || len(n.Epithets) > 0) && w.i+1 < len(w.words) && bare(w.words[w.i+1]) != "ex":
			n.Cultivar = strings.Trim(strings.Join(w.words[w.i+1:], " "), "'\". ")
			return w.done(author)
		case isRank && len(n.Epithets) > 0 && w.rankAt(b, &rank, len(author) > 0):
			continue
		case (b == "species" || b == "group" || b == "complex") && len(n.Epithets) > 0 && len(author) == 0 && !w.p.isEpithet(b):
			n.Flags |= vocabulary.Aggregate
			return w.done(nil)
		case isGreek(b) && len(n.Epithets) > 0 && w.i+1 < len(w.words):
			w.i++
			continue
		}
		if strings.HasPrefix(s, "st.-") || strings.HasPrefix(s, "St.-") {
			w.words[w.i] = strings.ToLower(s[:2]) + s[3:]
		}
		if t := strings.TrimPrefix(s, "x"); t != s && !hybrid && spelling.IsWord(t) && !w.p.isEpithet(s) && w.joins(t) {
			// A sign that is glued on: Mentha xpiperita.
			w.words[w.i], hybrid = t, true
		}
		if word, ok := w.epithetAt(w.i, rank != "" || len(n.Epithets) == 0 && len(author) == 0); ok && w.takes(word, author, rank) {
			addEpithet(word)
			continue
		}
		if rank != "" || doubt && len(n.Epithets) == 0 && len(author) == 0 {
			// A rank or cf. without an epithet behind it.
			if len(n.Epithets) > 0 {
				n.Flags |= vocabulary.OpenNomenclature
			} else {
				n.OpenGenus = true
			}
			return w.done(author)
		}
		if !isAuthorText(s) {
			return w.oddWord(author)
		}
		author = append(author, s)
		w.i++
	}
	if rank != "" {
		n.Flags |= vocabulary.OpenNomenclature
	}
	if doubt && len(n.Epithets) == 0 {
		n.OpenGenus = true
	}
	return w.done(author)
}

// done keeps the author and ends the walk.
func (w *walker) done(author []string) bool {
	w.n.Author = strings.Trim(strings.Join(author, " "), " ,;:")
	w.i = len(w.words)
	return true
}

// takes decides whether a word that may be an epithet is one, where authors
// may stand too.
func (w *walker) takes(word string, author []string, rank string) bool {
	n := w.n
	switch {
	case rank != "":
		return true
	case len(n.Epithets) == 0:
		// The author of the genus may stand between: Panax L. ginseng.
		return len(author) == 0 || w.joins(word)
	case len(n.Epithets) >= 3:
		return false
	case w.doubted:
		return false
	case len(author) == 0:
		if w.caps || w.small {
			return w.joins(word) || w.p.isEpithet(word) && w.i == len(w.words)-1 && len(n.Epithets) == 1
		}
		return utf8.RuneCountInString(word) >= 3 || w.p.isEpithet(word)
	}
	// Behind an author only a word that the checklists know, or the species'
	// own epithet again.
	last := author[len(author)-1]
	if w.caps || w.small || authorParticles[bare(last)] || last == "&" || strings.HasSuffix(last, "&") {
		return w.joins(word)
	}
	return w.p.isEpithet(word) || word == n.Epithets[len(n.Epithets)-1].Word
}

// rankAt reads a rank word; f. may be a son instead.
func (w *walker) rankAt(b string, rank *string, afterAuthor bool) bool {
	r, _ := spelling.RankWord(b)
	next := w.i + 1
	for next < len(w.words) && (spelling.IsHybridSign(w.words[next]) || qualifierWords[bare(w.words[next])] || w.words[next] == "n.") {
		next++
	}
	if b == "f" || b == "v" || b == "form" || b == "race" || b == "ab" || b == "mut" || b == "sf" || b == "sv" {
		// forma only before an epithet: Hook. f. ex Benth. is not one.
		if next >= len(w.words) {
			return false
		}
		if word, ok := w.epithetAt(next, true); !ok || authorParticles[word] || noteWords[word] {
			return false
		} else if afterAuthor && spelling.ShapeOf(w.words[next]) != spelling.Lower && !w.p.isEpithet(word) {
			return false
		}
	}
	if _, ok := w.epithetAt(next, true); !ok && len(b) > 4 && b == w.words[w.i] && !afterAuthor && next < len(w.words) {
		return false // an epithet that reads like a rank: proles
	}
	*rank = r
	w.i++
	if w.i+1 < len(w.words) && w.words[w.i] == "n." {
		w.i++ // new
	}
	return true
}

// isOpen says whether b stands for a species that nobody named.
func (w *walker) isOpen(b string) bool {
	if openWords[b] {
		return !w.p.isEpithet(b) || b == "sp" || b == "spp" || b == "species"
	}
	// sp.2, sp2, spec.1
	t := strings.TrimRight(b, "0123456789")
	return t != b && openWords[strings.TrimRight(t, ".")]
}

// subgenus skips "(Subgenus)" before an epithet.
func (w *walker) subgenus() bool {
	s := w.words[w.i]
	inner := strings.Trim(s, "()")
	if !strings.HasSuffix(s, ")") || !spelling.IsWord(strings.TrimSuffix(inner, ".")) || spelling.ShapeOf(inner) != spelling.Title && !strings.HasSuffix(inner, ".") {
		return false
	}
	if w.i+1 >= len(w.words) || w.n.Epithets == nil && spelling.ShapeOf(w.words[w.i+1]) == spelling.Upper && !w.caps {
		if !endsLatin(inner) && (w.i+1 < len(w.words) || !strings.HasSuffix(inner, "e")) {
			return false
		}
		w.n.Infragenus = "subgen. " + inner
		w.i++
		return true
	}
	next := w.i + 1
	for next < len(w.words) && spelling.IsHybridSign(w.words[next]) {
		next++
	}
	if _, ok := w.epithetAt(next, true); !ok {
		return false
	}
	w.i++
	return true
}

// endsLatin says whether a capitalised word ends like a genus rather than an
// author.
func endsLatin(s string) bool {
	for _, e := range []string{"us", "a", "um", "is", "es", "on", "as", "ys"} {
		if strings.HasSuffix(s, e) {
			return bare(s) != "linnaeus" && len(s) > 4
		}
	}
	return false
}

// infrageneric reads "sect. Salimori" and ends the name, unless an epithet
// follows.
func (w *walker) infrageneric(b string) bool {
	r, ok := infragenericWords[b]
	if !ok || w.i+1 >= len(w.words) {
		return false
	}
	name := strings.Trim(w.words[w.i+1], ",;.()")
	if !spelling.IsWord(name) || spelling.ShapeOf(name) != spelling.Title {
		return false
	}
	if _, ok := w.epithetAt(w.i+2, true); ok && w.i+2 < len(w.words) && spelling.ShapeOf(w.words[w.i+2]) == spelling.Lower {
		w.i += 2
		return w.rest()
	}
	w.n.Infragenus = r + " " + name
	var author []string
	for _, s := range w.words[w.i+2:] {
		if !isAuthorText(s) {
			break
		}
		author = append(author, s)
	}
	return w.done(author)
}

// note keeps what a remark that begins with b says of the name.
func (w *walker) note(b string) {
	next := ""
	if w.i+1 < len(w.words) {
		next = bare(w.words[w.i+1])
	}
	w.n.Flags |= vocabulary.AnnotationIgnored
	if strings.HasPrefix(b, "auct") || b == "sensu" && strings.HasPrefix(next, "auct") {
		w.n.Misapplied = true
	}
	if strings.HasPrefix(b, "s.l") || b == "s.lat" || b == "sens.lat" || b == "sensu" && (next == "lato" || next == "latiore" || next == "amplo") {
		w.n.Flags |= vocabulary.Aggregate
	}
}

// isNote says whether the word begins a remark on the name.
func (w *walker) isNote(s, b string) bool {
	if w.i == 0 {
		return false
	}
	b = strings.Trim(b, "().")
	switch b {
	case "nov", "gen", "spec", "sp", "subsp", "var", "comb", "stat":
		// sp. nov., Gen. nov.
		if w.i+1 < len(w.words) && (bare(w.words[w.i+1]) == "nov" || bare(w.words[w.i+1]) == "n") {
			return true
		}
		return b == "nov" && len(w.n.Epithets) > 0 && strings.HasSuffix(s, ".") || strings.HasPrefix(strings.ToLower(s), "gen.nov")
	}
	switch b {
	case "s.l", "s.lat", "s.lato", "s.s", "s.str", "s.stricto", "s.ampl", "p.p":
		return true
	}
	if b == "s" && w.i+1 < len(w.words) {
		switch bare(w.words[w.i+1]) {
		case "l", "lat", "str", "s", "ampl", "lato", "stricto":
			if l := bare(w.words[w.i+1]); l == "l" || l == "lat" || l == "lato" {
				w.n.Flags |= vocabulary.Aggregate
			}
			return true
		}
	}
	if s == "=" || s == "≡" || s == "->" {
		return true
	}
	if strings.HasPrefix(b, "auct") && len(b) <= 10 || b == "nom" || b == "nomen" {
		return true
	}
	return noteWords[b] && spelling.ShapeOf(s) == spelling.Lower && !w.p.isEpithet(b)
}

// isGreek says whether b numbers a variety: α, β, or a digit or letter with a
// full stop.
func isGreek(b string) bool {
	r, n := utf8.DecodeRuneInString(b)
	return n == len(b) && (unicode.Is(unicode.Greek, r) || unicode.IsDigit(r))
}

// isAuthorText says whether s can be part of an author citation: letters,
// brackets, punctuation of names, a year.
func isAuthorText(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case strings.ContainsRune(".,&'()-:;?", r):
		default:
			return false
		}
	}
	return digits == 0 || digits <= 8 && letters <= 1 && digits >= 4
}

// oddWord ends a name at a word that is neither epithet nor author. Numbers
// and references behind an author are left out; anything else is for gnparser.
func (w *walker) oddWord(author []string) bool {
	if len(w.n.Epithets) > 0 && len(author) > 0 {
		w.n.Flags |= vocabulary.AnnotationIgnored
		if s := w.words[w.i]; spelling.IsDigit(s[0]) {
			author = cutReference(author)
		}
		return w.done(author)
	}
	return false
}

// cutReference takes the title off that stands, behind a comma, between an
// author and the number of a volume or page: S.Moore, J. Bot. 13.
func cutReference(author []string) []string {
	for i := len(author) - 2; i >= 0; i-- {
		if strings.HasSuffix(author[i], ",") {
			return author[:i+1]
		}
	}
	return author
}
