package datapackage

import (
	"fmt"
	"strconv"

	"bencao/indexer/finding"
	"bencao/names/han"
)

var herbSpeciesTable = table[HerbSpecies]{
	name: "herb_species",
	columns: []column[HerbSpecies]{
		required(as(RoleIdentity, text("herb", func(h *HerbSpecies) *string { return &h.Herb }))),
		present(as(RoleReference, optional("species_id", func(h *HerbSpecies) **int32 { return &h.SpeciesID }))),
		text("part", func(h *HerbSpecies) *string { return &h.Part }),
		text("authority", func(h *HerbSpecies) *string { return &h.Authority }),
		boolean("preferred", func(h *HerbSpecies) **bool { return &h.Preferred }),
		text("plain", func(h *HerbSpecies) *string { return &h.Plain }),
		as(RoleNumber, year("from_year", func(h *HerbSpecies) **int32 { return &h.FromYear })),
		as(RoleNumber, year("to_year", func(h *HerbSpecies) **int32 { return &h.ToYear })),
	},
	keys: []key[HerbSpecies]{{"herb + species_id", finding.PrimaryKey, func(h *HerbSpecies) any {
		return struct{ herb, species string }{h.Herb, number32(h.SpeciesID)}
	}}},
	refs: []ref[HerbSpecies]{{column: "species_id", table: "species",
		found: func(l *loader, h *HerbSpecies) bool {
			if h.SpeciesID == nil {
				return true
			}
			_, ok := l.species[*h.SpeciesID]
			return ok
		},
		value: func(h *HerbSpecies) string { return number32(h.SpeciesID) },
	}},
	add: func(l *loader, h *HerbSpecies, line int) {
		l.p.HerbSpecies = append(l.p.HerbSpecies, *h)
		l.herbLines = append(l.herbLines, line)
	},
	each: rowsOf(func(p *Package) []HerbSpecies { return p.HerbSpecies }),
}

// optional returns a column of whole numbers. Its cells may be empty.
func optional[R any](name string, field func(*R) **int32) column[R] {
	var into int32
	c := integer(name, func(*R) *int32 { return &into })
	get := func(r *R) string { return number32(*field(r)) }
	return column[R]{name: name, typ: c.typ, get: get, set: func(r *R, v string) *problem {
		n, err := strconv.ParseInt(v, 10, 32)
		if err != nil {
			return c.set(r, v)
		}
		id := int32(n)
		*field(r) = &id
		return nil
	}}
}

// number32 returns a number as text. It returns "" for nil.
func number32(n *int32) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// checkHerbs reports rows of herb_species that contradict each other. It removes the contradicting
// values of the later row.
func (l *loader) checkHerbs() {
	c := herbCheck{l: l, species: map[string]int{}, withoutSpecies: map[string]int{}, plain: map[string]plainName{}}
	for i := range l.p.HerbSpecies {
		c.row(&l.p.HerbSpecies[i], l.herbLines[i])
	}
	for i := range l.p.HerbSpecies {
		c.cycle(&l.p.HerbSpecies[i], l.herbLines[i])
	}
	l.herbLines = nil
}

// plainName is the plain name in a row, with the row's line.
type plainName struct {
	value string
	line  int
}

// herbCheck holds the rows read so far, by folded herb.
type herbCheck struct {
	l              *loader
	species        map[string]int // line of the first row with a species
	withoutSpecies map[string]int // line of the first row without a species
	plain          map[string]plainName
}

func (c *herbCheck) warn(line int, column, value, message, hint string) {
	c.l.report(finding.Finding{Severity: finding.Warn, Code: finding.Herb, Table: herbSpeciesTable.name, File: c.l.files[herbSpeciesTable.name],
		Line: line, Column: column, Value: value, Message: message, Hint: hint})
}

// row compares a row with the earlier rows.
func (c *herbCheck) row(h *HerbSpecies, line int) {
	if h.FromYear != nil && h.ToYear != nil && *h.FromYear > *h.ToYear {
		c.warn(line, "from_year", number32(h.FromYear), "from_year is after to_year, "+number32(h.ToYear), "both are left out; exchange them if they are in the wrong columns")
		h.FromYear, h.ToYear = nil, nil
	}
	name := han.Fold(h.Herb)
	own, other := c.species, c.withoutSpecies
	if h.SpeciesID == nil {
		own, other = c.withoutSpecies, c.species
		if h.FromYear != nil || h.ToYear != nil {
			c.warn(line, "from_year", h.Herb, "years on a row without a species", "they are left out; they say when a herb comes from a species")
			h.FromYear, h.ToYear = nil, nil
		}
	}
	if at, both := other[name]; both {
		c.warn(line, "species_id", h.Herb, fmt.Sprintf("the herb has a row with a species and one without, on line %d", at),
			"the species counts; take out the row without")
	}
	if own[name] == 0 {
		own[name] = line
	}
	if h.Plain == "" {
		return
	}
	first, known := c.plain[name]
	switch {
	case !known:
		c.plain[name] = plainName{han.Fold(h.Plain), line}
	case first.value != han.Fold(h.Plain):
		c.warn(line, "plain", h.Plain, fmt.Sprintf("the herb has another plain name, %s, on line %d", first.value, first.line), "the first one stays; give all rows of a herb the same")
		h.Plain = ""
	}
}

// cycle warns if the plain name of a row's herb, the plain name of that name, and so on, lead back
// to the herb.
func (c *herbCheck) cycle(h *HerbSpecies, line int) {
	name := han.Fold(h.Herb)
	if h.Plain == "" || c.plain[name].line != line || han.Fold(h.Plain) == name {
		return
	}
	at := name
	for range c.plain {
		next, more := c.plain[at]
		if !more || next.value == at {
			return
		}
		if at = next.value; at == name {
			c.warn(line, "plain", h.Plain, "the plain names refer in a cycle back to "+h.Herb, "none of them counts; leave plain empty in the row of the plain name itself")
			return
		}
	}
}
