package dwca

import (
	"io"

	"bencao/indexer/checklist"
	"bencao/indexer/profile"
	"bencao/internal/rows"
)

// Files lists the files from which the names are read.
func (c *Checklist) Files() []checklist.File {
	key := c.columns.id
	if i, ok := c.columns.index["taxonID"]; ok {
		key = i
	}
	out := []checklist.File{shape(c.m.Core, c.file, c.dialect, key)}
	for _, kind := range []string{"VernacularName", "Distribution"} {
		p := c.m.extension(kind)
		if p == nil {
			continue
		}
		file, err := c.m.file(c.src, p)
		if err != nil {
			continue // reading the names or places reports the error
		}
		if d, err := p.dialect(); err == nil {
			out = append(out, shape(p, file, d, -1))
		}
	}
	return out
}

// shape describes how to read a part's file. The columns of a file without a header get the
// names in meta.xml.
func shape(p *part, file string, d checklist.Dialect, key int) checklist.File {
	t := profile.Table{Open: func(r io.Reader) *rows.Reader { return d.Reader(r, file) }}
	if key >= 0 {
		t.KeyCells = []int{key}
	}
	if p.skipHeader > 0 {
		t.Skip = p.skipHeader - 1
		return checklist.File{Name: file, Table: t}
	}
	t.Labels = []string{}
	set := func(i int, label string) {
		for len(t.Labels) <= i {
			t.Labels = append(t.Labels, "")
		}
		t.Labels[i] = label
	}
	for _, id := range []*index{p.ID, p.CoreID} {
		if id != nil && id.Index != nil {
			set(*id.Index, "id")
		}
	}
	for _, f := range p.Terms {
		if f.Index != nil {
			set(*f.Index, f.term())
		}
	}
	return checklist.File{Name: file, Table: t}
}
