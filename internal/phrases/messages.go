package phrases

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// verb is a place for a value in a format of package fmt.
var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*[\d.]*([a-zA-Z%])`)

// Verbs are the places for values in a format, in the order of the values, such
// as "1q": those of a translation must be the same.
func Verbs(format string) []string {
	var verbs []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		verbs = append(verbs, strconv.Itoa(next)+m[2])
		next++
	}
	slices.Sort(verbs)
	return verbs
}

// Messages translates messages, such as those of errors, that were made in
// English by the formats of a catalogue. Whoever makes an error knows no language;
// whoever prints it does.
type Messages struct{ templates []template }

// template is a format and what it is in the language.
type template struct {
	english *regexp.Regexp // with a group for each value
	text    string         // the language's format
	letters int            // of English that are no value
}

// valueOf are what values look like. Others are any text, and a message may be
// part of another.
var valueOf = map[string]string{"q": `"(?:[^"\\]|\\.)*"`, "d": `-?\d+`}

// Messages makes of a catalogue of formats what translates messages.
func (c Catalogue) Messages() *Messages {
	m := &Messages{}
	for english, text := range c {
		var pattern strings.Builder
		at, letters := 0, 0
		for _, v := range verb.FindAllStringSubmatchIndex(english, -1) {
			pattern.WriteString(regexp.QuoteMeta(english[at:v[0]]))
			letters += v[0] - at
			pattern.WriteString("(" + cmp.Or(valueOf[english[v[4]:v[5]]], `.*?`) + ")")
			at = v[1]
		}
		letters += len(english) - at
		pattern.WriteString(regexp.QuoteMeta(english[at:]))
		m.templates = append(m.templates, template{regexp.MustCompile(`(?s)^` + pattern.String() + `$`), text, letters})
	}
	// What says most is tried first.
	slices.SortFunc(m.templates, func(a, b template) int {
		return cmp.Or(cmp.Compare(b.letters, a.letters), cmp.Compare(a.text, b.text))
	})
	return m
}

// Translate says a message in the language. Of a message of several lines, or of
// several parts with ": " between them, it says those that the catalogue has, and
// leaves the others in English.
func (m *Messages) Translate(message string) string {
	if said, ok := m.whole(message); ok {
		return said
	}
	if lines := strings.Split(message, "\n"); len(lines) > 1 {
		for i, line := range lines {
			lines[i] = m.Translate(line)
		}
		return strings.Join(lines, "\n")
	}
	for at := 0; ; {
		i := strings.Index(message[at:], ": ")
		if i < 0 {
			return message
		}
		at += i + len(": ")
		if said, ok := m.whole(message[at:]); ok {
			return message[:at] + said
		}
	}
}

// whole says a message that was made by one format of the catalogue.
func (m *Messages) whole(message string) (string, bool) {
	message = strings.TrimSpace(message)
	if message == "" {
		return "", false
	}
	for _, t := range m.templates {
		values := t.english.FindStringSubmatch(message)
		if values == nil {
			continue
		}
		for i, v := range values[1:] {
			if v != message {
				values[i+1] = m.Translate(v)
			}
		}
		next := 1
		return verb.ReplaceAllStringFunc(t.text, func(place string) string {
			if n := verb.FindStringSubmatch(place)[1]; n != "" {
				next, _ = strconv.Atoi(n)
			}
			next++
			if next > len(values) {
				return place // a test holds translations to the values of the English
			}
			return values[next-1]
		}), true
	}
	return message, false
}
