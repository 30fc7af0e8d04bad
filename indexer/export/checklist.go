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

// usage is a name usage for Darwin Core and ColDP.
type usage struct {
	id, accepted           string // accepted is the id of the accepted name, "" for an accepted name
	name, author, rank     string
	status                 string // "" for an accepted name, otherwise a value of synonyms.status
	family, genus, address string
}

// usages yields every species followed by its synonyms. The id of a species is its GUID, that of a
// synonym the number of its row.
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

// vernacular is a vernacular name for Darwin Core and ColDP.
type vernacular struct {
	taxon, name, pinyin string
	preferred           bool
	kind, source        string
	chinese             bool // whether name has Chinese characters
}

// vernaculars yields the Chinese names of every species, the preferred one first. Pinyin comes
// from the source only; derived pinyin is not exported.
func vernaculars(p *datapackage.Package) iter.Seq[vernacular] {
	return func(yield func(vernacular) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			if s.ChineseName != "" && !yield(preferredName(s)) {
				return
			}
			for _, a := range s.Aliases {
				if a.Name == s.ChineseName {
					continue // preferredName includes its kind and source
				}
				v := vernacular{taxon: s.GUID, name: a.Name, kind: a.Kind, source: a.Source, chinese: han.Has(a.Name)}
				if !yield(v) {
					return
				}
			}
		}
	}
}

// preferredName returns the Chinese name of a species with the kind and source of the alias of the
// same name.
func preferredName(s *store.Species) vernacular {
	v := vernacular{taxon: s.GUID, name: s.ChineseName, pinyin: s.ChineseNamePinyin, preferred: true, chinese: han.Has(s.ChineseName)}
	for _, a := range s.Aliases {
		if a.Name == s.ChineseName {
			v.kind, v.source = a.Kind, a.Source
		}
	}
	return v
}

// tsv writes tab-separated rows without quoting, which all readers of the two formats understand.
// Tabs and line breaks within a cell become spaces.
type tsv struct{ out *bufio.Writer }

func newTSV(w io.Writer) tsv { return tsv{bufio.NewWriterSize(w, 64<<10)} }

// row writes a row. [tsv.end] returns its error.
func (t tsv) row(cells ...string) {
	for i, c := range cells {
		if i > 0 {
			t.out.WriteByte('\t')
		}
		spaces.WriteString(t.out, c)
	}
	t.out.WriteByte('\n')
}

// end flushes the rows and returns the first error.
func (t tsv) end() error { return t.out.Flush() }

var spaces = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// day returns the date at the beginning of a time, or "" if there is none.
func day(created string) string {
	if len(created) < 10 || created[4] != '-' || created[7] != '-' {
		return ""
	}
	return created[:10]
}
