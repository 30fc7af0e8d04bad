package cite_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bencao/api/cite"
	"bencao/internal/test/testkit"
	"bencao/store"

	"github.com/google/go-cmp/cmp"
)

// must ends the test if there is an error.
var must = testkit.Must

// references returns papers with characters that are special in BibTeX, RIS or TeX.
func references() []cite.Reference {
	var all []cite.Reference
	for _, p := range []store.PaperSummary{
		{ID: "doi:10.1007/978-3-642_1", Title: "Ginsenosides of Panax ginseng C.A.Mey. in 50 % ethanol & water", Authors: "Tu, Youyou; Li, Ming", Source: "J. Nat. Prod. #1",
			Year: "2011", DOI: "https://doi.org/10.1007/978-3-642_1-x_y", PubMedID: "21455", URL: "https://plants.example/papers/doi:10.1007%2F978-3-642_1?a=b&c=d_e#f"},
		{ID: "2", Title: "人参_研究", Authors: "屠呦呦；李国桥", Source: "中草药", Year: "2003", DOI: "10.1002/(SICI)1099-1573(199606)10:4<291::AID-PTR>3.0.CO;2-#",
			URL: "https://plants.example/papers/2"},
		{ID: "3", Title: "A ~ B ^ C {D} $E$", Authors: "Chen, Li", Source: "Flora", Year: "1998", DOI: "10.1000/a_b_c", URL: "https://plants.example/papers/3_4"},
	} {
		all = append(all, cite.Paper(&p))
	}
	return all
}

// read has the fields of a reference as another program has read them.
type read struct{ Title, DOI, URL string }

func wanted(all []cite.Reference) []read {
	var want []read
	for _, r := range all {
		want = append(want, read{r.Title, r.DOI, r.URL})
	}
	return want
}

// written writes the references to a new folder, one file in each format, and returns the folder.
func written(tb testing.TB, all []cite.Reference) string {
	tb.Helper()
	dir := tb.TempDir()
	for _, form := range cite.Forms {
		var b strings.Builder
		must(tb, form.Write(&b, all))
		must(tb, os.WriteFile(filepath.Join(dir, "cite."+form.End), []byte(b.String()), 0o644))
	}
	return dir
}

var markup = regexp.MustCompile(`</?span[^>]*>`)

// of reads the references in a CSL-JSON text.
func of(tb testing.TB, items []byte) []read {
	tb.Helper()
	var all []read
	if err := json.Unmarshal(items, &all); err != nil {
		tb.Fatalf("%v: %s", err, items)
	}
	for i := range all {
		all[i].Title = markup.ReplaceAllString(all[i].Title, "")
	}
	return all
}

// TestPandocReadsReferences reads the references in all formats with pandoc.
func TestPandocReadsReferences(t *testing.T) {
	pandoc := testkit.Program(t, "pandoc", "pandoc")
	all := references()
	dir := written(t, all)
	for from, file := range map[string]string{"bibtex": "cite.bib", "biblatex": "cite.bib", "csljson": "cite.json"} {
		out, err := exec.CommandContext(t.Context(), pandoc, "-f", from, "-t", "csljson", filepath.Join(dir, file)).Output()
		if err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		if diff := cmp.Diff(wanted(all), of(t, out)); diff != "" {
			t.Errorf("pandoc reads %s as %s (-written +read):\n%s", file, from, diff)
		}
	}
}

// TestBiberReadsReferences converts the BibTeX file with biber, which must not warn.
func TestBiberReadsReferences(t *testing.T) {
	biber := testkit.Program(t, "biber", "biber")
	all := references()
	dir := written(t, all)
	cmd := exec.CommandContext(t.Context(), biber, "--tool", "--nolog", "--output-file=out.bib", "cite.bib")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(said), "ERROR") {
		t.Fatalf("biber: %v\n%s", err, said)
	}
	out, err := os.ReadFile(filepath.Join(dir, "out.bib"))
	must(t, err)
	for _, r := range all {
		for _, want := range []string{r.DOI, r.URL} {
			if !strings.Contains(string(out), "{"+want+"}") {
				t.Errorf("biber does not read %s:\n%s", want, out)
			}
		}
	}
}

// TestCitationJSReadsReferences reads the references in all formats with Citation.js.
func TestCitationJSReadsReferences(t *testing.T) {
	all := references()
	dir := written(t, all)
	var got map[string]json.RawMessage
	files := []string{filepath.Join(dir, "cite.bib"), filepath.Join(dir, "cite.ris"), filepath.Join(dir, "cite.json")}
	must(t, json.Unmarshal(testkit.Reader(t, "references.mjs", files...), &got))
	for _, file := range files {
		items := of(t, got[filepath.Base(file)])
		for i := range items {
			items[i].URL = strings.ReplaceAll(items[i].URL, "%25", "%") // Citation.js escapes the % in the addresses of BibTeX once more
		}
		if diff := cmp.Diff(wanted(all), items); diff != "" {
			t.Errorf("Citation.js reads %s (-written +read):\n%s", filepath.Base(file), diff)
		}
	}
}
