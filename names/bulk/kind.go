package bulk

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/internal/rows"
	"bencao/names"
	"bencao/names/han"
	"bencao/names/herb"
	"bencao/names/internal/family"
	"bencao/names/internal/wordlist"
	"bencao/names/ranks"
)

// cellKind is what a cell looks like, by its letters and by the tables of the program.
type cellKind int

const (
	kindOther        cellKind = iota
	kindNumber                // digits only
	kindName                  // a scientific name of a species, or a herb in pharmaceutical Latin
	kindGenus                 // one capitalised Latin word
	kindEpithet               // one Latin word in lower case, or an epithet behind the mark of its rank
	kindAuthor                // authors, of which at least one is abbreviated
	kindFamily                // a family
	kindRank                  // the mark of a rank below species
	kindQualifier             // cf., aff. or ?
	kindKingdom               // a kingdom
	kindChinese               // Chinese characters, as few as in a name
	kindText                  // more Chinese characters
	kindHerbs                 // several herbs, as in a prescription
	kindMaybeName             // a capitalised word and one in lower case that may be Latin or not
	kindMaybeEpithet          // one word in lower case that may be Latin or not
	numCellKinds
)

// KindNumber tells package rows which cells are numbers.
var _ = [1]struct{}{}[kindNumber-rows.KindNumber]

// longestChinese is the number of characters that a Chinese name seldom exceeds.
const longestChinese = 12

// numbered matches an item of a list with its number: 1. Rosa, (1) Rosa or 1 Rosa.
var numbered = regexp.MustCompile(`^[(（]?\d{1,4}(?:[.．)）、]\s*|\s+)(\pL.*)`)

// looksLike returns the kind of text that a cell looks like, without its number as an item of a list.
func looksLike(cell string) cellKind {
	if m := numbered.FindStringSubmatch(cell); m != nil {
		cell = m[1]
	}
	if han.Has(cell) {
		switch from := strings.IndexFunc(cell, isLatin); {
		case isRankMark(cell):
			return kindRank
		case from >= 0 && looksLikeName(cell[from:]):
			return kindName
		case family.IsHeading(cell):
			return kindFamily
		case isKingdom(cell):
			return kindKingdom
		case isHerbs(cell):
			return kindHerbs
		case utf8.RuneCountInString(cell) <= longestChinese:
			return kindChinese
		}
		return kindText
	}
	switch {
	case strings.Trim(cell, "0123456789.,-/ %") == "":
		return kindNumber
	case isRankMark(cell):
		return kindRank
	case qualifierIn(cell) == cell || qualifierIn(cell+".") == cell+".":
		return kindQualifier
	case isKingdom(cell):
		return kindKingdom
	case looksLikeName(cell):
		return kindName
	case family.IsHeading(cell):
		return kindFamily
	case twoCapitals.MatchString(cell):
		return kindMaybeName
	case isAuthors(cell):
		return kindAuthor
	case genusWord.MatchString(cell):
		return kindGenus
	case isLatinEpithet(afterRank(cell)):
		return kindEpithet
	case maybeName.MatchString(cell):
		return kindMaybeName
	case isEpithet(afterRank(cell)):
		return kindMaybeEpithet
	}
	return kindOther
}

func isKingdom(cell string) bool {
	_, known := wordlist.Kingdom(cell)
	return known
}

// qualifierIn returns the qualifier with which a cell begins, as cf. in "cf. ginseng", or "".
func qualifierIn(cell string) string {
	word, _, _ := strings.Cut(cell, " ")
	if wordlist.Of(strings.TrimSuffix(strings.ToLower(word), ".")).Is(wordlist.Qualifier | wordlist.Near) {
		return word
	}
	return ""
}

// genusWord matches a capitalised word with an ending that genera have.
var genusWord = regexp.MustCompile(`^[×+]? ?\p{Lu}\p{Ll}+(?:a|us|um|is|on|os|as|es|ys|ops|x|en|er|or|ia|e)$`)

// maybeName matches the beginning of a text that may be a scientific name.
var maybeName = regexp.MustCompile(`^[×+]? ?\p{Lu}\p{Ll}*\.? (?:[×x] ?)?\p{Ll}[\p{Ll}-]{2,}(?:[ ,;.(]|$)`)

// twoCapitals matches a text that may be a scientific name with a capital epithet and an author.
var twoCapitals = regexp.MustCompile(`^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}{2,} \(?\p{Lu}`)

// isRankMark reports whether a cell is the mark of a rank below species and nothing else.
func isRankMark(cell string) bool {
	return rankMark(cell) != "" && !strings.Contains(strings.TrimSpace(cell), " ")
}

// rankMark returns the mark of the rank below species in a cell, or "".
func rankMark(cell string) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(cell)), " ")
	switch word = strings.TrimRight(word, "."); word {
	case "亚种":
		return "subsp."
	case "变种":
		return "var."
	case "变型":
		return "f."
	case "s":
		return "subsp."
	}
	mark, _ := ranks.Mark(word)
	return mark
}

// afterRank returns an epithet without the mark of its rank before it: mongolica for var. mongolica.
func afterRank(cell string) string {
	if word, rest, found := strings.Cut(cell, " "); found && rankMark(word) != "" {
		return strings.TrimSpace(rest)
	}
	return cell
}

// authorWords puts spaces between the words and signs of authors.
var authorWords = strings.NewReplacer(".", ". ", "&", " & ", "(", " ( ", ")", " ) ", ",", " ")

// isAuthors reports whether a cell holds authors of a name, of which at least one is abbreviated or
// in parentheses.
func isAuthors(cell string) bool {
	abbreviated := false
	for _, word := range strings.Fields(authorWords.Replace(cell)) {
		if word == "(" || word == ")" {
			abbreviated = true
			continue
		}
		first, _ := utf8.DecodeRuneInString(word)
		switch {
		case word == "&", wordlist.Of(strings.TrimSuffix(word, ".")).Is(wordlist.Particle):
		case unicode.IsUpper(first) && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(".-'’", r) }):
			abbreviated = abbreviated || strings.HasSuffix(word, ".")
		default:
			return false
		}
	}
	return abbreviated
}

// epithetEndings are endings of Latin epithets that few words of other languages have.
var epithetEndings = []string{"a", "us", "um", "is", "i", "ae", "ans", "ens", "oides", "odes", "ense", "ale", "ile", "are", "estre", "ops", "ceps", "pes", "ax", "ex", "ix"}

// isLatinEpithet reports whether a text is a word in lower case with an ending of Latin epithets.
func isLatinEpithet(text string) bool {
	return isEpithet(text) && slices.ContainsFunc(epithetEndings, func(end string) bool { return strings.HasSuffix(text, end) })
}

// looksLikeName reports whether a text starts with a genus and an epithet, which Latin words do
// and most words of other languages do not, or is a herb in pharmaceutical Latin.
func looksLikeName(text string) bool {
	words := strings.Fields(strings.ReplaceAll(text, "_", " "))
	if len(words) < 2 {
		return false
	}
	genus, epithet := strings.TrimLeft(words[0], `"'[(×+`), words[1]
	if herb.HasPart(text) {
		if _, ok := herb.ParseLatin(text); ok {
			return true
		}
	}
	if genus == strings.ToUpper(genus) && utf8.RuneCountInString(genus) > 2 {
		_, first := utf8.DecodeRuneInString(genus)
		genus, epithet = genus[:first]+strings.ToLower(genus[first:]), strings.ToLower(epithet)
	}
	short := strings.TrimSuffix(genus, ".")
	if !allLatin(short) || len(short) < 2 && short == genus || unicode.IsLower([]rune(short + " ")[0]) && !slices.ContainsFunc(epithetEndings[:4], func(end string) bool { return strings.HasSuffix(short, end) }) {
		return false
	}
	if wordlist.Of(strings.TrimSuffix(epithet, ".")).Is(wordlist.Open) {
		return true
	}
	return isLatinEpithet(strings.Trim(strings.TrimPrefix(epithet, "×"), `,;.)"'*`))
}

// allLatin reports whether a word has only Latin letters and hyphens, at least one.
func allLatin(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isLatin(r) && r != '-' })
}

// isHerbs reports whether a cell lists at least three herbs in Chinese, with or without doses.
func isHerbs(cell string) bool {
	parts := strings.FieldsFunc(cell, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsDigit(r) || strings.ContainsRune("、，,；;。.+·克钱錢两兩gG", r)
	})
	n := 0
	for _, part := range parts {
		if r := utf8.RuneCountInString(part); han.Has(part) && r <= 6 && herb.LooksLikeHerb(part) {
			n++
		}
	}
	return n > 2
}

// isMissing reports whether a cell says nothing of its own: it is empty, has no value, or repeats the
// one above.
func isMissing(cell string) bool { return names.Missing(cell) || isDitto(cell) }
