package export

import (
	"bufio"
	"cmp"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bencao/indexer/archive"
	"bencao/names/han"
	"bencao/store"
)

// usage is a name usage for Darwin Core and ColDP.
type usage struct {
	id, accepted           string // accepted is the id of the accepted name, or "" if this is an accepted name
	name, author, rank     string
	status                 string // a value of synonyms.status, or "" for an accepted name
	family, genus, address string
	kingdom                string
	// identifiers are the identifiers of the accepted name in the checklists, such as
	// ipni:685433-1.
	identifiers []string
}

// usages yields every species followed by its synonyms. The id of a species is its GUID, and the id
// of a synonym is the number of its row.
func usages(p *Content) iter.Seq[usage] {
	kingdoms := p.kingdoms()
	return func(yield func(usage) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			u := usage{id: s.GUID, name: string(s.ScientificName), author: string(s.Author), rank: string(s.Rank), family: string(s.Family), genus: string(s.Genus), address: s.URL,
				kingdom: cmp.Or(kingdoms[s.GUID], kingdom)}
			if m := p.records.matches[s.GUID]; m != nil {
				for _, id := range [][2]string{{"ipni", string(m.IPNIID)}, {"wfo", string(m.WFOID)}, {"wcvp", string(m.WCVPID)}} {
					if id[1] != "" {
						u.identifiers = append(u.identifiers, id[0]+":"+id[1])
					}
				}
			}
			if !yield(u) {
				return
			}
			for _, x := range s.Synonyms {
				u := usage{id: "synonym-" + strconv.FormatInt(x.ID, 10), accepted: s.GUID,
					name: x.Name, author: x.Author, rank: x.Rank, status: cmp.Or(x.Status, "synonym"), family: string(s.Family), kingdom: u.kingdom}
				if !yield(u) {
					return
				}
			}
		}
	}
}

// kingdoms returns the kingdom of each species that yields a herb, by the species' GUID. It leaves
// out species whose kingdom is [kingdom].
func (c *Content) kingdoms() map[string]string {
	other := map[string]string{}
	for i := range c.records.herbs {
		for _, s := range c.records.herbs[i].Species {
			if c.records.herbs[i].Kind == "fungus" {
				other[s.GUID] = "Fungi"
			}
		}
	}
	return other
}

// fact is a computed fact about a species, in the form that Darwin Core and ColDP need.
type fact struct {
	taxon, kind, value, id string
	source                 string // a checklist or a book
	score                  string // score of a name match, from 0 to 1
	remarks                string
}

// facts yields for each species three kinds of facts, in this order: its accepted name, the herbs
// made from it, and the formulas that use it.
func facts(c *Content) iter.Seq[fact] {
	herbs := map[string][]fact{}
	for i := range c.records.herbs {
		h := &c.records.herbs[i]
		for _, s := range h.Species {
			herbs[s.GUID] = append(herbs[s.GUID], fact{s.GUID, "drug", h.Name, h.GUID, string(s.Authority), "",
				join("; ", string(s.Part), years(s.FromYear, s.ToYear))})
		}
	}
	formulas := make(map[int32]*store.Formula, len(c.Formulas))
	for i := range c.Formulas {
		formulas[c.Formulas[i].EntryID] = &c.Formulas[i]
	}
	return func(yield func(fact) bool) {
		links := c.SpeciesFormulas
		for i := range c.Species {
			s := &c.Species[i]
			var found []fact
			if m := c.records.matches[s.GUID]; m != nil && m.AcceptedName != "" {
				f := fact{taxon: s.GUID, kind: "accepted name", value: join(" ", string(m.AcceptedName), string(m.AcceptedAuthor)),
					id: string(cmp.Or(m.IPNIID, m.WFOID, m.WCVPID)), source: string(cmp.Or(m.ChecklistVersion, store.Text(m.MatchSource))),
					remarks: join("; ", m.MatchType, string(m.TaxonStatus))}
				if m.Score != nil {
					f.score = strconv.FormatFloat(*m.Score, 'f', -1, 64)
				}
				found = append(found, f)
			}
			found = append(found, herbs[s.GUID]...)
			for len(links) > 0 && links[0].SpeciesID == s.EntryID {
				f := formulas[links[0].FormulaID]
				found = append(found, fact{taxon: s.GUID, kind: "formula", value: string(f.Name), id: f.GUID, source: string(f.OriginalSource), remarks: links[0].Evidence})
				links = links[1:]
			}
			for _, f := range found {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// years describes the years of the formulas in which a species counts as the source of a herb.
func years(from, to *int32) string {
	if from == nil && to == nil {
		return ""
	}
	return "formulas of the years " + optional(from) + "–" + optional(to)
}

// besideFiles are the files of computed tables that neither Darwin Core nor ColDP can represent.
// Exports in these formats contain them as additional CSV files, as in a data package.
var besideFiles = []string{"formulas.csv", "formula_similarity.csv", "herbs.csv", "herb_names.csv", "herb_variants.csv"}

// beside returns the entries of [besideFiles].
func beside(c *Content) []archive.Entry {
	var found []archive.Entry
	for _, e := range c.Package.Entries() {
		if slices.Contains(besideFiles, e.Name) {
			found = append(found, e)
		}
	}
	return found
}

// vernacular is a vernacular name in the form that Darwin Core and ColDP need.
type vernacular struct {
	taxon, name, pinyin string
	preferred           bool
	kind, source        string
	chinese             bool // name has Chinese characters
}

// vernaculars yields the Chinese names of every species, the preferred one first. A name has its
// pinyin only if the source gives the pinyin; derived pinyin is left out.
func vernaculars(p *Content) iter.Seq[vernacular] {
	return func(yield func(vernacular) bool) {
		for i := range p.Species {
			s := &p.Species[i]
			if s.ChineseName != "" && !yield(preferredName(s)) {
				return
			}
			for _, a := range s.Aliases {
				if a.Name == string(s.ChineseName) {
					continue // preferredName has already included its kind and source
				}
				v := vernacular{taxon: s.GUID, name: a.Name, kind: a.Kind, source: a.Source, chinese: han.Has(a.Name)}
				if !yield(v) {
					return
				}
			}
		}
	}
}

// preferredName returns the Chinese name of a species. If an alias of the species is the same name,
// the result has the kind and the source of the alias.
func preferredName(s *store.Species) vernacular {
	v := vernacular{taxon: s.GUID, name: string(s.ChineseName), pinyin: string(s.ChineseNamePinyin), preferred: true, chinese: han.Has(string(s.ChineseName))}
	for _, a := range s.Aliases {
		if a.Name == string(s.ChineseName) {
			v.kind, v.source = a.Kind, a.Source
		}
	}
	return v
}

// tsv writes tab-separated rows without quoting, which all readers of Darwin Core and ColDP
// understand. Tabs and line breaks within a cell become spaces.
type tsv struct{ out *bufio.Writer }

func newTSV(w io.Writer) tsv { return tsv{bufio.NewWriterSize(w, 64<<10)} }

// row writes a row. If writing fails, [tsv.end] returns the error.
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

// day returns the date at the start of a time, or "" if there is none.
func day(created string) string {
	if len(created) < 10 || created[4] != '-' || created[7] != '-' {
		return ""
	}
	return created[:10]
}
