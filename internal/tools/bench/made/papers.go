package made

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// publishers lists prefixes of DOIs, the most frequent first.
var publishers = []string{"10.1016/j.", "10.1007/s", "10.1111/j.", "10.1002/", "10.1021/", "10.3390/", "10.1080/", "10.1093/", "10.1371/journal.", "10.11646/phytotaxa.", "10.3732/ajb.", "10.1055/s-", "10.1600/", "10.5852/ejt."}

// title holds the words from which titles are made.
type title struct {
	frequent map[string]bool // the most frequent words, which stay where a real title has them
	rare     []string
	zipf     *zipf
}

func (m *maker) titles(r *rand.Rand) *title {
	t := &title{frequent: map[string]bool{}}
	all := byFrequency(m.words.title)
	for _, w := range all[:40] {
		t.frequent[w] = true
	}
	t.rare = append(t.rare, all[40:]...)
	t.rare = append(t.rare, m.words.english.different(r, int(150_000*math.Pow(m.scale, 0.6)))...)
	t.zipf = newZipf(len(t.rare), 1, 8)
	return t
}

// make makes a title on the pattern of a real one. Frequent words stay. Most rare words are
// replaced by other words or names of plants.
func (t *title) make(r *rand.Rand, m *maker) string {
	pattern := one(r, m.words.skeleton)
	out := make([]string, len(pattern))
	for i, w := range pattern {
		switch x := r.Float64(); {
		case t.frequent[w] || x < 0.15:
			out[i] = w
		case x < 0.2:
			out[i] = m.full(&m.names[m.taken[r.IntN(len(m.taken))].name])
		default:
			out[i] = t.rare[t.zipf.draw(r)]
		}
	}
	return capital(strings.Join(out, " "))
}

// papers makes papers and links them with species.
func (m *maker) papers() error {
	r := random("papers")
	t := m.titles(r)
	journals := t.rare[40:240]
	ids := make([]string, m.of(fullPapers))
	err := m.table("papers", func(add func(...string)) {
		for i := range ids {
			var authors []string
			for range 1 + r.IntN(3) {
				authors = append(authors, one(r, m.words.people))
			}
			year := 2026 - int(r.ExpFloat64()*14)
			doi, pubmed := "", ""
			ids[i] = fmt.Sprintf("%s_%d_%d", m.words.english.make(r), year, i)
			if r.Float64() < 0.85 {
				doi = fmt.Sprintf("%s%s.%d.%d", early(r, publishers), early(r, journals), year, 10_000+i)
				ids[i] = "doi:" + strings.ToLower(doi)
			}
			if r.Float64() < 0.45 {
				pubmed = number(8_000_000 + i*23 + r.IntN(23))
			}
			add(ids[i], t.make(r, m), strings.Join(authors, "; "), "", number(year), doi, pubmed, "")
		}
	})
	if err != nil {
		return err
	}
	return m.links(ids)
}

func (m *maker) links(ids []string) error {
	r := random("links")
	z := newZipf(len(m.taken), 0.75, 5)
	return m.table("species_papers", func(add func(...string)) {
		seen := map[[2]int]bool{}
		for range m.of(fullLinks) {
			link := [2]int{m.known(r, z), r.IntN(len(ids))}
			if !seen[link] {
				seen[link] = true
				add(number(link[0]+1), ids[link[1]])
			}
		}
	})
}

// uses makes recorded uses of plants.
func (m *maker) uses() error {
	r := random("uses")
	z := newZipf(len(m.taken), 0.6, 10)
	from := m.sample.column["uses"]
	return m.table("uses", func(add func(...string)) {
		for i := range m.of(fullUses) {
			s, k := m.known(r, z), r.IntN(len(from["id"]))
			description := ""
			if r.IntN(3) > 0 {
				description = m.prose(r, 1+r.IntN(4))
			}
			add(number(i+1), number(s+1), from["collection"][k], m.full(&m.names[m.taken[s].name]), from["category"][k], from["part"][k], description,
				from["ethnic_group"][k], from["country"][k], from["region"][k], from["reference"][k])
		}
	})
}
