package herb

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/names/herb"
	"bencao/names/herb/written"
	"bencao/store"
)

// linkIngredients links each ingredient to its records. The list of ingredients may be incomplete.
// So linkIngredients also records, for each formula, the herbs that its text names and its
// ingredients do not.
func (c *collection) linkIngredients() {
	for i := range c.data.Formulas {
		f := &c.data.Formulas[i]
		has := map[string]bool{}
		for j := range f.Ingredients {
			in := &f.Ingredients[j]
			for _, plain := range in.Plain {
				has[plain] = true
				if r, ok := c.drafts[plain]; ok {
					in.Herbs = append(in.Herbs, r.Num)
					in.Relations = append(in.Relations, c.relation(in))
				}
			}
			c.note(f.Num, in)
		}
		if len(f.Ingredients) == 0 {
			continue // the source has no ingredients for this text
		}
		for _, plain := range c.inText(f) {
			if !has[plain] && !relatesToAny(plain, has) {
				has[plain] = true
				f.Unlisted = append(f.Unlisted, c.drafts[plain].Name)
				c.drafts[plain].InText++
			}
		}
	}
}

// note adds to an ingredient the names of processed forms that its note gives, as far as they have a
// record, and the formula to these records. The formulas of the records must be complete.
func (c *collection) note(formula store.Num, in *store.Ingredient) {
	if len(in.Plain) != 1 {
		return
	}
	remarks := in.Note
	if i := strings.IndexAny(in.Herb, "（([〔【,，、"); i > 0 { // 甘草（炙）
		remarks = in.Herb[i:] + "，" + remarks
	}
	for _, name := range written.Noted(in.Plain[0], remarks) {
		r, ok := c.drafts[name]
		if !ok {
			continue
		}
		in.Noted = append(in.Noted, r.Name)
		if _, has := slices.BinarySearch(r.Formulas, formula); !has && !slices.Contains(r.Noted, formula) {
			r.Noted = append(r.Noted, formula)
		}
	}
}

// relatesToAny reports whether a herb is a processed form, a part or a broader name of a herb in
// the set, or the reverse. The text of a formula may name a processed form where the ingredient
// gives only the herb.
func relatesToAny(plain string, set map[string]bool) bool {
	for other := range set {
		if herb.Relates(plain, other) || herb.Relates(other, plain) {
			return true
		}
	}
	return false
}

// relation returns how an ingredient as written relates to the herbs that it names.
func (c *collection) relation(in *store.Ingredient) string {
	if len(in.Plain) > 1 {
		return string(herb.Same)
	}
	return c.Relation(in.Herb)
}

// maxMisplaced is the maximum length, in characters, of a misplaced herb: a herb with its dose that
// a source gives by mistake as the whole text of the indications.
const maxMisplaced = 8

// inText returns the keys of the herbs in a formula's text, in order. Some sources split the text
// of a formula in the wrong place, so that its last herb became the whole text of the indications.
// inText includes such a herb.
func (c *collection) inText(f *store.Formula) (keys []string) {
	at := c.At(f.Year)
	for word := range strings.FieldsFuncSeq(listing(string(f.Composition)), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) {
		keys = append(keys, c.herbsOnly(word, at)...)
	}
	if word := strings.TrimSpace(string(f.Indications)); utf8.RuneCountInString(word) <= maxMisplaced {
		keys = append(keys, c.herbsOnly(word, at)...)
	}
	return keys
}

// herbsOnly returns the keys of the herbs in a word, if the word consists only of herbs and their
// doses, by the names at the time of the formula: 青木香 is 木香 up to 1367. A single character does not
// count as a herb, even if it is another name of a herb: 豉.
func (c *collection) herbsOnly(word string, at *written.Names) []string {
	if utf8.RuneCountInString(at.Name(word)) < 2 {
		return nil
	}
	keys := at.Plain(word)
	for _, key := range keys {
		if _, known := c.drafts[key]; !known || utf8.RuneCountInString(key) < 2 {
			return nil
		}
	}
	return keys
}

// methodStarts lists words in a composition. The text from the first such word on describes how to
// make and take the formula.
var methodStarts = []string{"上", "右", "每", "共", "为末", "为细末", "水煎", "服法", "煎服", "一方", "又方"}

// listing returns the part of a composition that lists the herbs: the text before any of
// methodStarts, without text in brackets.
func listing(composition string) string {
	var out strings.Builder
	depth, word := 0, 0 // word is the start of the last word
	for i, r := range composition {
		switch {
		case strings.ContainsRune("（([〔【", r):
			depth++
		case strings.ContainsRune("）)]〕】", r):
			depth = max(0, depth-1)
			out.WriteByte(' ')
			word = out.Len()
			if begins(composition[i+utf8.RuneLen(r):], methodStarts) {
				return out.String()
			}
		case depth > 0:
		case r == '。':
			return out.String()
		case unicode.IsSpace(r):
			out.WriteByte(' ')
			word = out.Len()
		case word == out.Len() && begins(composition[i:], methodStarts):
			return out.String()
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

func begins(s string, with []string) bool {
	for _, w := range with {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}
