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

// kind is a kind of questions with what it may cost above the floor.
type kind struct {
	name  string
	limit float64 // µs of the processor; 0 is none
	p99   float64 // µs, with one client
	hits  span
	make  func(d *deck) []question
}

// span is from how many hits to how many a question must have to be of a kind, since
// what a search costs depends on it. The zero span takes all, and so does one that no
// question about the data fits: small data have no word with 7,000 hits.
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

// kinds are all kinds of questions that are measured.
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

// record is what of a record questions are made of.
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

// deck are records, spread over the tables, and chance that is always the same.
type deck struct {
	random   *rand.Rand
	plants   []record
	formulas []record
	papers   []record
}

// perKind is how many different questions there are of a kind, at most.
const perKind = 400

// newDeck asks a server for records, so that any data will do.
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

// each makes questions of records. A record of which none can be made is passed by.
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

// pinyinOf is the pinyin as it is typed: letters without tones.
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

// pinyinPrefix is the beginning of that, with half a syllable at the end.
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

// typos spoils letters of a name's second word.
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

// titleWords are words of a title that stand behind each other; one alone is one
// that is long enough to mean something.
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

// nothing is the beginning of a scientific name that there is not.
func (d *deck) nothing(r record) string {
	if len(r.ScientificName) < 5 {
		return ""
	}
	return r.ScientificName[:3] + string("qxzjw"[d.random.IntN(5)]) + string("qxzjw"[d.random.IntN(5)])
}
