package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
)

// Parts is a set of parts of an answer. Only clients with a scope get these parts.
type Parts uint8

const (
	// Composition covers the ingredients and codes of a formula, and the herbs that it shares with
	// similar formulas. For a herb, it covers the lists that come from formulas.
	Composition Parts = 1 << iota
	// Similarity covers the lists of similar formulas.
	Similarity
)

// Template is an answer in JSON, rendered when the snapshot is built. Marks are placeholders for
// content that is known only when the answer is sent. They are control bytes, which JSON contains
// only in escaped form:
//
//	01          the site's address
//	02 … 03     shown with [Composition], else null
//	04 … 05     shown with [Similarity], else null; stored empty, see appendDetail
type Template []byte

const (
	markSite = iota + 1
	markComposition
	endComposition
	markSimilarity
	endSimilarity
)

// Marks of links in the stored detail of a formula:
//
//	06 number    a [HerbSpecies]
//	07 number    a [HerbLink]
//
// A number is a varint. No [Template] outside the package contains these marks.
const (
	markSpecies = endSimilarity + 1 + iota
	markHerb
)

// isLink reports whether a byte is the mark of a link.
func isLink(mark byte) bool { return mark == markSpecies || mark == markHerb }

// Append renders the template and appends it to dst. site is the site's address without a trailing
// slash, as [EscapeSite] returns it.
func (t Template) Append(dst []byte, site string, show Parts) []byte {
	for len(t) > 0 {
		var text []byte
		var insert string
		text, insert, t = t.next(site, show)
		dst = append(append(dst, text...), insert...)
	}
	return dst
}

// next splits a template at its first mark. It returns the text before the mark, the text to
// insert, and the rest.
func (t Template) next(site string, show Parts) (text []byte, insert string, rest Template) {
	for i := firstMark(t); i < len(t); i += 1 + firstMark(t[i+1:]) {
		var part Parts
		switch t[i] {
		case markSite:
			return t[:i], site, t[i+1:]
		case endComposition, endSimilarity:
			return t[:i], "", t[i+1:]
		case markComposition:
			part = Composition
		case markSimilarity:
			part = Similarity
		default:
			continue
		}
		if show&part != 0 {
			return t[:i], "", t[i+1:]
		}
		return t[:i], "null", t[i+partEnd(t[i:]):]
	}
	return t, "", nil
}

// partEnd returns the length of the part at the start of the template, including its end mark.
// Without an end mark it returns the length of the template, so that a damaged answer shows too
// little rather than too much. It skips the numbers of links, which may contain bytes that look
// like marks.
func partEnd(t Template) int {
	for i := 1; i < len(t); i++ {
		if i += firstMark(t[i:]); i == len(t) {
			break
		}
		switch mark := t[i]; {
		case mark == t[0]+1: // the end mark is the start mark plus 1
			return i + 1
		case isLink(mark):
			_, digits := binary.Uvarint(t[i+1:])
			i += max(0, digits)
		}
	}
	return len(t)
}

// Text returns the value of a string field of the answer, or "" if it is null.
func (t Template) Text(field string) (string, error) {
	// Quotes in strings are escaped, so only the field itself matches.
	at := bytes.Index(t, []byte(`"`+field+`":`))
	if at < 0 {
		return "", fmt.Errorf("answer has no field %s: %w", field, ErrDamaged)
	}
	value := t[at+len(field)+len(`"":`):]
	if !bytes.HasPrefix(value, []byte{'"'}) {
		return "", nil
	}
	end := 1
	for end < len(value) && value[end] != '"' {
		if value[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(value) {
		return "", fmt.Errorf("field %s has no end: %w", field, ErrDamaged)
	}
	if !bytes.Contains(value[:end], []byte{'\\'}) {
		return string(value[1:end]), nil
	}
	var text string
	err := json.Unmarshal(value[:end+1], &text)
	return text, err
}

// firstMark returns the index of the first byte that may be a mark, or the length of t if there is
// none. Marks are less than 8. firstMark checks eight bytes at a time: it subtracts 8 from each
// byte, which sets the high bit of the lowest byte that is less than 8.
func firstMark(t []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(t)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(t[i:])
		if low := (x - 8*each) &^ x & high; low != 0 {
			return i + bits.TrailingZeros64(low)/8
		}
	}
	for ; i < len(t) && t[i] >= 8; i++ {
	}
	return i
}

// length returns the number of bytes that [Template.Append] appends.
func (t Template) length(site string, show Parts) (n int) {
	for len(t) > 0 {
		var text []byte
		var insert string
		text, insert, t = t.next(site, show)
		n += len(text) + len(insert)
	}
	return n
}

// EscapeSite returns an address in the form that [Template.Append] needs.
func EscapeSite(site string) string {
	quoted, err := encode(strings.TrimRight(site, "/"))
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return string(quoted[1 : len(quoted)-1])
}

// siteURL returns the address of a page of the site. It starts with the mark for the site.
func siteURL(path string) string { return "\x01" + path }

// render encodes an answer that contains the given number of addresses from [siteURL]. It turns the
// escaped U+0001 of each address into the mark for the site. It returns an error if the answer
// contains any other U+0001.
func render(answer any, addresses int) (Template, error) {
	escaped, err := encode(answer)
	if err != nil {
		return nil, err
	}
	const mark = `\u0001`
	out := escaped[:0]
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if bytes.HasPrefix(escaped[i:], []byte(mark)) {
			out = append(out, markSite)
			addresses--
			i += len(mark) - 1
			continue
		}
		out = append(out, c, escaped[i+1])
		i++
	}
	if addresses != 0 {
		return nil, fmt.Errorf("record holds the control character U+0001; remove it from the source")
	}
	return out, nil
}

// encode is [json.Marshal] without HTML escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
