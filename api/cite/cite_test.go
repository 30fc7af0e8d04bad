package cite_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bencao/api/cite"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

func TestAuthors(t *testing.T) {
	for list, want := range map[string][]string{
		"Li, M.; Wang, L.":                 {"Li, M.", "Wang, L."},
		"Tu, Youyou":                       {"Tu, Youyou"},
		"Li M, Wang L":                     {"Li M", "Wang L"},
		"Li M, Wang L, Zhang Y":            {"Li M", "Wang L", "Zhang Y"},
		"屠呦呦，李国桥":                          {"屠呦呦", "李国桥"},
		"屠呦呦；李国桥":                          {"屠呦呦", "李国桥"},
		"屠呦呦、李国桥、":                         {"屠呦呦", "李国桥"},
		"Chinese Pharmacopoeia Commission": {"Chinese Pharmacopoeia Commission"},
		" ; ":                              nil,
	} {
		if diff := cmp.Diff(want, cite.Authors(list)); diff != "" {
			t.Errorf("authors of %q (-want +got):\n%s", list, diff)
		}
	}
}

// TestForms checks all formats of a paper whose title has characters that are special in TeX.
// TestUntitled checks that a reference without a title is valid in each form, and says that the title
// is missing.
func TestUntitled(t *testing.T) {
	paper := cite.Paper(&store.PaperSummary{ID: "p3", DOI: "10.1/x", Year: "2011", URL: "https://plants.example/papers/p3"})
	for word, want := range map[string]string{
		"bibtex": "@misc{bencao-p3,\n  year = {2011},\n  doi = {10.1/x},\n  url = {https://plants.example/papers/p3},\n  note = {The data give no title.}\n}\n",
		"ris":    "TY  - JOUR\r\nPY  - 2011\r\nDO  - 10.1/x\r\nUR  - https://plants.example/papers/p3\r\nN1  - The data give no title.\r\nER  - \r\n",
		"csl":    `"note": "The data give no title."`,
	} {
		form, _ := cite.FormOf(word)
		var out strings.Builder
		if err := form.Write(&out, []cite.Reference{paper}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s", word, err, out.String())
		}
	}
}

func TestForms(t *testing.T) {
	paper := cite.Paper(&store.PaperSummary{ID: "doi:10.1/x_y", Title: "50 % of {all} & more", Authors: "Tu, Youyou", Source: "Nature",
		Year: "2011", DOI: "https://doi.org/10.1/x_y", PubMedID: "1", URL: "https://plants.example/papers/1"})
	for word, want := range map[string]string{
		"bibtex": `@article{bencao-doi-10.1-x-y,
  title = {{50 \% of \{all\} \& more}},
  author = {Tu, Youyou},
  journal = {Nature},
  year = {2011},
  doi = {10.1/x_y},
  pmid = {1},
  url = {https://plants.example/papers/1}
}
`,
		"ris": "TY  - JOUR\r\nTI  - 50 % of {all} & more\r\nAU  - Tu, Youyou\r\nT2  - Nature\r\nPY  - 2011\r\nDO  - 10.1/x_y\r\nAN  - 1\r\nUR  - https://plants.example/papers/1\r\nER  - \r\n",
		"csl": `[{"id":"doi:10.1/x_y","type":"article-journal","title":"50 % of {all} & more","author":[{"family":"Tu","given":"Youyou"}],` +
			`"container-title":"Nature","issued":{"date-parts":[[2011]]},"DOI":"10.1/x_y","PMID":"1","URL":"https://plants.example/papers/1"}]`,
	} {
		form, ok := cite.FormOf(word)
		if !ok {
			t.Fatalf("there is no form %s", word)
		}
		var b strings.Builder
		must(t, form.Write(&b, []cite.Reference{paper}))
		got := b.String()
		if word == "csl" {
			got = compacted(t, got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

// TestWords checks that unknown fields are left out and that no full stop is doubled.
func TestWords(t *testing.T) {
	for want, paper := range map[string]store.PaperSummary{
		"Li, M.; Wang, L. Ginsenosides of Panax ginseng. Phytochemistry, 2013.": {Title: "Ginsenosides of Panax ginseng.", Authors: "Li, M.; Wang, L.", Source: "Phytochemistry", Year: "2013"},
		"Ginsenosides. 2013.": {Title: "Ginsenosides", Year: "2013"},
		"[Title missing].":    {DOI: "10.1/x"},
	} {
		if got := cite.Paper(&paper).Words(); got != want {
			t.Errorf("cited as %q, want %q", got, want)
		}
	}
}

func compacted(tb testing.TB, text string) string {
	tb.Helper()
	var items []json.RawMessage
	must(tb, json.Unmarshal([]byte(text), &items))
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	must(tb, enc.Encode(items))
	return strings.TrimSpace(b.String())
}
