package check

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/indexer/rowdiff"
)

// Rows compares the rows of the package with those of the previous snapshot's package, and judges
// the number of rejected rows.
func (c *Checker) Rows(ctx context.Context, p *datapackage.Package) error {
	c.judgeRejected(p.Tables)
	var all []*compared
	err := c.openPackage(func(old *archive.Archive) error {
		all = nil
		if old == nil {
			return nil
		}
		removed := map[string]map[string]bool{} // the keys of removed records, by table
		for _, s := range p.Schemas() {
			t, err := c.compareTable(ctx, p, s, old, removed)
			if err != nil {
				return err
			}
			if t != nil {
				all = append(all, t)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range rules {
		for _, t := range all {
			if r.of != nil {
				r.of(t, func(n count) { c.ledger.judge(r.name, t.place, n) })
			}
		}
	}
	return c.ledger.err()
}

// compareTable compares a table of the package with that of an old package. It returns nil if one of
// them lacks the table.
func (c *Checker) compareTable(ctx context.Context, p *datapackage.Package, s datapackage.TableSchema, old *archive.Archive, removed map[string]map[string]bool) (*compared, error) {
	if !p.Table(s.Name).Present {
		return nil, nil
	}
	was, err := readTable(ctx, old, s.Name)
	if was == nil && err == nil {
		return nil, nil
	}
	columns := make([]string, len(s.Columns))
	for i, col := range s.Columns {
		columns[i] = col.Name
	}
	now, large := rowdiff.New(columns, p.Rows(s.Name))
	switch {
	case errors.Is(err, rowdiff.ErrTooLarge) || large != nil:
		c.logger.Warn("a table is too large to compare its rows with those of the previous snapshot", "table", s.Name)
		return nil, nil
	case err != nil:
		return nil, err
	}
	for column, plain := range plainValues {
		if was, err = was.WithPlain(column, plain); err == nil {
			now, err = now.WithPlain(column, plain)
		}
		if err != nil {
			return nil, err
		}
	}
	spec := specOf(s)
	spec.Earlier = c.earlier(s.Name)
	t := &compared{place: place{table: s.Name}, limits: c.limits}
	if i := slices.IndexFunc(c.files, func(f *file) bool { return f.table == s.Name }); i >= 0 {
		f := c.files[i]
		t.file = f.name
		now.Locate(spec.Key, func(cells []string) int32 { return f.lines[profile.KeyHash(cells...)] })
		for _, name := range spec.Key {
			if !f.profile.Has(name) {
				spec.Key = nil // the ids are row numbers
				break
			}
		}
	}
	if s.Name == "formula_ingredients" {
		spec.Book = bookOf(p)
	}
	t.Diff, t.key = rowdiff.Compare(was, now, spec), spec.Key
	c.remember(s.Name, t.Columns)
	references := map[string]map[string]bool{}
	for _, ref := range s.References {
		references[ref.Column] = removed[ref.Table]
	}
	t.orphans = t.Orphans(references)
	if len(spec.Key) > 0 {
		removed[s.Name] = t.RemovedValues(spec.Key[0])
		if allowChanges.allows(&c.limits, s.Name, "") {
			c.touched[s.Name] = t.Touched(spec.Key[0])
		}
	}
	t.Release()
	return t, nil
}

// plainValues has, by column, the form in which its values are compared. A DOI is the same with or
// without the address of a resolver.
var plainValues = map[string]func(string) string{"doi": func(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain
	}
	if i := strings.Index(s, "10."); i >= 0 {
		s = s[i:]
	}
	return strings.ToLower(s)
}}

// specOf returns how to compare a table, from the roles of its columns.
func specOf(s datapackage.TableSchema) rowdiff.Spec {
	spec := rowdiff.Spec{Key: s.PrimaryKey}
	if spec.Key == nil {
		spec.Key = s.Unique[0]
	}
	roles := map[string]datapackage.Role{}
	for _, c := range s.Columns {
		roles[c.Name] = c.Role
		switch c.Role {
		case datapackage.RoleIdentity:
			spec.Identity = append(spec.Identity, c.Name)
		case datapackage.RoleGUID:
			spec.GUID = c.Name
			spec.IDs = append(spec.IDs, c.Name)
		case datapackage.RoleID:
			spec.IDs = append(spec.IDs, c.Name)
		case datapackage.RoleReference:
			spec.References = append(spec.References, c.Name)
		case datapackage.RoleNumber:
			spec.Numbers = append(spec.Numbers, c.Name)
		}
	}
	if len(spec.Key) == 2 && roles[spec.Key[0]] == datapackage.RoleReference && roles[spec.Key[1]] == datapackage.RoleID {
		spec.Group, spec.GroupKey, spec.IDs = spec.Key[0], spec.Identity, nil // two equal rows are no mistake
	}
	return spec
}

// bookOf returns a function that returns the source book of an ingredient's formula.
func bookOf(p *datapackage.Package) func(*rowdiff.Table, int) string {
	of := map[string]string{}
	for i := range p.Formulas {
		of[fmt.Sprint(p.Formulas[i].EntryID)] = string(p.Formulas[i].OriginalSource)
	}
	return func(now *rowdiff.Table, row int) string { return of[now.Cell(row, now.Index("formula_id"))] }
}

// readTable reads a table of a package that this program wrote. It returns nil if there is no such
// table.
func readTable(ctx context.Context, src *archive.Archive, table string) (t *rowdiff.Table, err error) {
	for _, f := range datapackage.Written(src) {
		if f.Table != table {
			continue
		}
		in, err := src.Open(f.Name)
		if err != nil {
			return nil, unreadable{err}
		}
		t, err := rowdiff.Read(ctx, in, f.Shape)
		if err := errors.Join(err, in.Close()); err != nil && ctx.Err() == nil {
			return nil, unreadable{fmt.Errorf("%s: %w", f.Name, err)}
		}
		return t, ctx.Err()
	}
	return nil, nil
}

// Lists judges the number of rejected rows of the checklists.
func (c *Checker) Lists(lists []datapackage.Table) error {
	c.judgeRejected(lists)
	return c.ledger.err()
}

func (c *Checker) judgeRejected(tables []datapackage.Table) {
	for _, t := range tables {
		message := fmt.Sprintf("%d of %d rows are rejected, %.1f %% where %.1f %% are allowed", t.Rejected, t.Rows, 100*t.RejectedShare(), 100*c.limits.MaxRejected)
		if f, found := c.log.First(func(f finding.Finding) bool {
			return f.Severity == finding.Reject && f.Table == strings.TrimPrefix(t.Name, Checklist(""))
		}); found {
			message += ", such as " + f.Error()
		}
		c.ledger.judge("rejected", place{table: t.Name}, count{bad: t.Rejected, all: t.Rows, message: message})
	}
}
