package access

import (
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A columnSpec is a setting of a key: how it is checked and read, and how an
// edit writes it.
type columnSpec struct {
	name     string
	kinds    []unstable.Kind
	what     string // the kind in words
	example  string
	required bool
	read     func(r *reader, e *Entry, v value)
	// write returns the value in TOML, empty if the line is not needed.
	// A list has its members instead.
	write func(e Entry) string
	list  func(e Entry) []string
	// canon spells a member as list does, so that the two can be compared.
	canon func(string) string
}

// columns are all settings, in the order in which a new key is written.
var columns = []columnSpec{
	{
		name: "id", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"lab"`, required: true,
		read: func(r *reader, e *Entry, v value) {
			if err := CheckID(v.text); err != nil {
				r.report(v.line, "%v", err)
				return
			}
			e.ID = v.text
		},
		write: func(e Entry) string { return quote(e.ID) },
	},
	{
		name: "name", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"Herbarium laboratory"`,
		read:  func(r *reader, e *Entry, v value) { e.Name = r.prose("name", v) },
		write: func(e Entry) string { return optional(e.Name) },
	},
	{
		name: "hash", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"sha256:…", as "bencao keys create" writes it`, required: true,
		read: func(r *reader, e *Entry, v value) {
			h, err := ParseHash(v.text)
			if err != nil {
				r.report(v.line, `hash %v; "bencao keys create" writes it`, err)
			}
			e.Hash = h
		},
		write: func(e Entry) string { return quote(e.Hash.String()) },
	},
	{
		name: "networks", kinds: []unstable.Kind{unstable.Array}, what: "a list of texts", example: `["192.0.2.0/24", "2001:db8::/32"]`, required: true,
		read: func(r *reader, e *Entry, v value) {
			for _, item := range v.items {
				p, err := ParseNetwork(item.text)
				if err != nil {
					r.report(item.line, "%v", err)
				}
				e.Networks = append(e.Networks, p)
			}
			if len(v.items) == 0 {
				r.report(v.line, "networks is empty, so the key works nowhere; list a network such as 192.0.2.0/24, or set disabled = true")
			}
		},
		list: func(e Entry) []string { return networkTexts(e.Networks) },
		canon: func(text string) string {
			p, err := ParseNetwork(text)
			if err != nil {
				return text
			}
			return networkText(p)
		},
	},
	{
		name: "allow_any", kinds: []unstable.Kind{unstable.Bool}, what: "true or false", example: "true",
		read:  func(_ *reader, e *Entry, v value) { e.AllowAny = v.text == "true" },
		write: func(e Entry) string { return flag(e.AllowAny) },
	},
	{
		name: "scopes", kinds: []unstable.Kind{unstable.Array}, what: "a list of texts", example: `["prescriptions"]`,
		read: func(r *reader, e *Entry, v value) {
			for _, item := range v.items {
				s, err := ParseScope(item.text)
				if err != nil {
					r.report(item.line, "%v", err)
				}
				e.Scopes |= s
			}
		},
		list:  func(e Entry) []string { return e.Scopes.Names() },
		canon: func(text string) string { return text },
	},
	{
		name: "rate", kinds: []unstable.Kind{unstable.Integer}, what: "a whole number", example: "600", required: true,
		read:  func(r *reader, e *Entry, v value) { e.Rate = r.rate(v) },
		write: func(e Entry) string { return strconv.Itoa(e.Rate) },
	},
	{
		name: "expires", kinds: []unstable.Kind{unstable.LocalDate, unstable.DateTime}, what: "a date, or a date and time with a zone, without quotes", example: "2027-01-01",
		read: func(r *reader, e *Entry, v value) {
			t, err := ParseExpiry(v.text)
			if err != nil {
				r.report(v.line, "%v", err)
			}
			e.Expires = t
		},
		write: func(e Entry) string { return ExpiryText(e.Expires) },
	},
	{
		name: "disabled", kinds: []unstable.Kind{unstable.Bool}, what: "true or false", example: "true",
		read:  func(_ *reader, e *Entry, v value) { e.Disabled = v.text == "true" },
		write: func(e Entry) string { return flag(e.Disabled) },
	},
	{
		name: "note", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"asked for by Dr Li"`,
		read:  func(r *reader, e *Entry, v value) { e.Note = r.prose("note", v) },
		write: func(e Entry) string { return optional(e.Note) },
	},
}

func column(name string) *columnSpec {
	for i := range columns {
		if columns[i].name == name {
			return &columns[i]
		}
	}
	return nil
}

func columnNames() []string {
	names := make([]string, len(columns))
	for i, k := range columns {
		names[i] = k.name
	}
	return names
}
