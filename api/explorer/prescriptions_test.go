package explorer_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"html"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/api/access"
)

// prescribe sends the form of the page of prescriptions. fields has names and values in turn.
func (s *site) prescribe(t *testing.T, fields ...string) answer {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for i := 0; i+1 < len(fields); i += 2 {
		part, err := w.CreateFormField(fields[i])
		must(t, err)
		_, err = part.Write([]byte(fields[i+1]))
		must(t, err)
	}
	must(t, w.Close())
	r, err := http.NewRequest(http.MethodPost, s.URL+"/prescriptions?lang=en", &form)
	must(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Accept", "text/html")
	return s.do(t, r)
}

// hidden returns the names and values of the hidden fields of a page.
func hidden(body string) (fields []string) {
	for _, m := range regexp.MustCompile(`(?s)<input type="hidden" name="([a-z]+)" value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if slices.Contains([]string{"table", "decided", "written", "unit", "qian", "forms", "dynasty"}, m[1]) {
			fields = append(fields, m[1], html.UnescapeString(m[2]))
		}
	}
	return fields
}

// understood matches the line that says what was understood.
var understood = regexp.MustCompile(`[0-9]+ prescriptions?, [^<]*`)

// twoPrescriptions has a slip, an unknown word, a row that is no prescription, and a column that must not
// come back.
const twoPrescriptions = "编号,姓名,处方\n1,张三丰,人参9g 甘草6g 桂枝6g 木桶3g\n2,李四光,人参10 甘草3g 嗄嗄5g\n3,王五行,同上方\n"

func TestPrescriptions(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/prescriptions", `enctype="multipart/form-data"`, "Nothing is stored")
	s.page(t, "/prescriptions?lang=zh", "自己的处方")
	a := s.prescribe(t, "text", "", "file", twoPrescriptions)
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, text := range []string{"3 prescriptions, 7 drugs: 4 sure", "1 no plain prescription", "× 1", "嗄嗄", "Nearest", "drugs.csv", "not understood", `id="drugs"`} {
		if !strings.Contains(a.body, text) {
			t.Errorf("the page lacks %q; it says %s", text, understood.FindString(a.body))
		}
	}
	for _, name := range []string{"张三丰", "姓名"} {
		if strings.Contains(a.body, name) {
			t.Errorf("the page has %s of another column", name)
		}
	}
	if !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
		t.Errorf("the page may be stored: %v", a.header)
	}

	// The choices, sent back with the hidden fields, are decisions of names.csv and count.
	back := hidden(a.body)
	if len(back) < 6 {
		t.Fatalf("the form has only %q", back)
	}
	written := strings.Split(back[5], "\n")
	other := slices.Index(written, "嗄嗄")
	again := s.prescribe(t, append(slices.Clone(back), "o"+string(rune('0'+other)), "人参")...)
	if !strings.Contains(again.body, "7 drugs: 5 sure") {
		t.Errorf("the choice does not count: %s", understood.FindString(again.body))
	}
	names := s.prescribe(t, append(hidden(again.body), "as", "names.csv")...)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(names.body, "\ufeff"))).ReadAll()
	must(t, err)
	if i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == "嗄嗄" }); i < 0 || rows[i][1] != "人参" || rows[i][5] != "yes" {
		t.Errorf("names.csv has no decision: %v", rows)
	}
	if given := s.prescribe(t, "file", twoPrescriptions, "names", names.body); !strings.Contains(given.body, "7 drugs: 5 sure") {
		t.Error("names.csv given back does not count")
	}

	// Files come alone and in a zip, and are those of the page.
	all := s.prescribe(t, append(hidden(again.body), "as", "zip")...)
	packed, err := zip.NewReader(strings.NewReader(all.body), int64(len(all.body)))
	must(t, err)
	if len(packed.File) != 9 {
		t.Errorf("the zip has %d files", len(packed.File))
	}
	if drugs := s.prescribe(t, append(hidden(again.body), "as", "drugs.csv")...); !strings.Contains(drugs.body, "\n1,1,人参,9g,,9,人参,") || !strings.Contains(drugs.header.Get("Content-Disposition"), "drugs.csv") {
		t.Errorf("%v %s", drugs.header, drugs.body)
	}
	if lost := s.prescribe(t, "file", strings.Replace(twoPrescriptions, "张三丰", "张\xff丰", 1)); !strings.Contains(lost.body, "7 drugs: 4 sure") || !strings.Contains(lost.body, "Rows with bytes that are not UTF-8, shown as �: 1.") {
		t.Errorf("a byte that is no UTF-8 in another column: %s", understood.FindString(lost.body))
	}
	if graded := s.prescribe(t, "text", twoPrescriptions, "unit", "g", "as", "drugs.csv"); !strings.Contains(graded.body, "\n2,1,人参,10,,10,人参,") {
		t.Error("numbers are not grams")
	}
	for want, fields := range map[string][]string{
		"no prescription is found":    {"text", "hello\nworld\n"},
		"the list is empty":           {"text", " "},
		"is not the name of one drug": append(slices.Clone(back), "o0", "没有这味药"),
		"has no column":               {"text", twoPrescriptions, "names", "a,b\n1,2\n"},
		"page does not exist":         {"text", twoPrescriptions, "as", "other.csv"},
	} {
		if a := s.prescribe(t, fields...); a.status < 400 || !strings.Contains(html.UnescapeString(a.body), want) && a.status != http.StatusNotFound {
			t.Errorf("%q: %d, not %q", fields, a.status, want)
		}
	}
}

// TestPrescriptionsNeedScopes sends a form to pages that may not show compositions.
func TestPrescriptionsNeedScopes(t *testing.T) {
	s := start(t, config{limited: true, scopes: access.Prescriptions})
	if a := s.prescribe(t, "text", twoPrescriptions); a.status != http.StatusForbidden {
		t.Errorf("%d; want 403", a.status)
	}
	if a := s.get(t, "/prescriptions"); a.status != http.StatusForbidden {
		t.Errorf("%d; want 403", a.status)
	}
}
