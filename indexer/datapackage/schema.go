package datapackage

// TableSchema describes a table in the terms of Frictionless' Table Schema. It is used to write and
// describe tables and to check headers.
type TableSchema struct {
	Name    string
	Columns []ColumnSchema
	// PrimaryKey lists the columns of the primary key, and Unique lists the other sets of columns
	// whose values must be unique.
	PrimaryKey []string
	Unique     [][]string
	References []Reference
	// Derived means that the indexer derives the table if the package lacks it.
	Derived bool
}

// ColumnSchema describes a column.
type ColumnSchema struct {
	Name string
	// Type is string, integer, number or boolean.
	Type string
	Role Role
	// Required means that the column must exist and its cells must not be empty.
	Required bool
	// Present means that the column must exist, although its cells may be empty.
	Present bool
	// Words is the vocabulary, or nil if there is none. A word that is not in the vocabulary gets a
	// warning.
	Words []string
}

// Reference is a column that must refer to a row of another table.
type Reference struct{ Column, Table, To string }
