package made

import (
	"bufio"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"bencao/indexer/sample"
)

// genus is a genus, with the Chinese noun for its species.
type genus struct {
	name, family, chinese, familyChinese string
	native                               bool // some of its species are in the package
}

// name is a name of WCVP.
type name struct {
	genus    int32
	accepted int32  // index of the accepted name; its own index if it is accepted
	rest     string // the part of the name after the genus
	rank     string
	author   string
}

func (m *maker) full(n *name) string { return m.genera[n.genus].name + " " + n.rest }

// shareWCVP and shareWFO are the shares of all names that each checklist has. wfoOfWCVP is the
// share of WFO's names that WCVP also has.
const (
	shareWCVP  = 0.60
	shareWFO   = 0.367
	wfoOfWCVP  = 0.75
	largest    = 2500 // number of species in the largest genus
	powerGenus = 0.6  // exponent of the power law of the sizes of genera: most have one species
)

// checklists makes the names and writes the three lists.
func (m *maker) checklists() error {
	r := random("checklists")
	m.makeNames(r, m.of(fullNames*shareWCVP))
	if err := m.writeWCVP(random("wcvp")); err != nil {
		return err
	}
	return m.writeWFO(random("wfo"), m.of(fullNames*shareWFO))
}

// makeNames makes genera with their species until there are want names.
func (m *maker) makeNames(r *rand.Rand, want int) {
	families := byFrequency(m.sample.filled("species", "family"))
	familyZipf := newZipf(len(families), 1, 2)
	chinese := map[string]string{}
	for i, f := range m.sample.column["species"]["family"] {
		chinese[f] = m.sample.column["species"]["family_chinese"][i]
	}
	epithets := m.words.latin.different(r, 500+int(60_000*math.Sqrt(m.scale)))
	epithetZipf := newZipf(len(epithets), 0.9, 10)
	seen := map[string]bool{}
	for len(m.names) < want {
		word := capital(m.words.latin.make(r))
		if seen[word] {
			continue
		}
		seen[word] = true
		family := families[familyZipf.draw(r)]
		g := int32(len(m.genera))
		m.genera = append(m.genera, genus{name: word, family: family, familyChinese: chinese[family], chinese: m.noun(r), native: r.Float64() < 0.3})
		size := int(math.Pow(1-r.Float64(), -1/powerGenus))
		m.makeSpecies(r, g, min(size, largest, 1+want/20), epithets, epithetZipf)
	}
}

// makeSpecies makes the names of a genus: species, taxa below them, and synonyms in this or another
// genus.
func (m *maker) makeSpecies(r *rand.Rand, g int32, size int, epithets []string, z *zipf) {
	own := map[string]bool{}
	for range size {
		e := epithets[z.draw(r)]
		for own[e] {
			e = epithets[r.IntN(len(epithets))]
			if len(own) > len(epithets)/2 {
				break
			}
		}
		own[e] = true
		accepted := int32(len(m.names))
		author := one(r, m.words.authors)
		m.names = append(m.names, name{genus: g, accepted: accepted, rest: e, rank: "Species", author: author})
		for x := r.Float64(); x < 0.62; x = r.Float64() {
			s := name{genus: g, accepted: accepted, rest: epithets[z.draw(r)], rank: "Species", author: one(r, m.words.authors)}
			switch {
			case x < 0.3: // the same epithet in another genus, with its author in brackets
				s.genus, s.rest, s.author = int32(r.IntN(len(m.genera))), e, "("+author+") "+s.author
			case x < 0.42:
				s.rest, s.rank = e+" var. "+s.rest, "Variety"
			case x < 0.48:
				s.rest, s.rank = e+" subsp. "+s.rest, "Subspecies"
			}
			m.names = append(m.names, s)
		}
	}
}

// noun makes the Chinese noun of a genus.
func (m *maker) noun(r *rand.Rand) string {
	noun := early(r, m.words.lists["noun"])
	switch r.IntN(8) {
	case 0:
		return noun
	case 1, 2, 3:
		return early(r, m.words.lists["first"]) + noun
	case 4, 5:
		return early(r, m.words.lists["first"]) + early(r, m.words.lists["second"]) + noun
	case 6:
		return string(one(r, m.words.signs)) + noun
	default:
		return string(one(r, m.words.signs)) + string(one(r, m.words.signs)) + noun
	}
}

func (m *maker) writeWCVP(r *rand.Rand) error {
	areas, forms := filled(m.sample.wcvp["geographic_area"]), filled(m.sample.wcvp["lifeform_description"])
	return m.file(filepath.Join(WCVPDir, "wcvp_names.csv"), func(w *bufio.Writer) error {
		w.WriteString("plant_name_id|ipni_id|taxon_rank|taxon_status|family|genus|species|place_of_publication|volume_and_page|first_published|geographic_area|lifeform_description|taxon_name|taxon_authors|accepted_plant_name_id|powo_id|reviewed\n")
		for i := range m.names {
			n := &m.names[i]
			status, area, form := "Synonym", "", ""
			if int(n.accepted) == i {
				status, area, form = "Accepted", one(r, areas), one(r, forms)
			}
			species, _, _ := strings.Cut(n.rest, " ")
			g := &m.genera[n.genus]
			fmt.Fprintf(w, "%d|%d-1|%s|%s|%s|%s|%s|%s|%d: %d|(%d)|%s|%s|%s|%s|%d|%d-1|Y\n", i+1, 77000000+i, n.rank, status, g.family, g.name, species,
				early(r, m.words.lists["journal"]), 1+r.IntN(60), 1+r.IntN(900), 1753+r.IntN(270), area, form, m.full(n), n.author, n.accepted+1, 77000000+i)
		}
		return nil
	})
}

// writeWFO writes names of WCVP and some names that only WFO has.
func (m *maker) writeWFO(r *rand.Rand, want int) error {
	for _, file := range []string{"meta.xml", "eml.xml"} {
		b, err := fs.ReadFile(sample.FS(), "checklists/wfo/"+file)
		if err == nil {
			err = m.file(filepath.Join(WFODir, file), func(w *bufio.Writer) error { _, err := w.Write(b); return err })
		}
		if err != nil {
			return err
		}
	}
	id := func(i int) string { return fmt.Sprintf("wfo-%010d", i) }
	return m.file(filepath.Join(WFODir, "classification.csv"), func(w *bufio.Writer) error {
		w.WriteString("taxonID\tscientificNameID\tscientificName\ttaxonRank\tscientificNameAuthorship\tfamily\tgenus\tspecificEpithet\tinfraspecificEpithet\ttaxonomicStatus\tacceptedNameUsageID\n")
		row := func(i int, n *name, accepted string) {
			parts := strings.Fields(n.rest)
			infra, status := "", "Accepted"
			if len(parts) > 2 {
				infra = parts[2]
			}
			if accepted != "" {
				status = "Synonym"
			}
			g := &m.genera[n.genus]
			fmt.Fprintf(w, "%s\turn:lsid:ipni.org:names:%d-1\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", id(i), 77000000+i, m.full(n), strings.ToLower(n.rank),
				n.author, g.family, g.name, parts[0], infra, status, accepted)
		}
		common := min(int(float64(want)*wfoOfWCVP), len(m.names))
		step := float64(len(m.names)) / float64(common)
		listed := make(map[int32]bool, common)
		for k := range common {
			i := int(float64(k) * step)
			n := &m.names[i]
			accepted := ""
			if int(n.accepted) != i && listed[n.accepted] {
				accepted = id(int(n.accepted))
			}
			listed[int32(i)] = true
			row(i, n, accepted)
		}
		for k := common; k < want; k++ {
			row(len(m.names)+k, &name{genus: int32(r.IntN(len(m.genera))), rest: m.words.latin.make(r), rank: "Species", author: one(r, m.words.authors)}, "")
		}
		return nil
	})
}

func number(n int) string { return strconv.Itoa(n) }
