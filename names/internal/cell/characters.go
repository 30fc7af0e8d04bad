package cell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/internal/parse"
	"bencao/names/internal/spelling"
)

// repairText repairs characters that programs have damaged. It decodes escape sequences that appear
// as text, and removes markup.
func repairText(s string) string {
	if len(s) > 2 && s[0] == '\'' && s[len(s)-1] == '\'' && strings.Contains(s[1:len(s)-1], "''") {
		s = strings.ReplaceAll(s[1:len(s)-1], "''", "'") // as SQL quotes it
	}
	s = strings.ReplaceAll(s, "、", ", ")
	s = strings.ReplaceAll(s, "-Hybrid", " Hybrid") // a German remark: Rosa canina-Hybriden
	s = glued.Replace(s)
	if strings.HasPrefix(s, "??") || strings.HasPrefix(s, lost+lost) {
		s = strings.TrimLeft(s, "? "+lost) // a name in characters that were lost
	}
	if s != "" && strings.IndexByte("?'", s[0]) >= 0 && strings.Count(s, s[:1]) == 1 {
		s = strings.TrimPrefix(strings.Replace(s, "?", "? ", 1), "'")
	}
	if strings.ContainsAny(s, "\\{*_") {
		s = cutMarkup(s)
	}
	return s
}

// glued adds the spaces that are often missing after abbreviations.
var glued = strings.NewReplacer("...", " ", "..", ".", " cf.", " cf. ", " aff.", " aff. ", "-Gruppe", " agg.", "-gruppe", " agg.", "-Agg.", " agg.", "-agg.", " agg.")

// emptyBrackets removes empty brackets.
var emptyBrackets = strings.NewReplacer("( )", " ", "[ ]", " ", "()", " ")

// markup removes formatting marks around and between words.
var markup = strings.NewReplacer(`\t`, " ", `\n`, " ", `\r`, " ", "**", "", "{{", "", "}}", "")

func cutMarkup(s string) string {
	s = markup.Replace(s)
	// Remove LaTeX markup: \textit{Rosa alba}.
	if i := strings.IndexByte(s, '\\'); i >= 0 {
		if j := strings.IndexByte(s[i:], '{'); j > 0 {
			s = s[:i] + strings.Replace(s[i+j+1:], "}", "", 1)
		}
	}
	// Remove Markdown emphasis: _Rosa alba_ L.
	for _, mark := range []string{"_", "*"} {
		if strings.HasPrefix(s, mark) && strings.Count(s, mark)%2 == 0 {
			s = strings.ReplaceAll(s, mark, "")
		}
	}
	return s
}

// lost is the replacement character U+FFFD, which programs write for letters that they could not
// decode.
const lost = "\uFFFD"

// lostLetters lists the letters that may have been lost, the most frequent in checklists first.
var lostLetters = []string{"e", "a", "o", "i", "u", "ae", "oe", "ue", "c", "n", "y"}

// restoreLetters restores lost letters and hybrid signs if the checklists have the resulting word
// or name. The text has U+FFFD instead of a lost letter, or a question mark within a word.
func (d *lexicon) restoreLetters(s string) string {
	if !strings.Contains(s, lost) && !strings.Contains(s, "?") {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		before, after, ok := strings.Cut(w, lost)
		if !ok {
			if w == "?" && i+1 < len(words) && d.isHybrid(words[0]+" "+words[i+1]) {
				words[i] = "×"
			}
			before, after, _ = strings.Cut(w, "?")
			if after = strings.TrimLeft(after, "?"); !endsInLetter(before) || !startsLower(after) {
				continue
			}
		}
		switch {
		case before == "":
			words[i] = strings.TrimSpace("× " + after)
		case i == 0:
			words[i] = d.guess(before, after, d.IsGenus)
		default:
			words[i] = d.guess(before, after, func(t string) bool { _, ok := d.Find(words[0] + " " + t); return ok })
		}
	}
	return strings.Join(words, " ")
}

// guess tries the letters of lostLetters between before and after and returns the first resulting
// word for which fits returns true. If there is none, the character U+FFFD remains.
func (d *lexicon) guess(before, after string, fits func(string) bool) string {
	for _, g := range lostLetters {
		if t := before + g + after; fits(strings.TrimRight(t, ".,;")) {
			return t
		}
	}
	return before + lost + after
}

// isHybrid reports whether the checklists write the name with a hybrid sign.
func (d *lexicon) isHybrid(name string) bool {
	usage, ok := d.Find(name)
	return ok && strings.ContainsRune(d.names.Name(usage), spelling.HybridSign)
}

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r)
}

// cutScripts removes words in scripts other than Latin, such as common names, and reports whether
// it removed any. It keeps a single Greek letter, which numbers a variety. Package match has
// already read Chinese words.
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
		n := strings.IndexFunc(s, func(r rune) bool { return !isOther(r) })
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
	t := emptyBrackets.Replace(b.String())
	return strings.Trim(spelling.Tidy(t), " /|-:,;"), cut
}

// isOther reports whether a character is a letter of another script than Latin. Signs such as ♂ and
// ° are not letters.
func isOther(r rune) bool {
	return r > 0x36F && (unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Mc, r))
}

// cutIdentifiers removes web addresses and identifiers such as wfo-0000263606, PE00012345 or
// 91472-1 beside a name. It reports whether one of the removed texts contains letters.
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

// cutCount removes a number or the letter of a vegetation layer from the end of a word: alba_2,
// alba_T.
func cutCount(w string) string {
	if i := strings.LastIndexByte(w, '_'); i > 2 && (len(w) == i+2 && startsUpper(w[i+1:]) || strings.Trim(w[i+1:], "0123456789") == "") {
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
