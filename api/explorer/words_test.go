package explorer_test

import (
	"html"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bencao/api"
	"bencao/api/explorer/texts"
	"bencao/internal/messages"
	"bencao/mappings"
	"bencao/names"
	"bencao/store"
)

// foreign lists messages that contain a text of another program as a value. Chinese pages omit this
// value.
var foreign = []string{"book-broken", "form-unread"}

// verb matches a formatting verb of package fmt, such as %v.
var verb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)

// TestWrongInChinese checks that every error message about a request or a list has a Chinese text
// with the same values. The catalogue may have no text for a message that does not exist.
func TestWrongInChinese(t *testing.T) {
	chinese := texts.Of("zh")
	codes := map[string]bool{}
	for _, form := range messages.Formats() {
		codes[form.Code()] = true
		var places []any
		for i := range verb.FindAllString(form.English(), -1) {
			places = append(places, "{"+strconv.Itoa(i+1)+"}")
		}
		text := form.With(places...)
		in := chinese.Tell(text)
		if in == text.Error() {
			t.Errorf("%s has no Chinese words: %s", form.Code(), in)
		}
		for _, place := range places {
			if !strings.Contains(in, place.(string)) && !slices.Contains(foreign, form.Code()) {
				t.Errorf("%s does not say %s in Chinese: %s", form.Code(), place, in)
			}
		}
		if strings.Count(in, "{") > len(places) {
			t.Errorf("%s has more values in Chinese: %s", form.Code(), in)
		}
	}
	if len(codes) < 60 {
		t.Errorf("only %d forms are known here", len(codes))
	}
	for _, lang := range texts.All {
		file, err := os.ReadFile("texts/wrong." + lang.Code + ".txt")
		must(t, err)
		for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+): `).FindAllStringSubmatch(string(file), -1) {
			if !codes[m[1]] {
				t.Errorf("%s: nothing says %s", lang.Code, m[1])
			}
		}
	}
}

// words returns the values that the tag enum allows for a field of the API.
func words(t *testing.T, of any, field string) []string {
	t.Helper()
	f, ok := reflect.TypeOf(of).FieldByName(field)
	if !ok || f.Tag.Get("enum") == "" {
		t.Fatalf("%T.%s has no list of words", of, field)
	}
	return strings.Split(f.Tag.Get("enum"), ",")
}

// searchable returns the fields of a table in which a search looks for q.
func searchable[T any](fields []mappings.Field[T]) (found []string) {
	for _, f := range fields {
		if f.Tiers != (mappings.Tiers{}) && f.Part == "" {
			found = append(found, f.Name)
		}
	}
	return found
}

// TestWordsOfTheAPI checks that each word of the API that a page shows has a text in each language.
func TestWordsOfTheAPI(t *testing.T) {
	shown := map[string][]string{
		"type.":            slices.DeleteFunc(words(t, names.Entry{}, "MatchType"), func(w string) bool { return w == "exact" }),
		"via.":             slices.DeleteFunc(words(t, names.Response{}, "MatchedVia"), func(w string) bool { return w == "higherRank" || w == "none" }),
		"author.":          slices.DeleteFunc(words(t, names.Entry{}, "AuthorMatch"), func(w string) bool { return w == "notGiven" || w == "unknown" }),
		"flag.":            names.Entry{}.Flags.Enum(),
		"matchSource.":     {"database"},
		"read.part.":       words(t, api.Explanation{}, "Part"),
		"read.group.":      words(t, api.Explanation{}, "Group"),
		"herb.":            words(t, store.HerbDetail{}, "Kind"),
		"species.matched.": words(t, names.Entry{}, "MatchType"),
	}
	for _, status := range words(t, names.Entry{}, "TaxonStatus") {
		shown["status."] = append(shown["status."], strings.ToLower(status))
	}
	for way := range mappings.Way(len(mappings.Tiers{})) {
		if forgiven := way.Verdict().Forgiven; forgiven != "" {
			shown["forgiven."] = append(shown["forgiven."], forgiven)
		}
	}
	shown["forgiven."] = append(shown["forgiven."], "guess")
	for _, field := range slices.Concat(searchable(mappings.Species), searchable(mappings.Herbs), searchable(mappings.Formulas), searchable(mappings.Papers)) {
		if !slices.Contains([]string{"name", "chineseName", "title"}, field) { // pages show these fields without a label
			shown["field."] = append(shown["field."], field)
		}
	}
	for _, filters := range mappings.Filters {
		for _, f := range filters {
			if f.Kind == mappings.InOrder {
				shown["sort."] = append(shown["sort."], f.Words...)
			} else if f.Narrows() {
				shown["filter."] = append(shown["filter."], f.BesideKind())
				shown[f.BesideKind()+"."] = append(shown[f.BesideKind()+"."], f.Words...)
			}
			if f.Population {
				shown["patterns.field."] = append(shown["patterns.field."], f.Name)
				shown["patterns.is."] = append(shown["patterns.is."], f.Name)
			}
		}
	}
	for _, lang := range texts.All {
		for kind, all := range shown {
			for _, word := range all {
				if lang.Known(kind+word, "") == "" {
					t.Errorf("%s%s has no text in %s", kind, word, lang.Code)
				}
			}
		}
	}
}

var (
	notShown = regexp.MustCompile(`(?s)<head>.*?</head>|<script.*?</script>|<code.*?</code>|<[^>]*>`)
	sentence = regexp.MustCompile(`[A-Za-z]{2,}(?: [a-z]{2,}){2,}`)
)

// TestFaultsInChinese checks that Chinese error pages have no English text.
func TestFaultsInChinese(t *testing.T) {
	s := start(t, config{})
	chinese := func(what string, a answer, status int) {
		t.Helper()
		if a.status != status {
			t.Errorf("%s: %d, want %d", what, a.status, status)
		}
		text := html.UnescapeString(notShown.ReplaceAllString(a.body, "\n"))
		if english := sentence.FindString(text); english != "" || !strings.Contains(text, "可以前往") && !strings.Contains(a.body, `<textarea id="names"`) && status != http.StatusOK {
			t.Errorf("%s says %q: %s", what, english, text)
		}
	}
	for path, status := range map[string]int{
		"/search?page=0": 400, "/search?page=x": 400, "/search?kind=formulas&fromYear=9&toYear=2": 200, "/search?kind=formulas&herbs=无此药": 200, "/search?kind=formulas&in=x": 200,
		"/search?q=" + strings.Repeat("a", 600): 400, "/search?q=a%00b": 400, "/search?q=%ff": 400, "/search?sort=x": 200, "/search?kind=formulas&herbs=" + strings.Repeat("、", 3): 200,
		"/species/nobody": 404, "/herbs/nothing": 404, "/papers/none": 404, "/formulas/none": 404, "/nothing": 404, "/problems/none": 404, "/compare?formulas=a,b": 404, "/docs/none": 404,
	} {
		chinese(path, s.get(t, path, "Accept-Language", "zh"), status)
	}
	limited := start(t, config{limited: true})
	for _, path := range []string{"/formulas/" + guizhiTang, "/search?kind=formulas&herbs=人参"} {
		if a := limited.get(t, path, "Accept-Language", "zh"); a.status == http.StatusForbidden {
			chinese(path, a, http.StatusForbidden)
		}
	}
	few := start(t, config{rate: 1})
	few.get(t, "/")
	chinese("too many", few.get(t, "/about", "Accept-Language", "zh"), http.StatusTooManyRequests)
	for what, list := range map[string]string{
		"an empty list": "  \n", "an old workbook": "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a PDF": "%PDF-1.7\n%\xE2\xE3", "a broken workbook": "PK\x03\x04 and no more",
		"a table without names": "number,height\n1,2\n3,4\n",
	} {
		chinese(what, s.send(t, "file", "list.csv", list, "page", "Accept-Language", "zh"), http.StatusBadRequest)
	}
	for what, list := range map[string]string{
		"a long name": "Panax ginseng\n" + strings.Repeat("Panax", 100) + "\nPanax notoginseng\n", "a control character": "Panax\x01ginseng\nPanax ginseng\n",
	} {
		a := s.send(t, "names", "", list, "page", "Accept-Language", "zh")
		chinese(what, a, http.StatusOK)
		if !strings.Contains(a.body, "Panax ginseng") && !strings.Contains(a.body, "ginseng</i>") {
			t.Errorf("%s ends the list: %s", what, a.body)
		}
	}
	if a := s.send(t, "file", "list.csv", "name,author\nPanax ginseng,C.A.Mey.,Baill.\n", "page", "Accept-Language", "zh"); !strings.Contains(a.body, "有 3 个单元格，而表头有 2 个") {
		t.Errorf("a row with too many cells: %s", a.body)
	}
	if a := s.send(t, "file", "list.csv", "name,author\nPanax ginseng,C.A.Mey.\n", "page", "Accept-Language", "zh"); !strings.Contains(a.body, "使用的列：name、author。") {
		t.Errorf("the columns of a list: %s", a.body)
	}
}
