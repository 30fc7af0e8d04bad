package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"
	"bencao/indexer/finding"
	"bencao/indexer/profile"
	"bencao/indexer/rowdiff"
	"bencao/store/snapshot"

	"golang.org/x/sync/errgroup"
)

// records lists, for each table, the columns besides the key by which a row is recognised. In
// tables that are not in this map, only the key identifies a row.
var records = map[string]rowdiff.Spec{
	"species":  {GUID: "guid", IDs: []string{"entry_id", "guid", "url"}, Identity: []string{"scientific_name", "chinese_name", "family"}},
	"formulas": {GUID: "guid", IDs: []string{"entry_id", "guid", "url"}, Identity: []string{"name", "original_source", "composition"}},
	"papers":   {IDs: []string{"id", "url"}, Identity: []string{"title", "year"}},
	"synonyms": {IDs: []string{"id"}, Identity: []string{"species_id", "name"}},
	"flora":    {IDs: []string{"id", "url"}, Identity: []string{"species_id", "flora", "name_in_flora"}},
	"uses":     {IDs: []string{"id"}, Identity: []string{"species_id", "collection", "category"}},

	ingredients: {Group: "formula_id", GroupKey: []string{"herb"}},
}

const ingredients = "formula_ingredients"

// movement has the row-by-row differences between a table and its version in the previous snapshot.
type movement struct {
	*shape
	rowdiff.Diff
}

// movements compares the package row by row with that of the newest readable snapshot.
func (c *Checker) movements(ctx context.Context, all []*shape) ([]movement, error) {
	for _, m := range c.previous {
		var found []movement
		var sourceErr error
		err := c.openVerified(m, PackageFile, func(f *os.File) (err error) {
			found, sourceErr, err = c.compareWith(ctx, f.Name(), all)
			return err
		})
		if sourceErr != nil || ctx.Err() != nil {
			return nil, errors.Join(sourceErr, ctx.Err())
		}
		if err == nil {
			return found, nil
		}
		c.logger.Warn("the rows can't be compared with a snapshot's package", "snapshot", m.ID, "error", err)
	}
	return nil, nil
}

// compareWith compares all tables with those of the package at path. unread is an error from
// reading this build's own files.
func (c *Checker) compareWith(ctx context.Context, path string, all []*shape) (found []movement, unread, err error) {
	src, err := archive.Open(path, archive.Limits{})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	files := map[string]datapackage.File{}
	for _, f := range datapackage.Files(src, datapackage.Options{}) {
		files[f.Table] = f
	}
	for _, s := range all {
		f, known := files[s.table]
		if !known {
			continue
		}
		spec := records[s.table]
		spec.Key = s.how.Key
		if s.table == ingredients {
			if spec.Book, unread = formulaSource(ctx, all); unread != nil {
				return nil, unread, nil
			}
		}
		var old, now *rowdiff.Table
		g, reading := errgroup.WithContext(ctx)
		var wrong error
		g.Go(func() (err error) {
			old, err = readTable(reading, src, f.Name, f.Shape)
			return err
		})
		g.Go(func() error {
			now, wrong = readTable(reading, s.src, s.file, s.how)
			return wrong
		})
		err := g.Wait()
		switch {
		case errors.Is(err, rowdiff.ErrTooLarge):
			c.logger.Warn("a table is too large to compare its rows with those of the previous snapshot", "table", s.table)
			continue
		case wrong != nil && ctx.Err() == nil && !errors.Is(wrong, context.Canceled):
			return nil, wrong, nil
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		found = append(found, movement{s, rowdiff.Compare(old, now, spec)})
	}
	return found, nil, nil
}

func readTable(ctx context.Context, src *archive.Archive, name string, how profile.Table) (t *rowdiff.Table, err error) {
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return rowdiff.Read(ctx, f, how)
}

// formulaSource returns a function that returns the source book of an ingredient's formula.
func formulaSource(ctx context.Context, all []*shape) (func(*rowdiff.Table, int) string, error) {
	i := slices.IndexFunc(all, func(s *shape) bool { return s.table == "formulas" })
	if i < 0 {
		return nil, nil
	}
	t, err := readTable(ctx, all[i].src, all[i].file, all[i].how)
	if err != nil {
		return nil, err
	}
	id, source := t.Index("entry_id"), t.Index("original_source")
	of := make(map[string]string, t.Rows())
	for row := range t.Rows() {
		of[t.Cell(row, id)] = t.Cell(row, source)
	}
	return func(now *rowdiff.Table, row int) string { return of[now.Cell(row, now.Index("formula_id"))] }, nil
}

// judgeMovedGUIDs judges GUIDs that belong to another record than before. A curator never moves a
// GUID to another record, so the build is refused even for one moved GUID.
func (l *ledger) judgeMovedGUIDs(m movement) {
	v := verdict{
		measure: "moved-guids", table: m.table, column: "guid", bad: len(m.MovedGUIDs), all: m.Before, flag: allowMovedGUIDs, code: finding.MovedGUID, file: m.file,
		hint: "links to these records now resolve to others: give each record its GUID back",
	}
	var such []string
	for i, g := range m.MovedGUIDs {
		if i == 2 {
			break
		}
		v.lines = append(v.lines, g.Line)
		such = append(such, fmt.Sprintf("%s:%d, %s belonged to %q and now belongs to %q", m.file, g.Line, g.GUID, g.Was, g.Is))
	}
	v.message = fmt.Sprintf("%d GUIDs belong to another record than in the previous snapshot, such as %s", len(m.MovedGUIDs), strings.Join(such, "; "))
	l.judge(v)
}

// maxMoved is the maximum share of values that may change places in a column or a table. In any
// table, fewCells values may change places. A curator may move a few misplaced values to their
// right place; a broken export moves many values.
const (
	maxMoved = 0.01
	fewCells = 4
)

// judgeMoves judges values that changed places.
func (l *ledger) judgeMoves(m movement) {
	v := verdict{table: m.table, file: m.file, limit: maxMoved, small: fewCells, reportFrom: 1, flag: allowGrowth, code: finding.Growth}
	v.measure, v.bad, v.all, v.lines = "repeated", m.Repeated.Count, m.Before, m.Repeated.Lines()
	v.message = fmt.Sprintf("%d new rows repeat others under new ids%s", v.bad, examples(m.file, m.Repeated, func(c rowdiff.Change) string { return fmt.Sprintf("%q again", c.Was) }))
	v.hint = "take the repeated rows out"
	l.judge(v)

	v.flag, v.code, v.reportFrom = allowChanges, finding.Changes, 2
	v.measure, v.bad, v.lines = "recombined", m.Recombined.Count, m.Recombined.Lines()
	v.message = fmt.Sprintf("%d new rows combine the %s of removed rows in another way%s", v.bad, strings.Join(m.how.Key, " and "), examples(m.file, m.Recombined, func(c rowdiff.Change) string { return c.Is }))
	v.hint = "check whether the values of one of these columns moved to other rows"
	l.judge(v)

	v.measure, v.bad, v.lines, v.reportFrom = "across", m.Permuted.Count, m.Permuted.Lines(), 1
	v.message = fmt.Sprintf("%d new rows hold the cells of removed rows in other columns%s", v.bad, examples(m.file, m.Permuted, wasIs))
	v.hint = "put the values back into their columns"
	l.judge(v)

	for _, c := range m.Columns {
		v.column, v.all = c.Name, c.Filled
		v.measure, v.bad, v.lines, v.reportFrom = "across", c.Across.Count, c.Across.Lines(), 1
		v.message = fmt.Sprintf("%d of %d cells hold the value that another column of their row held, mostly %s%s", v.bad, c.Filled, c.From, examples(m.file, c.Across, wasIs))
		v.hint = "put the values of " + c.Name + " and " + c.From + " back into their columns"
		l.judge(v)

		v.measure, v.bad, v.lines, v.reportFrom = "between", c.Between.Count, c.Between.Lines(), 2
		v.message = fmt.Sprintf("%d of %d cells exchanged their values with other rows%s", v.bad, c.Filled, examples(m.file, c.Between, wasIs))
		v.hint = "put the values back into their rows"
		l.judge(v)

		for _, s := range c.Scaled {
			l.judgeScaled(m, c, s)
		}
	}
}

// judgeScaled judges the numbers of a column that were all multiplied by the same factor. If nearly
// all of these numbers belong to one book, a curator has corrected the book, so the change is only
// reported.
func (l *ledger) judgeScaled(m movement, c rowdiff.Column, s rowdiff.Scaled) {
	v := verdict{
		measure: "scaled", table: m.table, column: c.Name, file: m.file, bad: s.Count, all: c.Filled, limit: maxMoved, small: fewCells, reportFrom: max(3, c.Filled/500),
		lines: s.Lines(), flag: allowChanges, code: finding.Changes, hint: "check whether a unit or a digit was lost when the table was exported",
	}
	where := ""
	if book := s.MainBook(); book != "" {
		where, v.limit = ", nearly all of "+book, 1
	} else if len(s.Books) > 0 {
		top := slices.MaxFunc(slices.Sorted(maps.Keys(s.Books)), func(a, b string) int { return s.Books[a] - s.Books[b] })
		where = fmt.Sprintf(" of %d books, %d of them of %s", len(s.Books), s.Books[top], top)
	}
	v.message = fmt.Sprintf("%d numbers%s are those of the previous snapshot %s%s", s.Count, where, s.How, examples(m.file, s.Found, wasIs))
	l.judge(v)
}

func wasIs(c rowdiff.Change) string { return fmt.Sprintf("%q → %q", c.Was, c.Is) }

// examples returns the first two changes with file and line.
func examples(file string, f rowdiff.Found, say func(rowdiff.Change) string) string {
	var parts []string
	for _, c := range f.First[:min(2, len(f.First))] {
		parts = append(parts, fmt.Sprintf("%s:%d, %s", file, c.Line, say(c)))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", such as " + strings.Join(parts, "; ")
}

// candidates lists the snapshots with which this build can be compared, the previous snapshot
// first.
func (c *Checker) candidates(dir snapshot.Dir) ([]snapshot.Manifest, error) {
	candidates := []snapshot.Manifest{*c.before}
	list, err := dir.List()
	if err != nil {
		return nil, err
	}
	for _, info := range list {
		if info.Err == nil && info.Manifest.ID != c.before.ID {
			candidates = append(candidates, info.Manifest)
		}
	}
	return candidates, nil
}
