package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// mend undoes what programs do to characters: UTF-8 that was read as Windows'
// Latin, escapes that were written out, markup of texts.
func mend(s string) string {
	s = strings.ReplaceAll(s, "、", ", ")
	if strings.Contains(s, "..") || strings.Contains(s, "f.") || strings.Contains(s, "pe") {
		s = glued.Replace(s)
	}
	if len(s) > 2 && (s[0] == '?' || s[0] == '\'') && strings.Count(s, s[:1]) == 1 && beginsGreat(s[1:]) {
		s = strings.Replace(s, "?", "? ", 1)
		s = strings.TrimPrefix(s, "'")
	}
	if strings.ContainsAny(s, "\\{*_") {
		s = cutMarkup(s)
	}
	if !strings.ContainsAny(s, "ÃÂâÅÄ") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if t, err := charmap.Windows1252.NewEncoder().String(w); err == nil && utf8.ValidString(t) {
			words[i] = t
		} else if t, cut := strings.CutSuffix(w, "Â"); cut {
			words[i] = t // of a space that did not break
		}
	}
	return strings.Join(words, " ")
}

// glued are short words that are often written without a space.
var glued = strings.NewReplacer("...", " ", "..", ".", " cf.", " cf. ", " aff.", " aff. ", "-Gruppe", " agg.", "-gruppe", " agg.")

// emptied takes out brackets that nothing is left in.
var emptied = strings.NewReplacer("( )", " ", "[ ]", " ", "()", " ")

// markup is what stands around a word or between words and means neither.
var markup = strings.NewReplacer(`\t`, " ", `\n`, " ", `\r`, " ", "**", "", "{{", "", "}}", "")

func cutMarkup(s string) string {
	s = markup.Replace(s)
	// \textit{Rosa alba}
	if i := strings.IndexByte(s, '\\'); i >= 0 {
		if j := strings.IndexByte(s[i:], '{'); j > 0 {
			s = s[:i] + strings.Replace(s[i+j+1:], "}", "", 1)
		}
	}
	// _Rosa alba_ L.
	for _, mark := range []string{"_", "*"} {
		begins, ends := strings.HasPrefix(s, mark), strings.HasSuffix(s, mark)
		if (begins || strings.Contains(s, " "+mark)) && (ends || strings.Contains(s, mark+" ")) && strings.Count(s, mark)%2 == 0 {
			s = strings.ReplaceAll(s, mark, "")
		}
	}
	return s
}

// lost stands for a letter that a program could not show.
const lost = "\uFFFD"

// guesses are what a lost letter may have been, as the checklists write it.
var guesses = []string{"e", "a", "o", "i", "u", "ae", "oe", "ue", "c", "n", "y"}

// mendLetters puts the letters back that were lost (U+FFFD, or a question mark
// within a word), as far as the checklists have a name with them, and the sign
// of a hybrid.
func (d *lexicon) mendLetters(s string) string {
	if !strings.Contains(s, lost) && !strings.Contains(s, "?") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		before, after, ok := strings.Cut(w, lost)
		if !ok {
			before, after, ok = strings.Cut(w, "?")
			if ok && (before == "" && after == "" && i+1 < len(words) && i == 1 && d.isHybrid(words[0]+" "+words[i+1]) || i == 1 && before == "" && d.isHybrid(words[0]+" "+after)) {
				words[i] = strings.TrimSpace("× " + after)
				continue
			}
			if !ok || !endsInLetter(before) || !beginsSmall(after) {
				continue
			}
		}
		switch {
		case before == "" && i == 1:
			words[i] = strings.TrimSpace("× " + after)
		case i == 0:
			words[i] = d.guess(before, after, d.IsGenus)
		case i > 1 && !strings.Contains(w, lost):
		case i > 1:
			words[i] = before + guesses[0] + after // of an author
		default:
			words[i] = d.guess(before, after, func(t string) bool { _, ok := d.Find(words[0] + " " + t); return ok })
		}
	}
	return strings.Join(words, " ")
}

// guess puts a letter between two halves of a word that makes it fit.
func (d *lexicon) guess(before, after string, fits func(string) bool) string {
	for _, g := range guesses {
		if t := before + g + after; fits(strings.TrimRight(t, ".,;")) {
			return t
		}
	}
	return before + lost + after
}

// isHybrid says whether the checklists have a name with the sign of a hybrid.
func (d *lexicon) isHybrid(name string) bool {
	usage, ok := d.Find(name)
	return ok && strings.ContainsRune(d.names.Name(usage), spelling.HybridSign)
}

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// cutScripts takes the words of other scripts out of a text: common names
// beside a Latin one. A Greek letter alone numbers a variety. Chinese is read
// elsewhere.
func cutScripts(s string) (string, bool) {
	if strings.IndexFunc(s, isOther) < 0 {
		return s, false
	}
	var b strings.Builder
	cut := false
	for s != "" {
		i := strings.IndexFunc(s, isOther)
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := strings.IndexFunc(s, func(r rune) bool { return !isOther(r) && !unicode.IsMark(r) })
		if n < 0 {
			n = len(s)
		}
		if r, size := utf8.DecodeRuneInString(s); size == n && unicode.Is(unicode.Greek, r) {
			b.WriteString(s[:n])
		} else {
			b.WriteByte(' ')
			cut = true
		}
		s = s[n:]
	}
	t := emptied.Replace(b.String())
	return strings.Trim(spelling.Tidy(t), " /|-:,;"), cut
}

// isOther says whether a letter is of another script than Latin. What is used
// in names and stands in none, such as ♂ or °, is a sign, not a letter.
func isOther(r rune) bool {
	return r > 0x36F && (unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Mc, r))
}

// cutIdentifiers takes web addresses and identifiers out that stand beside a
// name: wfo-0000263606, PE00012345, 91472-1. It reports whether one was more
// than a number.
func cutIdentifiers(s string) (string, bool) {
	if !hasDigit(s) && !strings.Contains(s, "_") && !strings.Contains(s, "://") && !strings.Contains(s, ".jp") {
		return s, false
	}
	words := strings.Split(s, " ")
	kept, cut := words[:0], false
	for i, w := range words {
		t := strings.TrimRight(strings.Trim(w, "()[]<>|,;"), ":")
		for _, suffix := range []string{".jpg", ".jpeg", ".png", ".tif", ".tiff"} {
			t = strings.TrimSuffix(t, suffix)
		}
		if i > 0 {
			t = cutCount(t)
		}
		switch id := isIdentifier(t); {
		case id && len(words) > 1:
			cut = cut || strings.ContainsFunc(t, isLetter)
		case len(t) < len(strings.Trim(w, "()[]<>|,;:")):
			kept = append(kept, t)
		default:
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " "), cut
}

// cutCount takes off a word what counts files or plots, or tells the layer of
// the vegetation: alba_2, alba_T.
func cutCount(w string) string {
	if i := strings.LastIndexByte(w, '_'); i > 2 && (len(w) == i+2 && beginsGreat(w[i+1:]) || strings.Trim(w[i+1:], "0123456789") == "") {
		return w[:i]
	}
	return w
}

func isIdentifier(w string) bool {
	if strings.Contains(w, "://") {
		return true
	}
	digits := 0
	for i := 0; i < len(w); i++ {
		if spelling.IsDigit(w[i]) {
			digits++
		}
	}
	if digits == 0 {
		return false
	}
	if _, ok := parse.Identifier(w); ok {
		return true
	}
	return digits >= 5
}
