package ask_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"bencao/api/ask"
	"bencao/names/han"
)

// Further relations. A name finds its record in every script that the record has. Words of a question
// and punctuation around a text change its hits in nothing. A family, or a name in another script,
// beside a name is a filter. An author, a year and words of the title find a paper.

// listing is a page of records, which are compared as text.
type listing struct {
	Total int
	Items []json.RawMessage
}

// same judges relations of random records.
type same struct {
	*rand.Rand
	client *ask.Client
	seed   uint64
	asked  int
	held   int
	broken []string
}

func newSame(dir string, t *testing.T) *same {
	n := *seed
	if n == 0 {
		n = uint64(time.Now().UnixNano())
	}
	s := &same{Rand: rand.New(rand.NewPCG(n, n)), seed: n}
	if dir != "" {
		s.client = here(t, dir)
	}
	return s
}

// like returns a judge of another relation with the same random numbers.
func (s *same) like() *same { return &same{Rand: s.Rand, seed: s.seed, client: s.client} }

// leastAsked is the least number of queries that judge a relation.
const leastAsked = 30

// report fails the test if the relation holds too rarely.
func (s *same) report(t *testing.T, least float64) {
	t.Helper()
	t.Logf("seed %d: the relation holds for %d of %d queries", s.seed, s.held, s.asked)
	if *show || float64(s.held) < least*float64(s.asked) {
		for _, line := range s.broken[:min(40, len(s.broken))] {
			t.Log(line)
		}
	}
	if s.asked < leastAsked || float64(s.held) < least*float64(s.asked) {
		t.Errorf("the relation holds for %d of %d queries with the seed %d; want %.0f %% of %d or more", s.held, s.asked, s.seed, 100*least, leastAsked)
	}
}

func (s *same) judge(ok bool, format string, args ...any) {
	if s.asked++; ok {
		s.held++
		return
	}
	s.broken = append(s.broken, fmt.Sprintf(format, args...))
}

func (s *same) list(t *testing.T, path string, in ...string) (page listing) {
	t.Helper()
	values := url.Values{"pageSize": {"100"}}
	for i := 0; i < len(in); i += 2 {
		values.Set(in[i], in[i+1])
	}
	if err := s.client.Get(t.Context(), path, values, &page); err != nil {
		t.Fatalf("%s %v: %v", path, in, err)
	}
	return page
}

// record is a record of any table, with the fields that the relations need.
type record struct {
	GUID, ID, Name, NamePinyin, LatinName, ChineseName, ScientificName, Author, Family, Title, Year, DOI, Authors string
	raw                                                                                                           json.RawMessage
}

// draw returns random records of a table.
func (s *same) draw(t *testing.T, path string, n int) (all []record) {
	t.Helper()
	total := s.list(t, path, "pageSize", "1").Total
	for range n {
		page := s.list(t, path, "pageSize", "1", "page", fmt.Sprint(1+s.IntN(total)))
		var loose map[string]any
		if err := json.Unmarshal(page.Items[0], &loose); err != nil {
			t.Fatal(err)
		}
		r := record{raw: page.Items[0]}
		for name, field := range map[string]*string{
			"guid": &r.GUID, "id": &r.ID, "name": &r.Name, "namePinyin": &r.NamePinyin, "latinName": &r.LatinName, "chineseName": &r.ChineseName,
			"scientificName": &r.ScientificName, "author": &r.Author, "family": &r.Family, "title": &r.Title, "year": &r.Year, "doi": &r.DOI, "authors": &r.Authors,
		} {
			*field, _ = loose[name].(string)
		}
		all = append(all, r)
	}
	return all
}

// has reports whether a page has a record, or may have it on a later page.
func (l *listing) has(r *record) bool {
	return l.Total > len(l.Items) || slices.ContainsFunc(l.Items, func(item json.RawMessage) bool { return string(item) == string(r.raw) })
}

// relations are the relations by name. Each asks about n records.
var relations = map[string]func(t *testing.T, s *same, n int){
	"scripts": func(t *testing.T, s *same, n int) {
		for _, table := range []string{"/species", "/formulas", "/herbs"} {
			for _, r := range s.draw(t, table, n/3) {
				texts := []string{r.Name, r.ChineseName, r.ScientificName, r.LatinName}
				for _, name := range []string{r.Name, r.ChineseName} {
					texts = append(texts, traditional(name), " "+name+" ")
				}
				if r.NamePinyin != "" {
					texts = append(append(texts, sounds(r.NamePinyin)...), r.NamePinyin)
				}
				if r.Author != "" {
					texts = append(texts, r.ScientificName+" "+r.Author)
				}
				for _, text := range texts {
					if strings.TrimSpace(text) == "" || len([]rune(text)) > 100 {
						continue
					}
					page := s.list(t, table, "q", text)
					s.judge(page.has(&r), "%s %q does not find its record among %d", table, text, page.Total)
				}
			}
		}
	},
	"around": func(t *testing.T, s *same, n int) {
		for _, table := range []string{"/species", "/formulas", "/herbs"} {
			for _, r := range s.draw(t, table, n/3) {
				text := r.Name + r.ChineseName
				if len([]rune(text)) < 2 || !han.Has(text) || strings.ContainsAny(text, "（()） ") {
					continue
				}
				plain := s.list(t, table, "q", text)
				for _, around := range []string{"%s…", "？%s", "『%s』", "‘%s’", "\"%s\"", "<%s>", "%s,", "%s；", "\t%s\t", "\u3000%s", "%s～", "- %s", "· %s", "请问%s是什么？", "想知道%s", "%s的主治", "%s的来源", "%s有什么用", "%s图片", "%s的价格", "介绍一下%s", "tell me about %s", "what are the uses of %s?", "%s？", "%s?", "%s。", "“%s”", "「%s」", " %s\n", "%s！", "请问%s", "什么是%s", "%s是什么", "%s是什么？", "%s的功效", "%s有什么功效", "what is %s", "what is %s?"} {
					asked := fmt.Sprintf(around, text)
					page := s.list(t, table, "q", asked)
					s.judge(page.Total == plain.Total && slices.EqualFunc(page.Items, plain.Items, func(a, b json.RawMessage) bool { return string(a) == string(b) }),
						"%s %q finds %d, and %q %d", table, asked, page.Total, text, plain.Total)
				}
			}
		}
	},
	"beside": func(t *testing.T, s *same, n int) {
		for _, r := range s.draw(t, "/species", n) {
			if r.ChineseName == "" || r.ScientificName == "" || r.Family == "" {
				continue
			}
			for _, name := range []string{r.ChineseName, r.ScientificName} {
				filtered := s.list(t, "/species", "q", name, "family", r.Family)
				for _, text := range []string{r.Family + " " + name, name + " " + r.Family, name + " (" + r.Family + ")", r.Family + ", " + name, name + "，" + r.Family} {
					page := s.list(t, "/species", "q", text)
					s.judge(page.Total == filtered.Total && page.has(&r), "species %q finds %d, and the filter %d", text, page.Total, filtered.Total)
				}
			}
			var of struct{ FamilyChinese, Genus, GenusChinese string }
			if err := s.client.Get(t.Context(), "/species/"+r.GUID, nil, &of); err != nil {
				t.Fatal(err)
			}
			for _, by := range []struct{ parameter, chinese, latin string }{{"family", of.FamilyChinese, r.Family}, {"genus", of.GenusChinese, of.Genus}} {
				if by.chinese == "" || by.latin == "" {
					continue
				}
				filtered := s.list(t, "/species", "q", r.ChineseName, by.parameter, by.latin)
				for _, text := range []string{by.latin + " " + r.ChineseName, r.ChineseName + " " + by.latin, by.chinese + " " + r.ChineseName, r.ChineseName + "，" + by.chinese, by.chinese + "的" + r.ChineseName, r.ChineseName + "（" + by.latin + "）", by.chinese + "\t" + r.ChineseName} {
					page := s.list(t, "/species", "q", text)
					s.judge(page.Total == filtered.Total && page.has(&r), "species %q finds %d, and the filter %d", text, page.Total, filtered.Total)
				}
				for _, taxon := range []string{by.chinese, by.latin} {
					plain := s.list(t, "/species", "q", taxon)
					for _, around := range []string{"%s的植物", "%s有哪些植物", "plants of %s", "%s species", "%s plants"} {
						if text := fmt.Sprintf(around, taxon); han.Has(taxon) == strings.Contains(around, "植") {
							page := s.list(t, "/species", "q", text)
							s.judge(page.Total == plain.Total, "species %q finds %d, and %q %d", text, page.Total, taxon, plain.Total)
						}
					}
				}
			}
			for _, text := range []string{r.ChineseName + " " + r.ScientificName, r.ScientificName + " " + r.ChineseName, r.ChineseName + " (" + r.ScientificName + ")", r.ScientificName + "（" + r.ChineseName + "）", r.ChineseName + "\t" + r.ScientificName} {
				page := s.list(t, "/species", "q", text)
				s.judge(page.has(&r) && page.Total > 0, "species %q does not find its record among %d", text, page.Total)
			}
		}
	},
	"papers": func(t *testing.T, s *same, n int) {
		for _, r := range s.draw(t, "/papers", n) {
			var texts []string
			if r.DOI != "" {
				texts = append(texts, r.DOI, "https://doi.org/"+r.DOI, "doi: "+strings.ToUpper(r.DOI), " "+r.DOI+".")
			}
			words := strings.Fields(r.Title)
			first, _, _ := strings.Cut(r.Authors, ",")
			surname, _, _ := strings.Cut(strings.TrimSpace(first), " ")
			if len(words) > 4 && len(surname) > 2 && !han.Has(surname) && len(r.Year) == 4 {
				part := strings.Join(words[:3], " ")
				texts = append(texts, r.Title, r.Title+"?", surname+" "+r.Year, surname+" et al. "+r.Year, surname+" "+r.Year+" "+part, surname+", "+r.Year+". "+part, part+" "+surname+" "+r.Year)
			}
			for _, text := range texts {
				page := s.list(t, "/papers", "q", text)
				s.judge(page.has(&r) && page.Total > 0, "papers %q (%s) does not find its record among %d", text, r.Authors, page.Total)
			}
		}
	},
}

// TestSame draws records from the sample.
func TestSame(t *testing.T) {
	for name, relation := range relations {
		t.Run(name, func(t *testing.T) {
			s := newSame(sample.Dir(t), t)
			relation(t, s, 60)
			s.report(t, leastRelated)
		})
	}
}

// TestSameFull draws records from the full-size data.
func TestSameFull(t *testing.T) {
	dir := fullSnapshot(t)
	for name, relation := range relations {
		t.Run(name, func(t *testing.T) {
			s := newSame(dir, t)
			relation(t, s, 150)
			s.report(t, leastRelated)
		})
	}
}
