package explorer_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// send sends a list of names by the form of the page.
func (s *site) send(t *testing.T, field, name, list, as string, header ...string) answer {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormField(field)
	if name != "" {
		part, err = w.CreateFormFile(field, name)
	}
	must(t, err)
	if _, err := part.Write([]byte(list)); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	r, err := http.NewRequest(http.MethodPost, s.URL+"/match?as="+as, &form)
	must(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Accept", "text/html")
	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	return s.do(t, r)
}

// choices returns the form with the user's choices that a page of matched names has.
func choices(body string) url.Values {
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(r\d+)" value="([^"]*)"( checked)?`).FindAllStringSubmatch(body, -1) {
		if !form.Has(m[1]) || m[3] != "" {
			form.Set(m[1], html.UnescapeString(m[2]))
		}
	}
	return form
}

// choose returns the request that sends the user's choices.
func (s *site) choose(t *testing.T, form url.Values) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.URL+"/match/table", strings.NewReader(form.Encode()))
	must(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// table returns the rows of the table of the user's choices.
func (s *site) table(t *testing.T, form url.Values) [][]string {
	t.Helper()
	a := s.do(t, s.choose(t, form))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.body, "\ufeff"))).ReadAll()
	if err != nil || !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
		t.Fatalf("%d %v %v: %.500s", a.status, a.header, err, a.body)
	}
	return rows
}

func TestMatch(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/match", `enctype="multipart/form-data"`)
	a := s.send(t, "names", "", "Panax ginseng C.A.Mey.\nTomato soup\nPanax ginsen\n=1+1\n", "page")
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	order := regexp.MustCompile(`<li class="(\w+)[^>]*><span class="i num">(\d+)</span><div class="g"><b>([^<]*)</b>`).FindAllStringSubmatch(a.body, -1)
	var got []string
	for _, m := range order {
		got = append(got, html.UnescapeString(strings.Join(m[1:], " ")))
	}
	if want := "take 1 Panax ginseng C.A.Mey.|none 2 Tomato soup|take 3 Panax ginsen|none 4 =1+1"; strings.Join(got, "|") != want {
		t.Errorf("rows %q, want %q", strings.Join(got, "|"), want)
	}
	// The page has a form that sends the user's choices back to the server.
	form := choices(a.body)
	rows := s.table(t, form)
	if len(rows) != 5 {
		t.Fatalf("%q", rows)
	}
	if rows[1][7] != "Panax ginseng" || rows[1][14] != ginseng || rows[4][1] != "'=1+1" {
		t.Errorf("the table has %q and %q", rows[1], rows[4])
	}
	if got := a.header.Get("X-Accel-Buffering"); got != "no" {
		t.Errorf("X-Accel-Buffering is %q, want no: nginx must not hold rows back", got)
	}
	if !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
		t.Error("a list may be kept on its way")
	}
	form.Set("as", "xlsx")
	if sheet := s.sheet(t, s.choose(t, form)); strings.Count(sheet, "<row ") != 5 || !strings.Contains(sheet, ">Panax ginseng<") || !strings.Contains(sheet, ">&#39;=1+1<") {
		t.Errorf("the choices as xlsx: %s", sheet)
	}
	saved := s.send(t, "file", "list.csv", "id,scientificName\n7,Panax ginseng\n8,=cmd\n", "csv")
	if saved.status != http.StatusOK || !strings.Contains(saved.body, "Panax ginseng") || !strings.Contains(saved.body, "'=cmd") {
		t.Errorf("a file as CSV: %d %q", saved.status, saved.body)
	}
}

// TestMatchTable matches a typical table: it has a title above the header, genus and species in
// separate columns, and Chinese names of families.
func TestMatchTable(t *testing.T) {
	s := start(t, config{})
	a := s.send(t, "file", "list.csv", "样地植物名录,,\n科,Genus,species\n五加科,Panax,ginseng\n乔木,Salvia,nosuchia\n", "page")
	for _, want := range []string{`<li class="take"><span class="i num">1</span>`, `<li class="none"><span class="i num">2</span>`, "species: 1; genera: 1; families: 1", "header in line 2", "Genus, species, 科", "no hint: 1"} {
		if !strings.Contains(html.UnescapeString(a.body), want) {
			t.Errorf("%q is not in the page:\n%s", want, a.body)
		}
	}
}

// TestMatchUndecoded matches a list with bytes that cannot be decoded, and blank cells at the end.
func TestMatchUndecoded(t *testing.T) {
	s := start(t, config{})
	for lang, want := range map[string]string{"en": "Rows with bytes that are not Windows-1252, shown as �: 1.", "zh": "有 1 行含有不是 Windows-1252 的字节"} {
		a := s.send(t, "file", "list.csv", "name,place\nPanax ginseng,S\xe3o Paulo,\nPanax ginseng,Ver\x8doza,,\n", "page&lang="+lang)
		for _, want := range []string{`<li class="take"><span class="i num">1</span>`, `<li class="take"><span class="i num">2</span>`, "São Paulo", "Ver�oza", want} {
			if !strings.Contains(html.UnescapeString(a.body), want) {
				t.Errorf("%q is not in the page:\n%s", want, a.body)
			}
		}
	}
}

// TestMatchReasons checks that each row gives its reasons, and that doubtful rows are left for the
// user to decide.
func TestMatchReasons(t *testing.T) {
	s := start(t, config{})
	rows := []struct{ name, band, says string }{
		{"Panax ginseng", "take", "the accepted name"},
		{"Aralia ginseng", "take", "the name given is a synonym"},
		{"人参", "take", "given as a Chinese name"},
		{"ren2shen1", "look", "given as pinyin"},
		{"Panax ginsen", "take", "spelling of the epithet corrected"},
		{"Panax cf. ginseng", "look", "your list has a doubt"},
		{"Panax", "look", "a genus, no species"},
		{"Araliaceae", "leave", "a higher rank"},
		{"石膏", "none", "a drug in this data (mineral)"},
		{"Tomato soup", "none", "No name in the checklists of plants is the same"},
	}
	var list strings.Builder
	for _, r := range rows {
		list.WriteString(r.name + "\n")
	}
	a := s.send(t, "names", "", list.String(), "page")
	shown := regexp.MustCompile(`(?s)<li class="(\w+)[^>]*>.*?</li>`).FindAllStringSubmatch(a.body, -1)
	if len(shown) != len(rows) {
		t.Fatalf("%d rows for %d names", len(shown), len(rows))
	}
	for i, r := range rows {
		if shown[i][1] != r.band || !strings.Contains(shown[i][0], r.says) {
			t.Errorf("%s: want %s, %q: %s", r.name, r.band, r.says, shown[i][0])
		}
		if fold := strings.Contains(shown[i][0], "<details"); fold != (r.band == "look" || r.band == "leave") {
			t.Errorf("%s unfolds: %t", r.name, fold)
		}
	}
	for _, band := range []string{"take", "look", "none", "synonym"} {
		if !strings.Contains(a.body, `id="show-`+band+`"`) {
			t.Errorf("nothing shows only the rows of %s", band)
		}
	}
	// The downloaded table has the remarks of the page.
	for i, row := range s.table(t, choices(a.body))[1:] {
		page := html.UnescapeString(shown[i][0])
		for _, said := range strings.Split(row[len(row)-1], "; ") {
			if said == "" || !strings.Contains(page, "<span>"+said+"</span>") {
				t.Errorf("the table has the remark %q, which the page lacks: %s", said, page)
			}
		}
		if synonym := strings.Contains(page, ` synonym">`); synonym != (row[2] == "take" && row[15] == "synonym") {
			t.Errorf("%s is shown as a synonym: %t; its row in the table is %q", row[1], synonym, row)
		}
	}
	for _, line := range strings.Split(s.send(t, "names", "", list.String(), "csv", "Accept-Language", "zh").body, "\r\n")[1:] {
		cells := strings.Split(line, ",")
		if remark := cells[max(0, len(cells)-2)]; regexp.MustCompile(`[a-z]{3}`).MatchString(remark) {
			t.Errorf("a Chinese table has the remark %s", remark)
		}
	}
	limited := start(t, config{limited: true})
	if a := limited.send(t, "names", "", "石膏\n", "page"); strings.Contains(a.body, "/herbs/") {
		t.Error("a drug shows without its scope")
	}
	if a := s.send(t, "names", "", "  ", "page"); a.status != http.StatusBadRequest || !strings.Contains(a.body, `<textarea id="names"`) || !strings.Contains(a.body, "the list is empty") {
		t.Errorf("an empty list loses the form: %d %s", a.status, a.body)
	}
}

// sheet sends a request for a workbook and returns the XML of the workbook's sheet.
func (s *site) sheet(t *testing.T, r *http.Request) string {
	t.Helper()
	book := s.do(t, r).body
	z, err := zip.NewReader(strings.NewReader(book), int64(len(book)))
	must(t, err)
	sheet, err := fs.ReadFile(z, "xl/worksheets/sheet1.xml")
	must(t, err)
	return string(sheet)
}

// TestMatchLongPartName sends a list in a part whose header names it and many other things. Parsing
// five megabytes of such a header would take 300 MiB.
func TestMatchLongPartName(t *testing.T) {
	s := start(t, config{})
	for size, want := range map[int]int{1 << 10: http.StatusOK, 5 << 10: http.StatusBadRequest} {
		var name strings.Builder
		for n := 0; name.Len() < size; n++ {
			fmt.Fprintf(&name, "; a%d*0=b", n)
		}
		form := "--b\r\nContent-Disposition: form-data; name=\"names\"" + name.String() + "\r\n\r\nPanax ginseng\r\n--b--\r\n"
		r, err := http.NewRequest(http.MethodPost, s.URL+"/match", strings.NewReader(form))
		must(t, err)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		if a := s.do(t, r); a.status != want {
			t.Errorf("%d bytes: status %d, want %d: %.300s", size, a.status, want, a.body)
		}
	}
}

// TestMatchEncodings sends lists in parts that name a transfer encoding.
func TestMatchEncodings(t *testing.T) {
	s := start(t, config{})
	for coding, want := range map[string]int{"7bit": 200, "8bit": 200, "Binary": 200, "quoted-printable": 400, "base64": 400, "x": 400} {
		for _, list := range []string{"Panax ginseng", strings.Repeat("x", 5000)} {
			form := "--b\r\nContent-Transfer-Encoding: " + coding + "\r\nContent-Disposition: form-data; name=\"names\"\r\n\r\n" + list + "\r\n--b--\r\n"
			for _, as := range []string{"page", "csv"} {
				r, err := http.NewRequest(http.MethodPost, s.URL+"/match?as="+as, strings.NewReader(form))
				must(t, err)
				r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
				if a := s.do(t, r); a.status != want || want != http.StatusOK && !strings.Contains(a.body, "Content-Transfer-Encoding") {
					t.Errorf("%s, %d bytes, as %s: status %d, want %d: %.300s", coding, len(list), as, a.status, want, a.body)
				}
			}
		}
	}
}

func TestMatchBounds(t *testing.T) {
	s := start(t, config{})
	for what, c := range map[string]struct {
		list   string
		status int
		want   string
	}{
		"nothing":  {"", 400, "the list is empty"},
		"too long": {strings.Repeat("Panax ginseng\n", 400_000), 400, "the list has 5.4\u00a0MB; a list of at most 5\u00a0MB is taken"},
	} {
		if a := s.send(t, "names", "", c.list, "page"); a.status != c.status || !strings.Contains(a.body, c.want) {
			t.Errorf("%s: %d %.400s", what, a.status, a.body)
		}
	}
	a := s.send(t, "names", "", strings.Repeat("Panax ginseng\n", 10_001), "page")
	if !strings.Contains(a.body, "Only the first 10,000 names") || !strings.Contains(a.body, `<span class="i num">10000</span>`) || strings.Contains(a.body, `<span class="i num">10001</span>`) {
		t.Errorf("10,001 names: %d, ends %.300s", a.status, a.body[max(0, len(a.body)-600):])
	}
	for _, names := range []int{10_000, 10_001, 10_100} {
		a := s.send(t, "file", "list.csv", "name\n"+strings.Repeat("Panax ginseng\n", names), "csv")
		whole := a.status == http.StatusOK && strings.Count(a.body, "\n") == names+1
		refused := a.status == http.StatusBadRequest && strings.Contains(a.body, "the list has more than 10,000 names; split it") && strings.Contains(a.body, "<textarea")
		if whole != (names <= 10_000) || refused == whole {
			t.Errorf("%d names as a table: %d, %d lines", names, a.status, strings.Count(a.body, "\n"))
		}
	}
	// The table takes the longest list that the page takes.
	var list strings.Builder
	list.WriteString("name,note\n")
	for n := range 9_999 {
		fmt.Fprintf(&list, "Panax ginseng,%s%d\n", strings.Repeat("采于山坡", 22), n)
	}
	form := choices(s.send(t, "file", "list.csv", list.String(), "page").body)
	if table := s.table(t, form); len(form) != 9_999 || len(table) != 10_000 {
		t.Errorf("a list of %d bytes has %d rows in the page and %d lines in the table of choices", list.Len(), len(form), len(table))
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+"/search", strings.NewReader("q=x"))
	must(t, err)
	r.Header.Set("Accept", "text/html")
	if a := s.do(t, r); a.status != http.StatusBadRequest {
		t.Errorf("a form sent to a page that takes none: %d", a.status)
	}
}
