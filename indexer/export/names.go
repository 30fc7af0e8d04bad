package export

import (
	"bufio"
	"cmp"
	"io"
	"iter"
	"strconv"
	"strings"

	"bencao/indexer/datapackage"
	"bencao/names/han"
	"bencao/store"
)

// usage is a scientific name as both formats write it.
type usage struct {
	id, accepted           string // accepted is "" for an accepted name
	name, author, rank     string
	status                 string // that of the package: "" or a word of synonyms.status
	family, genus, address string
}

// usages yields every species and, behind it, its synonyms. Species go by
// their GUIDs, synonyms by the numbers of their rows.
func usages(p *datapackage.Package) iter.Seq[usage] {
	return func(yield func(usage) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			u := usage{id: s.GUID, name: s.ScientificName, author: s.Author, rank: s.Rank, family: s.Family, genus: s.Genus, address: s.URL}
			if !yield(u) {
				return
			}
			for _, x := range s.Synonyms {
				u := usage{id: "synonym-" + strconv.FormatInt(x.ID, 10), accepted: s.GUID,
					name: x.Name, author: x.Author, rank: x.Rank, status: cmp.Or(x.Status, "synonym"), family: s.Family}
				if !yield(u) {
					return
				}
			}
		}
	}
}

// vernacular is a Chinese name as both formats write it.
type vernacular struct {
	taxon, name, pinyin string
	preferred           bool
	kind, source        string
	chinese             bool // written in Chinese characters
}

// vernaculars yields the Chinese names of every species, its own name first.
// Pinyin is the operator's; what is derived from a name is not exported.
func vernaculars(p *datapackage.Package) iter.Seq[vernacular] {
	return func(yield func(vernacular) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			if s.ChineseName != "" && !yield(ownName(s)) {
				return
			}
			for _, a := range s.Aliases {
				if a.Name == s.ChineseName {
					continue // said already, with its kind and source
				}
				v := vernacular{taxon: s.GUID, name: a.Name, kind: a.Kind, source: a.Source, chinese: han.Has(a.Name)}
				if !yield(v) {
					return
				}
			}
		}
	}
}

// ownName is a species' Chinese name, with what its aliases say of it.
func ownName(s *store.Species) vernacular {
	v := vernacular{taxon: s.GUID, name: s.ChineseName, pinyin: s.ChineseNamePinyin, preferred: true, chinese: han.Has(s.ChineseName)}
	for _, a := range s.Aliases {
		if a.Name == s.ChineseName {
			v.kind, v.source = a.Kind, a.Source
		}
	}
	return v
}

// tsv writes rows whose cells are parted by tabs, with no quoting at all: both
// formats are read so everywhere. A tab or a line break in a cell is a space.
type tsv struct{ out *bufio.Writer }

func newTSV(w io.Writer) tsv { return tsv{bufio.NewWriterSize(w, 64<<10)} }

// row writes a row. Its error shows in [tsv.end].
func (t tsv) row(cells ...string) {
	for i, c := range cells {
		if i > 0 {
			t.out.WriteByte('\t')
		}
		flat.WriteString(t.out, c)
	}
	t.out.WriteByte('\n')
}

// end returns the first error of writing.
func (t tsv) end() error { return t.out.Flush() }

var flat = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// day is the date at the beginning of a time, "" if there is none.
func day(created string) string {
	if len(created) < 10 || created[4] != '-' || created[7] != '-' {
		return ""
	}
	return created[:10]
}
