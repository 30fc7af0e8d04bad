package datapackage

import (
	"strings"

	"bencao/indexer/finding"
)

// TableSchema is what a table may hold, in the terms of Frictionless' Table
// Schema: enough to write the table, to describe it, or to check a header.
type TableSchema struct {
	Name    string
	Columns []ColumnSchema
	// PrimaryKey lists the columns that together stand only once, Unique the
	// other such sets.
	PrimaryKey []string
	Unique     [][]string
	References []Reference
	// Derived says that the indexer makes the table when it is absent.
	Derived bool
}

// ColumnSchema is one column.
type ColumnSchema struct {
	Name string
	// Type is string, integer, number or boolean.
	Type string
	// Required says that the column must be there and its cells not empty.
	Required bool
	// Present says that the column must be there, though its cells may be empty.
	Present bool
	// Words, if any, are the vocabulary; others are warned of.
	Words []string
}

// Reference is a column that must lead to a row of another table.
type Reference struct{ Column, Table, To string }

// Schema describes every table, in the order of reading.
func Schema() []TableSchema {
	out := make([]TableSchema, len(tables))
	for i, t := range tables {
		out[i] = t.schema
		out[i].Derived = t.derived
	}
	return out
}

func (t table[R]) schema() TableSchema {
	s := TableSchema{Name: t.name}
	for _, c := range t.columns {
		typ := c.typ
		if typ == "" {
			typ = "string"
		}
		s.Columns = append(s.Columns, ColumnSchema{Name: c.name, Type: typ, Required: c.required, Present: c.present, Words: c.words})
	}
	for _, k := range t.keys {
		columns := strings.Split(k.column, " + ")
		if k.code == finding.PrimaryKey {
			s.PrimaryKey = columns
		} else {
			s.Unique = append(s.Unique, columns)
		}
	}
	for _, r := range t.refs {
		to := "entry_id"
		if r.table == "papers" {
			to = "id"
		}
		s.References = append(s.References, Reference{r.column, r.table, to})
	}
	return s
}
