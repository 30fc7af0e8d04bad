package dwca

import (
	"context"
	"errors"
	"io"
	"strings"

	"bencao/indexer/checklist"
	"bencao/names/han"
)

// chineseNames reads the Chinese vernacular names by taxon. If a taxon has several Chinese names,
// it returns the preferred one, or else the first.
func (c *Checklist) chineseNames(ctx context.Context, audit *checklist.Audit) (map[string]string, error) {
	p := c.m.extension("VernacularName")
	if p == nil {
		return nil, nil
	}
	t, err := c.openPart(p)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	columns, err := p.columns()
	if err != nil || columns.id < 0 {
		return nil, err
	}
	out, preferred := map[string]string{}, map[string]bool{}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cells, err := t.Rows.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if columns.id >= len(cells) {
			continue
		}
		id := plainID(checklist.Text(cells[columns.id]))
		name := chineseOf(checklist.Text(columns.cell(cells, "vernacularName")), columns.cell(cells, "language"))
		if name == "" {
			continue
		}
		best := strings.EqualFold(columns.cell(cells, "isPreferredName"), "true") || columns.cell(cells, "isPreferredName") == "1"
		if _, has := out[id]; !has || best && !preferred[id] {
			out[id], preferred[id] = name, best
		}
	}
}

// chineseOf returns name if it is Chinese, and "" otherwise. The language decides whether name is
// Chinese. If language is "", the characters of name decide.
func chineseOf(name, language string) string {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	switch language {
	case "zh", "zho", "chi", "cmn", "chinese", "":
		if han.Has(name) {
			return name
		}
	}
	return ""
}
