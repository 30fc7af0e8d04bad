package access

import (
	"github.com/pelletier/go-toml/v2/unstable"
)

// A setting is a line that a [[key]] block may have, with the rules for checking and reading the
// line.
type setting struct {
	name     string
	kinds    []unstable.Kind
	what     string // the permitted kinds in words, for errors
	example  string
	required bool
	// read stores the value in e and reports problems to r.
	read func(r *reader, e *Entry, v value)
}

// settings lists all settings of a key.
var settings = []setting{
	{
		name: "id", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"lab"`, required: true,
		read: func(r *reader, e *Entry, v value) {
			if err := CheckID(v.text); err != nil {
				r.report(v.line, "%v", err)
				return
			}
			e.ID = v.text
		},
	},
	{
		name: "name", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"Herbarium laboratory"`,
		read: func(r *reader, e *Entry, v value) { e.Name = r.prose("name", v) },
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
	},
	{
		name: "allow_any", kinds: []unstable.Kind{unstable.Bool}, what: "true or false", example: "true",
		read: func(_ *reader, e *Entry, v value) { e.AllowAny = v.text == "true" },
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
	},
	{
		name: "rate", kinds: []unstable.Kind{unstable.Integer}, what: "a whole number", example: "600", required: true,
		read: func(r *reader, e *Entry, v value) { e.Rate = r.rate(v) },
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
	},
	{
		name: "disabled", kinds: []unstable.Kind{unstable.Bool}, what: "true or false", example: "true",
		read: func(_ *reader, e *Entry, v value) { e.Disabled = v.text == "true" },
	},
	{
		name: "note", kinds: []unstable.Kind{unstable.String}, what: "a text", example: `"asked for by Dr Li"`,
		read: func(r *reader, e *Entry, v value) { e.Note = r.prose("note", v) },
	},
}

func settingOf(name string) *setting {
	for i := range settings {
		if settings[i].name == name {
			return &settings[i]
		}
	}
	return nil
}

func settingNames() []string {
	names := make([]string, len(settings))
	for i, k := range settings {
		names[i] = k.name
	}
	return names
}
