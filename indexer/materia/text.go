package materia

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bencao/store"
)

// lead says of each ingredient which records it leads to, and of each formula
// which herbs its text names that no ingredient has: a table of ingredients is
// sometimes shorter than the text that it was made of.
func (c *collection) lead() {
	for i := range c.data.Formulas {
		f := &c.data.Formulas[i]
		has := map[string]bool{}
		for j := range f.Ingredients {
			in := &f.Ingredients[j]
			for _, plain := range in.Plain {
				has[plain] = true
				if r, ok := c.drafts[plain]; ok {
					in.Herbs = append(in.Herbs, r.Num)
				}
			}
		}
		if len(f.Ingredients) == 0 {
			continue // nothing was taken out of the text
		}
		for _, plain := range c.inText(f) {
			if !has[plain] {
				has[plain] = true
				f.Unlisted = append(f.Unlisted, c.drafts[plain].Name)
			}
		}
	}
}

// longestMisplaced is how long a herb with its dose is, in characters, that stands
// where a text says what the formula is for.
const longestMisplaced = 8

// inText are the keys of the herbs that the text of a formula lists, in its order.
// Where texts were cut in the wrong place, the last herb is all that a formula is
// said to be for.
func (c *collection) inText(f *store.Formula) (keys []string) {
	for word := range strings.FieldsFuncSeq(listing(f.Composition), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) {
		keys = append(keys, c.wholly(word)...)
	}
	if word := strings.TrimSpace(f.Indications); utf8.RuneCountInString(word) <= longestMisplaced {
		keys = append(keys, c.wholly(word)...)
	}
	return keys
}

// wholly are the keys of a word that is herbs and their doses and nothing else.
func (c *collection) wholly(word string) []string {
	keys := c.Plain(word)
	for _, key := range keys {
		if _, known := c.drafts[key]; !known || utf8.RuneCountInString(key) < 2 {
			return nil
		}
	}
	return keys
}

// making begins what a text says on how a formula is made and taken.
var making = []string{"上", "右", "每", "共", "为末", "为细末", "水煎", "服法", "煎服", "一方", "又方"}

// listing is what stands in a composition outside of brackets, before it says how
// the formula is made.
func listing(composition string) string {
	var out strings.Builder
	depth, word := 0, 0 // word is where the last one begins
	for i, r := range composition {
		switch {
		case strings.ContainsRune("（([〔【", r):
			depth++
		case strings.ContainsRune("）)]〕】", r):
			depth = max(0, depth-1)
			out.WriteByte(' ')
			word = out.Len()
			if begins(composition[i+utf8.RuneLen(r):], making) {
				return out.String()
			}
		case depth > 0:
		case r == '。':
			return out.String()
		case unicode.IsSpace(r):
			out.WriteByte(' ')
			word = out.Len()
		case word == out.Len() && begins(composition[i:], making):
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
