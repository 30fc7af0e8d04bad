package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// kind is a kind of questions. Its limit applies to the cost above the cost of the baseline server.
type kind struct {
	name  string
	limit float64 // µs of processor time; 0 means no limit
	p99   float64 // µs until the answer, with one client
	hits  span
	make  func(d *deck) []question
}

// span is the range of the number of hits that a question of a kind must have, because the cost of
// a search depends on the number of hits. The zero span permits any number. If no question fits the
// span, all questions are asked: small data have no word with 7,000 hits.
type span struct{ least, most int }

func (s span) has(hits int) bool { return s == span{} || s.least <= hits && hits <= s.most }

const (
	quickly   = 1000 // µs
	forgiving = 3000
)

var (
	few    = span{1, 1000}
	many   = span{1001, 1 << 30}
	some7k = span{3500, 14000}
)

// kinds lists all kinds of questions.
var kinds = []kind{
	{"detail", 15, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/species/%s", guidOf) }},
	{"formula detail", 15, quickly, span{}, func(d *deck) []question { return d.each(d.formulas, "/api/v1/formulas/%s", guidOf) }},
	{"stats", 15, quickly, span{}, func(*deck) []question { return []question{{path: "/api/v1/stats"}} }},
	{"exact name", 15, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/names/match?name=%s", latinOf) }},
	{"PubMed id", 15, quickly, span{}, func(d *deck) []question { return d.papersBy(func(r record) string { return r.PubMedID }) }},
	{"DOI", 15, quickly, span{}, func(d *deck) []question { return d.papersBy(func(r record) string { return r.DOI }) }},
	{"one typo", 300, forgiving, span{}, func(d *deck) []question { return d.species("/api/v1/names/match?name=%s", d.typos(1)) }},
	{"two typos", 300, forgiving, span{}, func(d *deck) []question { return d.species("/api/v1/names/match?name=%s", d.typos(2)) }},
	{"whole pinyin", 60, quickly, few, func(d *deck) []question { return d.species("/api/v1/species?q=%s", pinyinOf) }},
	{"three title words", 60, quickly, few, func(d *deck) []question { return d.papersBy(d.titleWords(3)) }},
	{"two title words", 60, quickly, few, func(d *deck) []question { return d.papersBy(d.titleWords(2)) }},
	{"one title word", 120, quickly, some7k, func(d *deck) []question { return d.papersBy(d.titleWords(1)) }},
	{"two title words, many hits", 0, quickly, many, func(d *deck) []question { return d.papersBy(d.titleWords(2)) }},
	{"hanzi inside", 60, quickly, few, func(d *deck) []question { return d.species("/api/v1/species?q=%s", hanziOf(1, 3)) }},
	{"two hanzi", 60, quickly, few, func(d *deck) []question { return d.species("/api/v1/species?q=%s", hanziOf(0, 2)) }},
	{"pinyin prefix", 100, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/species?q=%s", pinyinPrefix) }},
	{"Latin beginning of nothing", 300, forgiving, span{}, func(d *deck) []question { return d.species("/api/v1/species?q=%s", d.nothing) }},
	{"formula name", 60, quickly, few, func(d *deck) []question {
		return d.each(d.formulas, "/api/v1/formulas?q=%s", func(r record) string { return r.Name })
	}},
	{"suggest", 100, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/suggest?q=%s", hanziOf(0, 2)) }},
	{"facets", 300, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/species/facets?by=family&q=%s", hanziOf(0, 1)) }},
	{"304", 8, quickly, span{}, func(d *deck) []question { return d.species("/api/v1/species/%s", guidOf) }},
}

// record has the fields of a record from which questions are made.
type record struct {
	GUID           string `json:"guid"`
	Name           string `json:"name"`
	ChineseName    string `json:"chineseName"`
	Pinyin         string `json:"chineseNamePinyin"`
	ScientificName string `json:"scientificName"`
	Title          string `json:"title"`
	DOI            string `json:"doi"`
	PubMedID       string `json:"pubmedId"`
}

// deck holds records from all parts of the tables, and a random source with a fixed seed.
type deck struct {
	random   *rand.Rand
	plants   []record
	formulas []record
	papers   []record
}

// perKind is the largest number of different questions of a kind.
const perKind = 400

// newDeck reads records from a server, so that it works with any data.
func newDeck(c *client) (*deck, error) {
	d := &deck{random: rand.New(rand.NewPCG(7, 20261122))}
	for _, t := range []struct {
		path string
		into *[]record
	}{{"species", &d.plants}, {"formulas", &d.formulas}, {"papers", &d.papers}} {
		const size = 10
		first, err := page(c, t.path, 1, size)
		if err != nil {
			return nil, err
		}
		pages := (first.Total + size - 1) / size
		for i := range min(pages, 2*perKind/size) {
			p, err := page(c, t.path, 1+i*pages/min(pages, 2*perKind/size), size)
			if err != nil {
				return nil, err
			}
			*t.into = append(*t.into, p.Items...)
		}
		if len(*t.into) == 0 {
			return nil, fmt.Errorf("the data have no %s", t.path)
		}
	}
	for i := range d.plants {
		a, err := c.ask(question{path: "/api/v1/species/" + d.plants[i].GUID})
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(a.body, &d.plants[i]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

type listing struct {
	Total int      `json:"total"`
	Items []record `json:"items"`
}

func page(c *client, table string, number, size int) (l listing, err error) {
	path := fmt.Sprintf("/api/v1/%s?page=%d&pageSize=%d", table, number, size)
	a, err := c.ask(question{path: path})
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %.300s", path, a.status, a.body)
	}
	if err == nil {
		err = json.Unmarshal(a.body, &l)
	}
	return l, err
}

func (d *deck) species(path string, of func(record) string) []question {
	return d.each(d.plants, path, of)
}

func (d *deck) papersBy(of func(record) string) []question {
	return d.each(d.papers, "/api/v1/papers?q=%s", of)
}

// each makes a question from each record. It skips records for which of returns "".
func (d *deck) each(list []record, path string, of func(record) string) []question {
	var out []question
	for _, r := range list {
		if text := of(r); text != "" && len(out) < perKind {
			out = append(out, question{path: fmt.Sprintf(path, url.QueryEscape(text))})
		}
	}
	return out
}

func guidOf(r record) string  { return r.GUID }
func latinOf(r record) string { return r.ScientificName }

// pinyinOf returns the pinyin of a name as users type it: letters without tones.
func pinyinOf(r record) string {
	var b strings.Builder
	for _, c := range strings.ToLower(r.Pinyin) {
		if i := strings.IndexRune("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü", c); i >= 0 {
			k := utf8.RuneCountInString("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜü"[:i])
			b.WriteByte("aaaaeeeeiiiioooouuuuvvvvv"[k])
		} else if c >= 'a' && c <= 'z' {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// pinyinPrefix returns the first four letters of [pinyinOf], which mostly end within a syllable.
func pinyinPrefix(r record) string {
	p := pinyinOf(r)
	return p[:min(len(p), 4)]
}

func hanziOf(from, to int) func(record) string {
	return func(r record) string {
		name := []rune(r.ChineseName)
		if len(name) < to+min(from, 1) {
			return ""
		}
		return string(name[from:to])
	}
}

// typos returns a function that changes n letters in the second word of a name.
func (d *deck) typos(n int) func(record) string {
	return func(r record) string {
		b := []byte(r.ScientificName)
		space := strings.IndexByte(r.ScientificName, ' ')
		if space < 0 || len(b)-space < 7 {
			return ""
		}
		for i := range n {
			at := space + 3 + i*2 + d.random.IntN(2)
			b[at] = 'a' + (b[at]-'a'+1+byte(d.random.IntN(24)))%26
		}
		return string(b)
	}
}

// titleWords returns a function that returns n consecutive words of a title. A single word has at
// least five letters.
func (d *deck) titleWords(n int) func(record) string {
	return func(r record) string {
		words := strings.Fields(r.Title)
		if len(words) < n+1 {
			return ""
		}
		from := d.random.IntN(len(words) - n + 1)
		if n == 1 && len(words[from]) < 5 {
			return ""
		}
		return strings.Join(words[from:from+n], " ")
	}
}

// nothing returns a text that resembles the start of a scientific name but that no name starts
// with.
func (d *deck) nothing(r record) string {
	if len(r.ScientificName) < 5 {
		return ""
	}
	return r.ScientificName[:3] + string("qxzjw"[d.random.IntN(5)]) + string("qxzjw"[d.random.IntN(5)])
}
