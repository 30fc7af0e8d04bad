package names_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bencao/internal/null"
	"bencao/names"
	"bencao/names/editdistance"
	"bencao/names/internal/answer"
	authors "bencao/names/internal/author"
)

func match(ix *names.Index, name, author string) names.Response {
	r, err := ix.Match(names.Query{Name: name, Author: author})
	if err != nil {
		return names.Response{CanonicalName: null.Text("error: " + err.Error())}
	}
	return r
}

// words returns a canonical name without ranks, hybrid signs and cultivar. Other parsers' results
// can be compared in this form.
func words(name string) string {
	if i := strings.IndexAny(name, "‘'\""); i > 0 && name[i-1] == ' ' {
		name = name[:i]
	}
	name = strings.TrimSuffix(strings.TrimSuffix(name, " sp."), " gx")
	var out []string
	for _, w := range strings.Fields(strings.NewReplacer("×", " ", " + ", " ").Replace(name)) {
		if !strings.HasSuffix(w, ".") || len(w) == 2 && w[0] < 'a' {
			out = append(out, w)
		}
	}
	return strings.Join(slices.DeleteFunc(out, func(w string) bool { return strings.Contains(" lusus stirps natio morpha race div grex ", " "+w+" ") }), " ")
}

func judgeGnparser(ix *names.Index, row map[string]string) verdict {
	got := words(string(match(ix, row["input"], "").CanonicalName))
	want := words(row["canonical_simple"])
	ok := got == want || got == words(row["canonical_full"])
	return verdict{input: row["input"], want: want, got: got, ok: ok}
}

func judgeGBIFParser(ix *names.Index, row map[string]string) verdict {
	for _, code := range []string{"ZOOLOGICAL", "BACTERIAL", "VIRUS"} {
		if strings.Contains(row["assertions"], code) {
			return verdict{skip: true}
		}
	}
	// Judge only names of plants, whose genus the checklists have.
	genus, _, _ := strings.Cut(words(row["expected_canonical"]), " ")
	if r := match(ix, genus, ""); r.MatchedVia == answer.ViaNone || r.Results[0].MatchType != answer.MatchExact {
		return verdict{skip: true}
	}
	got, want := words(string(match(ix, row["input"], "").CanonicalName)), words(row["expected_canonical"])
	return verdict{input: row["input"], want: want, got: got, ok: got == want}
}

func judgeParts(ix *names.Index, row map[string]string) verdict {
	input := row["input"]
	want := strings.Join(strings.Fields(row["genus"]+" "+row["species"]+" "+row["infraspecies"]), " ")
	got := words(string(match(ix, input, "").CanonicalName))
	return verdict{input: input, want: want, got: got, ok: got == want}
}

func judgeRWCVP(ix *names.Index, row map[string]string) verdict {
	r := match(ix, row["input"], row["input_authors"])
	v := verdict{input: row["input"] + " " + row["input_authors"], want: row["expected_name"] + " " + row["expected_wcvp_id"]}
	if len(r.Results) > 0 {
		v.got = string(r.Results[0].MatchedName + " " + r.Results[0].MatchedWCVPID)
	}
	// A few names have other identifiers in the checklists of the test.
	v.ok = v.got == v.want || len(r.Results) > 0 && !hasName(ix, "wcvp:"+row["expected_wcvp_id"]) && string(r.Results[0].MatchedName) == row["expected_name"]
	if !v.ok && !hasName(ix, row["expected_name"]) {
		v.skip = true
	}
	return v
}

func judgeSanitise(ix *names.Index, row map[string]string) verdict {
	got := strings.ToLower(string(match(ix, row["input"], "").CanonicalName))
	got = strings.Join(strings.Fields(strings.ReplaceAll(got, "×", "")), " ")
	want := strings.ToLower(row["expected_sanitised"])
	// Some inputs are placeholders such as "genus species" in lower case. To read them, a parser
	// needs a dictionary with these words.
	return verdict{input: row["input"], want: want, got: got, ok: got == want, skip: got != want && strings.HasPrefix(want, "genu")}
}

// hasName reports whether the checklists have this name exactly.
func hasName(ix *names.Index, name string) bool {
	r := match(ix, name, "")
	return len(r.Results) > 0 && r.Results[0].MatchType == answer.MatchExact
}

func first(r names.Response) (matched, accepted, kind string) {
	if len(r.Results) == 0 {
		return "", "", ""
	}
	e := r.Results[0]
	return string(e.MatchedName), string(e.AcceptedName), e.MatchType
}

func judgeGnames(ix *names.Index, row map[string]string) verdict {
	r := match(ix, row["input"], "")
	v := verdict{input: row["input"], want: row["expected"]}
	matched, accepted, kind := first(r)
	v.got = matched
	if accepted != "" && accepted != matched {
		v.got += " → " + accepted
	}
	want, _, _ := strings.Cut(row["expected"], " -> ")
	switch {
	case row["expected_type"] == "NoMatch":
		v.want = ""
		v.ok = matched == "" || kind == answer.MatchHigherRank
	default:
		for _, w := range strings.Split(want, "|") {
			w, _, _ = strings.Cut(w, " (")
			for _, prefix := range []string{matched, accepted} {
				v.ok = v.ok || prefix != "" && strings.HasPrefix(words(w)+" ", words(prefix)+" ") && len(words(prefix)) >= len(strings.Join(strings.Fields(w)[:1], " "))
			}
		}
	}
	if !v.ok && row["expected_type"] != "NoMatch" && !hasName(ix, strings.Split(strings.Split(want, "|")[0], " (")[0]) {
		v.skip = true
	}
	return v
}

func judgeWCVPMatch(ix *names.Index, row map[string]string) verdict {
	matched, accepted, _ := first(match(ix, row["input"], ""))
	v := verdict{input: row["input"], want: row["expected_name"], got: matched}
	v.ok = matched == row["expected_name"]
	if v.ok && row["expected_accepted"] != "" && accepted != row["expected_accepted"] {
		v.want, v.got, v.ok = row["expected_accepted"], accepted, false
	}
	if !v.ok && !hasName(ix, v.want) {
		v.skip = true
	}
	return v
}

func judgeTaxastand(ix *names.Index, row map[string]string) verdict {
	matched, accepted, _ := first(match(ix, row["input"], ""))
	want, _, _ := strings.Cut(row["expected"], " (")
	v := verdict{input: row["input"], want: want, got: matched, ok: matched == want || accepted == want}
	v.skip = !v.ok && want != "" && !hasName(ix, want)
	return v
}

func judgeIssue(ix *names.Index, row map[string]string) verdict {
	r := match(ix, row["input"], "")
	matched, accepted, kind := first(r)
	v := verdict{input: row["input"], want: row["expected_name"], got: matched}
	switch {
	case strings.HasPrefix(row["expected_kind"], "none"):
		v.ok = matched == "" || kind == answer.MatchHigherRank
	case row["expected_kind"] == "hybrid formula":
		v.ok = r.MatchedVia == answer.ViaHybridFormula && len(r.Results) == 2
	case strings.HasPrefix(row["expected_kind"], "synonym"):
		v.got, v.ok = accepted, accepted == row["expected_name"] || matched == row["expected_name"]
		if kind == answer.MatchHigherRank || accepted == "" {
			v.skip = true // no checklist has the synonym, or none places it
		}
	default:
		full := matched
		if len(r.Results) > 0 {
			full += " " + string(r.Results[0].MatchedAuthor)
		}
		v.ok = matched == row["expected_name"] || full == row["expected_name"]
	}
	// The checklist writes some hybrids without their sign.
	v.ok = v.ok || words(matched) == words(v.want) && kind == answer.MatchExact
	base, _, _ := strings.Cut(v.want, " (")
	v.skip = v.skip || !v.ok && base != "" && !hasName(ix, base)
	return v
}

func judgeGBIFMatching(ix *names.Index, row map[string]string) verdict {
	r, err := ix.Match(names.Query{Name: row["input"], Family: family(row["classification"])})
	if err != nil {
		return verdict{input: row["input"], got: err.Error()}
	}
	v := verdict{input: row["input"], want: row["expected_name"]}
	if len(r.Results) > 0 {
		e := r.Results[0]
		v.got = strings.TrimSpace(string(e.MatchedName + " " + e.MatchedAuthor))
		v.ok = words(string(e.MatchedName)) == words(row["expected_canonical"]) &&
			(row["expected_rank"] == "GENUS" || !sameNameTwice(ix, row) || authors.Compare(string(e.MatchedAuthor), author(row["expected_name"], row["expected_canonical"])) != authors.Differs)
	}
	switch {
	case row["verdict"] == "none" && (row["confidence"] != "strict" || row["input"] == row["expected_canonical"] || row["input"] == "Abies alba"):
		// GBIF rejects these names because of a homonym in another kingdom or because of
		// conflicting kingdoms. The checklists of the test have only plants.
		v.skip = true
	case row["verdict"] == "none":
		v.want, v.ok = "", len(r.Results) == 0 || r.Results[0].MatchType == answer.MatchHigherRank || r.Results[0].AuthorMatch == answer.AuthorDiffers || r.Results[0].Score < 0.9
	case row["expected_rank"] == "FAMILY" || row["expected_rank"] == "KINGDOM" || row["expected_kingdom"] != "Plantae":
		v.skip = true // the index does not match ranks above the genus
	case !v.ok && !holdsAuthor(ix, row["expected_canonical"], author(row["expected_name"], row["expected_canonical"])):
		v.skip = true
	}
	return v
}

func sameNameTwice(ix *names.Index, row map[string]string) bool {
	r := match(ix, row["expected_canonical"], "")
	return len(r.Results) > 1
}

func holdsAuthor(ix *names.Index, name, author string) bool {
	r, err := ix.Match(names.Query{Name: name, Author: author, Limit: names.MaxLimit})
	if err != nil {
		return false
	}
	for _, e := range r.Results {
		if e.MatchType == answer.MatchExact && e.AuthorMatch != answer.AuthorDiffers && e.AuthorMatch != answer.AuthorUnknown {
			return true
		}
	}
	return false
}

func author(name, canonical string) string {
	a := strings.TrimSpace(strings.TrimPrefix(name, canonical))
	for _, r := range []string{"subsp. ", "var. "} {
		if i := strings.Index(a, r); i >= 0 {
			_, a, _ = strings.Cut(a[i+len(r):], " ")
		}
	}
	return a
}

func family(classification string) string {
	_, f, ok := strings.Cut(classification, `"family": "`)
	if !ok {
		return ""
	}
	f, _, _ = strings.Cut(f, `"`)
	return f
}

func judgeCollision(ix *names.Index, row map[string]string) verdict {
	v := verdict{input: row["accepted names merged"], ok: true}
	for _, name := range strings.Split(row["accepted names merged"], " = ") {
		matched, _, kind := first(match(ix, name, ""))
		if kind != answer.MatchExact || matched != name {
			v.want, v.got, v.ok = name, matched+" "+kind, false
		}
	}
	return v
}

func judgeExtract(ix *names.Index, row map[string]string) verdict {
	r := match(ix, row["input"], row["input_authors"])
	v := verdict{input: row["input"] + " " + row["input_authors"], want: row["expected_accepted"]}
	if len(r.Results) == 0 || r.Results[0].MatchType != answer.MatchExact || r.Results[0].AuthorMatch == answer.AuthorDiffers {
		v.skip = true // the checklists do not have this name
		return v
	}
	v.got = string(r.Results[0].AcceptedName)
	if v.got == "" || v.want == "" {
		v.skip = true // our version of the checklist or the judge's does not place the name
	}
	v.ok = v.got == v.want
	return v
}

func judgeAuthors(_ *names.Index, row map[string]string) verdict {
	with := func(a, y string) string {
		if y = strings.TrimSpace(y); y != "" {
			return strings.TrimSpace(strings.TrimSpace(a) + ", " + y)
		}
		return strings.TrimSpace(a)
	}
	a, b := with(row["authors_a"], row["year_a"]), with(row["authors_b"], row["year_b"])
	got := "DIFFERENT"
	switch authors.Compare(a, b) {
	case authors.Same, authors.Compatible, authors.Partly:
		got = "EQUAL"
	case authors.NotGiven, authors.Unknown:
		got = "UNKNOWN"
	}
	return verdict{input: a + " / " + b, want: row["expected"], got: got, ok: got == row["expected"]}
}

func judgeAuthorClass(_ *names.Index, row map[string]string) verdict {
	_, a, _ := strings.Cut(strings.TrimPrefix(row["query"], "Carex "), " ")
	_, b, _ := strings.Cut(strings.TrimPrefix(row["reference"], "Carex "), " ")
	for _, r := range []string{"subsp. s1 ", "var. s1 "} {
		a, b = strings.TrimPrefix(a, r), strings.TrimPrefix(b, r)
	}
	got := authors.Compare(a, b).String()
	want := answer.AuthorCompatible
	switch row["expected_class"] {
	case "exact", "auto_punct", "auto_in+", "auto_in-", "auto_irank", "auto_fuzzy":
		want = answer.AuthorSame
	}
	return verdict{input: row["query"] + " / " + row["reference"], want: want, got: got, ok: got == want}
}

// judgePair checks whether an index of one name of the pair finds the other name.
func judgePair(_ *names.Index, row map[string]string) verdict {
	v := verdict{input: row["name_a"] + " / " + row["name_b"], want: row["same"]}
	v.got = strconv.FormatBool(samePair(row["name_a"], row["name_b"]))
	v.ok = v.got == v.want
	return v
}

// samePair reports whether the name a finds b in an index that has only b.
func samePair(a, b string) bool {
	nb, author := splitAuthor(b)
	na, authorA := splitAuthor(a)
	build := names.NewBuilder()
	c := build.Checklist(names.Checklist{Source: "pairs"})
	if err := c.Add(names.Usage{ID: "1", Name: nb, Author: author, Status: names.Accepted}); err != nil {
		return false
	}
	dir, err := os.MkdirTemp("", "pair")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "names.idx")
	if err := build.WriteFile(file); err != nil {
		return false
	}
	ix, err := names.Open(file)
	if err != nil {
		return false
	}
	r := match(ix, na, authorA)
	same := len(r.Results) > 0 && r.Results[0].MatchType != answer.MatchHigherRank && r.Results[0].AuthorMatch != answer.AuthorDiffers
	return ix.Close() == nil && same
}

// splitAuthor separates a name of the pairs from its author, which starts with the first capital
// after the genus.
func splitAuthor(s string) (name, author string) {
	w := strings.Fields(s)
	for i := 1; i < len(w); i++ {
		if c := strings.Trim(w[i], "(")[0]; c < 'a' || w[i] == "d'Orbigny" {
			return strings.Join(w[:i], " "), strings.Join(w[i:], " ")
		}
	}
	return s, ""
}

func judgeDistance(_ *names.Index, row map[string]string) verdict {
	limit, err := strconv.Atoi(row["max_distance"])
	if err != nil {
		return verdict{input: row["a"], got: err.Error()}
	}
	got := strconv.Itoa(editdistance.WithBlocks([]rune(row["a"]), []rune(row["b"]), limit))
	v := verdict{input: row["a"] + " / " + row["b"], want: row["expected"], got: got, ok: got == row["expected"]}
	// WithBlocks always exchanges blocks of two letters. Rows of the file that were computed with
	// another block size are skipped.
	if row["block_size"] == "3" || row["block_size"] == "1" && got < row["expected"] {
		v.skip = true
	}
	return v
}
