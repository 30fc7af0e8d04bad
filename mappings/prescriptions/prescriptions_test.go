package prescriptions_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"bencao/internal/rows"
	"bencao/internal/test/indextest"
	"bencao/internal/test/testkit"
	"bencao/mappings/patterns"
	"bencao/mappings/prescriptions"
	"bencao/store"
)

func must(t testing.TB, err error) { t.Helper(); testkit.Must(t, err) }

// open returns the base of a snapshot and its engine.
func open(t testing.TB, dir string) (b *prescriptions.Base, e *patterns.Engine) {
	t.Helper()
	must(t, store.View(filepath.Join(dir, store.FileName), func(tx *store.Tx) (err error) {
		if e, err = patterns.Open(tx.Pattern); err == nil {
			b, err = prescriptions.OpenBase(tx, e)
		}
		return err
	}))
	return b, e
}

func sample(t testing.TB) *prescriptions.Base {
	t.Helper()
	b, _ := open(t, sampleData.Dir(t))
	return b
}

func read(t testing.TB, b *prescriptions.Base, text string, opt prescriptions.Options) *prescriptions.Set {
	t.Helper()
	s, err := b.Read(t.Context(), strings.NewReader(text), opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// results returns the files of a report by name.
func results(t testing.TB, s *prescriptions.Set, c prescriptions.Counting) map[string]string {
	t.Helper()
	r, err := s.Count(context.Background(), c)
	must(t, err)
	all := map[string]string{}
	for _, f := range r.Files() {
		var out bytes.Buffer
		must(t, f.Write(&out))
		all[f.Name] = out.String()
	}
	return all
}

// table returns the rows of a CSV file as maps by label.
func table(t testing.TB, text string) (all []map[string]string) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	must(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, label := range lines[0] {
			row[label] = line[i]
		}
		all = append(all, row)
	}
	return all
}

// TestForms reads the same two prescriptions in every form.
func TestForms(t *testing.T) {
	b := sample(t)
	var book bytes.Buffer
	must(t, rows.WriteSheet(&book, "方", [][]string{{"序号", "处方"}, {"1", "麻黄9g 桂枝6g 甘草3g"}, {"2", "人参10g、白术10g、甘草6g"}}))
	for name, one := range map[string]struct {
		text string
		form prescriptions.Form
	}{
		"text":          {"麻黄9g 桂枝6g 甘草3g\n人参10g、白术10g、甘草6g\n", prescriptions.TextForm},
		"commas":        {"麻黄9g,桂枝6g,甘草3g\n人参10g,白术10g,甘草6g\n", prescriptions.TextForm},
		"column":        {"编号,姓名,处方\n1,张三,麻黄9g 桂枝6g 甘草3g\n2,李四,人参10g、白术10g、甘草6g\n", prescriptions.TextForm},
		"quoted lines":  {"id,text\n1,\"麻黄9g\n桂枝6g\n甘草3g\"\n2,\"人参10g\n白术10g\n甘草6g\"\n", prescriptions.TextForm},
		"traditional":   {"處方\n麻黃9克，桂枝6克，甘草3克\n人參10克，白朮10克，甘草6克\n", prescriptions.TextForm},
		"dollars":       {"id\t方药\n1\t麻黄$9.0@g,桂枝$6.0@g,甘草$3.0@g\n2\t人参$10@g,白术$10@g,甘草$6@g\n", prescriptions.TextForm},
		"long":          {"id,drug,dose\n1,麻黄,9g\n1,桂枝,6g\n1,甘草,3g\n2,人参,10g\n2,白术,10g\n2,甘草,6g\n", prescriptions.LongForm},
		"merged cells":  {"方名,药物,剂量\n麻黄汤,麻黄,9g\n,桂枝,6g\n,甘草,3g\n四君,人参,10g\n,白术,10g\n,甘草,6g\n", prescriptions.LongForm},
		"wide":          {"id,药1,药2,药3\n1,麻黄9g,桂枝6g,甘草3g\n2,人参10g,白术10g,甘草6g\n", prescriptions.WideForm},
		"wide and dose": {"id,药1,量1,药2,量2,药3,量3\n1,麻黄,9g,桂枝,6g,甘草,3g\n2,人参,10g,白术,10g,甘草,6g\n", prescriptions.WideForm},
		"matrix":        {"id,麻黄,桂枝,甘草,人参,白术\n1,1,1,1,0,0\n2,0,0,1,1,1\n", prescriptions.MatrixForm},
		"title above":   {"某院处方,,\nid,麻黄,桂枝,甘草,人参,白术\n1,1,1,1,0,0\n2,0,0,1,1,1\n", prescriptions.MatrixForm},
		"workbook":      {book.String(), prescriptions.TextForm},
	} {
		s, err := b.Read(t.Context(), strings.NewReader(one.text), prescriptions.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Form != one.form || len(s.Prescriptions) != 2 {
			t.Errorf("%s: %d prescriptions of the form %s, want 2 of %s", name, len(s.Prescriptions), s.Form, one.form)
			continue
		}
		sets := map[string][]string{}
		grams := 0
		for _, row := range table(t, results(t, s, prescriptions.Counting{})["drugs.csv"]) {
			sets[row["prescription"]] = append(sets[row["prescription"]], row["standardName"])
			if row["grams"] != "" {
				grams++
			}
		}
		var got []string
		for _, set := range sets {
			slices.Sort(set)
			got = append(got, strings.Join(set, " "))
		}
		slices.Sort(got)
		if want := []string{"人参 甘草 白术", "桂枝 甘草 麻黄"}; !slices.Equal(got, want) {
			t.Errorf("%s: read as %q, want %q", name, got, want)
		}
		if want := 6; grams != want && one.form != prescriptions.MatrixForm {
			t.Errorf("%s: %d doses in grams, want %d", name, grams, want)
		}
	}
}

// TestDosesByLabel reads doses without a unit in a column of their own, which only its label tells from
// a price.
func TestDosesByLabel(t *testing.T) {
	b := sample(t)
	for label, want := range map[string]float64{"克": 9, "用量/g": 9, "价": 0} {
		s := read(t, b, "id,药名,"+label+"\n1,麻黄,9\n1,桂枝,6\n2,人参,10\n2,甘草,6\n", prescriptions.Options{Grams: true})
		if got := s.Prescriptions[0].Drugs[0].Grams; got != want {
			t.Errorf("%s: %g g, want %g", label, got, want)
		}
	}
}

// TestRefused reads tables without prescriptions, and tables that are ambiguous.
func TestRefused(t *testing.T) {
	b := sample(t)
	for text, want := range map[string]string{
		"": "no prescription is found", "a,b\n1,2\n": "no prescription is found",
		"甲,乙\n麻黄 桂枝,人参 白术\n甘草 麻黄,白术 甘草\n": "name one with --text-column",
		"药,价\n麻黄,3\n桂枝,4\n甘草,5\n":         "--id-column",
	} {
		if _, err := b.Read(t.Context(), strings.NewReader(text), prescriptions.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	_, err := b.Read(t.Context(), strings.NewReader("id,处方\n1,麻黄 桂枝\n"), prescriptions.Options{TextColumn: "方子"})
	if err == nil || !strings.Contains(err.Error(), "方子") || !strings.Contains(err.Error(), "处方") {
		t.Errorf("a column that is not there: %v", err)
	}
}

// TestTruth checks that nothing counts that is not sure.
func TestTruth(t *testing.T) {
	b := sample(t)
	for _, one := range []struct {
		text, written string
		state         prescriptions.State
		drugs         string
	}{
		{"甘草 木桶10g 白术", "木桶", prescriptions.Proposed, ""},
		{"甘草 白朮10g 生草6g", "生草", prescriptions.Sure, "甘草"},
		{"甘草 黄连素3片 白术", "黄连素", prescriptions.Proposed, ""},
		{"甘草 赤白芍各10g 白术", "赤白芍", prescriptions.Sure, "赤芍、白芍"},
		{"甘草3g，三付", "三付", prescriptions.Instruction, ""},
		{"甘草 白术 水煎服", "水煎服", prescriptions.Instruction, ""},
		{"甘草 嗄嗄10g 白术", "嗄嗄", prescriptions.NotUnderstood, ""},
	} {
		s := read(t, b, one.text+"\n人参 甘草\n", prescriptions.Options{})
		found := false
		for _, row := range table(t, results(t, s, prescriptions.Counting{})["drugs.csv"]) {
			if row["written"] != one.written {
				continue
			}
			if found = true; row["state"] != string(one.state) || row["standardName"] != "" && !strings.Contains(one.drugs, row["standardName"]) || (row["standardName"] == "") != (one.drugs == "") {
				t.Errorf("%s: %s is %s %s, want %s %s", one.text, one.written, row["state"], row["standardName"], one.state, one.drugs)
			}
		}
		if !found {
			t.Errorf("%s: no mention %s", one.text, one.written)
		}
	}
	for text, changes := range map[string]bool{"加半夏10g": true, "同上方": true, "桂枝汤加葛根10g": true, "上方去麻黄": true, "麻黄 桂枝 加水煎服": false, "麻黄 桂枝": false} {
		s := read(t, b, text+"\n人参 甘草\n人参 白术\n", prescriptions.Options{})
		if s.Prescriptions[0].Changes != changes {
			t.Errorf("%s changes another prescription: %v, want %v", text, !changes, changes)
		}
		if counted := strings.Contains(results(t, s, prescriptions.Counting{})["transactions.csv"], "\n1,"); counted == changes {
			t.Errorf("%s counts: %v", text, counted)
		}
	}
	for _, one := range []struct {
		text  string
		opt   prescriptions.Options
		grams float64
	}{
		{"麻黄9g", prescriptions.Options{}, 9},
		{"麻黄9", prescriptions.Options{}, 0},
		{"麻黄9", prescriptions.Options{Grams: true}, 9},
		{"麻黄三钱", prescriptions.Options{}, 0},
		{"麻黄三錢", prescriptions.Options{Qian: 3.75}, 11.25},
		{"麻黄1两5钱", prescriptions.Options{Qian: 3}, 45},
		{"麻黄$15.0@g", prescriptions.Options{}, 15},
		{"大枣3枚", prescriptions.Options{Qian: 3, Grams: true}, 0},
	} {
		s := read(t, b, one.text+" 甘草\n", one.opt)
		if got := s.Prescriptions[0].Drugs[0].Grams; got < one.grams-1e-9 || got > one.grams+1e-9 {
			t.Errorf("%s has %g g, want %g", one.text, got, one.grams)
		}
	}
}

// sorted returns the letters and digits of a text in ascending order: a dose may stand behind a note.
func sorted(text string) string {
	all := []rune(words(text))
	slices.Sort(all)
	return string(all)
}

// words returns the letters and digits of a text.
func words(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// TestRelations makes random prescriptions of drugs and reads them: neither separators, doses, notes nor
// instructions change the drugs, and every word comes out.
func TestRelations(t *testing.T) {
	b := sample(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 51))
	drugs := []string{"麻黄", "桂枝", "甘草", "人参", "白术", "茯苓", "当归", "川芎", "半夏", "大枣", "生姜", "芍药", "黄芪", "附子", "知母", "石膏"}
	pick := func(all []string) string { return all[random.IntN(len(all))] }
	for range 300 {
		random.Shuffle(len(drugs), func(i, j int) { drugs[i], drugs[j] = drugs[j], drugs[i] })
		want := slices.Clone(drugs[:2+random.IntN(6)])
		separator := pick([]string{" ", "、", "，", "；", ", ", "  ", "。", "\t"})
		dose := pick([]string{"", "10g", "9克", "三钱", "2-3钱", "一两二钱半", "$15.0@g", "12", "各10g", "1.5～3克", "五錢", "等分"})
		if dose != "" && random.IntN(3) == 0 && dose != "12" && dose != "等分" {
			separator = ""
		}
		note := pick([]string{"", "（先煎）", "(去皮)", "（炮，去皮）"})
		end := pick([]string{"", " 水煎服", "；三付，九碗煮三碗", " 水煎服，每日一剂"})
		var parts []string
		for _, d := range want {
			parts = append(parts, d+dose+note)
		}
		text := strings.Join(parts, separator) + end
		s, err := b.Read(t.Context(), strings.NewReader("处方\n\""+text+"\"\n麻黄 桂枝\n"), prescriptions.Options{TextColumn: "处方"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		all := ""
		for _, d := range s.Prescriptions[0].Drugs {
			all += d.Written + d.Dose + d.Note
			if d.State == prescriptions.Sure {
				got = append(got, d.Written)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is read as %v, want %v", text, got, want)
		}
		if sorted(all) != sorted(text) {
			t.Errorf("the words of %q come out as %q", text, all)
		}
	}
}

// TestDecisions gives names.csv back: unchanged, nothing changes; with decisions, they count, and given
// back again, the files are the same.
func TestDecisions(t *testing.T) {
	b := sample(t)
	const text = "麻黄9g 木桶6g 甘草3g 嗄嗄5g\n人参10g 白术10g 甘草6g 生姜汁\n"
	again := func(names string) map[string]string {
		d, err := b.ReadDecisions(t.Context(), strings.NewReader(names), rows.ListOptions{})
		must(t, err)
		return results(t, read(t, b, text, prescriptions.Options{Decisions: d}), prescriptions.Counting{})
	}
	first := results(t, read(t, b, text, prescriptions.Options{}), prescriptions.Counting{})
	same := func(what string, one, other map[string]string) {
		t.Helper()
		for name := range one {
			if one[name] != other[name] {
				t.Errorf("%s: %s differs:\n%s\n%s", what, name, one[name], other[name])
			}
		}
	}
	same("unchanged names", first, again(first["names.csv"]))
	edited := strings.NewReplacer("木桶,,", "木桶,木通,", "白术,白术,", "白术,,", "嗄嗄,,notUnderstood", "嗄嗄,,instruction").Replace(first["names.csv"])
	second := again(edited)
	if !strings.Contains(second["transactions.csv"], "木通") || strings.Contains(second["transactions.csv"], "白术") {
		t.Errorf("the decisions do not count:\n%s", second["transactions.csv"])
	}
	if !strings.Contains(second["methods.txt"], "3 names were decided by hand") {
		t.Error(second["methods.txt"])
	}
	same("decided names", second, again(second["names.csv"]))
	_, err := b.ReadDecisions(t.Context(), strings.NewReader("written,standardName\n木桶,木桶桶\n"), rows.ListOptions{})
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a wrong name: %v", err)
	}
}

// TestUndecoded reads prescriptions with bytes that are in no encoding. Only the words with them are lost,
// and the rows are counted; decisions with them are refused.
func TestUndecoded(t *testing.T) {
	b := sample(t)
	s := read(t, b, "id,备注,处方\n1,\"复\xff诊\n\",麻黄9g 桂枝6g\n2,,人参10g 甘草6g,,\n3,,甘\xff6g 麻黄9g\n", prescriptions.Options{})
	got := fmt.Sprint(table(t, results(t, s, prescriptions.Counting{})["transactions.csv"]))
	want := "[map[drug:麻黄 prescription:1] map[drug:桂枝 prescription:1] map[drug:人参 prescription:2] map[drug:甘草 prescription:2] map[drug:麻黄 prescription:3]]"
	if s.Rows != 3 || s.Wrong != 0 || s.Undecoded != 2 || got != want {
		t.Errorf("%d rows, %d wrong, %d incomplete: %s, want %s", s.Rows, s.Wrong, s.Undecoded, got, want)
	}
	_, err := b.ReadDecisions(t.Context(), strings.NewReader("written,standardName\n木桶,木通\n麻\xff,麻黄\n"), rows.ListOptions{})
	if err == nil || !strings.Contains(err.Error(), "is not UTF-8") {
		t.Errorf("decisions with bytes that are no UTF-8: %v", err)
	}
}

// TestPlain reads the table that a page sends again: it is the same set, in every form.
func TestPlain(t *testing.T) {
	b := sample(t)
	for _, text := range []string{
		"麻黄9g 桂枝6g（去皮）木桶3g 水煎服\n同上方，加黄芪30g\n桂枝汤加葛根10g\n山楂 核10g、川 附子3枚\n",
		"id,药1,药2,药3\n甲,麻黄9g,桂枝,嗄嗄\n乙,人参10,白术,甘草\n丙,半夏,,\n",
		"id,药物,剂量\n1,麻黄,9\n1,桂枝,三钱\n2,人参,10g\n2,甘草（炙）,\n",
		"id,麻黄,桂枝,甘草,木桶\n1,1,1,0,1\n2,0,6,1,0\n",
	} {
		s := read(t, b, text, prescriptions.Options{})
		var plain bytes.Buffer
		must(t, s.Plain().Write(&plain))
		first, again := results(t, s, prescriptions.Counting{}), results(t, read(t, b, plain.String(), prescriptions.Options{}), prescriptions.Counting{})
		for name := range first {
			if first[name] != again[name] {
				t.Errorf("%s of\n%s\n%s\nis, read again,\n%s", name, text, first[name], again[name])
			}
		}
	}
}

// TestCountsOfPackage indexes the data package of prescriptions. Its patterns have the same numbers as the
// report.
func TestCountsOfPackage(t *testing.T) {
	b := sample(t)
	var text strings.Builder
	random := rand.New(rand.NewPCG(51, 51))
	drugs := []string{"麻黄", "桂枝", "炙甘草", "甘草", "人参", "炒白术", "白茯苓", "当归", "法半夏", "大枣", "生姜", "白芍", "黄耆", "石膏", "木桶", "阿胶", "桃仁"}
	for range 60 {
		random.Shuffle(len(drugs), func(i, j int) { drugs[i], drugs[j] = drugs[j], drugs[i] })
		fmt.Fprintln(&text, strings.Join(drugs[:3+random.IntN(6)], " "))
	}
	s := read(t, b, text.String(), prescriptions.Options{})
	dir := t.TempDir()
	for _, f := range s.Package() {
		var out bytes.Buffer
		must(t, f.Write(&out))
		must(t, os.WriteFile(filepath.Join(dir, f.Name), out.Bytes(), 0o644))
	}
	built, err := indextest.Run(t.Context(), t.TempDir(), dir)
	must(t, err)
	_, engine := open(t, built.Dir)
	r, err := s.Count(t.Context(), prescriptions.Counting{Apart: true})
	must(t, err)
	herbs, err := engine.Herbs(t.Context(), patterns.Question{})
	must(t, err)
	counts := func(rows []patterns.HerbCount) map[string]int32 {
		m := map[string]int32{}
		for _, h := range rows {
			m[h.Name] = h.Formulas
		}
		return m
	}
	if got, want := counts(herbs.Rows), counts(r.Herbs.Rows); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the package counts %v\nthe report %v", got, want)
	}
	pairs, err := engine.Pairs(t.Context(), patterns.Question{MinFormulas: patterns.LeastPaired(60)})
	must(t, err)
	list := func(all []patterns.Pair) (lines []string) {
		for _, p := range all {
			if p.Formulas > 0 {
				names := []string{p.X.Name, p.Y.Name}
				slices.Sort(names)
				lines = append(lines, fmt.Sprintf("%s %d %.6g %.6g", names, p.Formulas, p.P, p.Q))
			}
		}
		slices.Sort(lines)
		return lines
	}
	if got, want := list(pairs.Page(0, pairs.Total)), list(r.PairRows); !slices.Equal(got, want) || len(want) < 20 {
		t.Errorf("the pairs of the package are\n%v, those of the report\n%v", got, want)
	}
}

// TestNearest compares prescriptions with the formulas of the sample.
func TestNearest(t *testing.T) {
	b := sample(t)
	s := read(t, b, "桂枝三两 芍药三两 生姜三两 大枣十二枚 炙甘草二两\n桂枝 芍药 生姜 大枣 甘草 黄芪 防风\n桂枝 芍药 葛根\n", prescriptions.Options{})
	got := table(t, results(t, s, prescriptions.Counting{})["nearest.csv"])
	if got[0]["relation"] != "equals" || got[0]["formula"] != "桂枝汤" || got[0]["leftOut"] != "" || got[0]["year"] != "219" {
		t.Errorf("the drugs of 桂枝汤 are %v", got[0])
	}
	if got[1]["relation"] != "contains" || got[1]["added"] == "" || got[1]["leftOut"] != "" {
		t.Errorf("more drugs than those of 桂枝汤 are %v", got[1])
	}
	if got[2]["relation"] != "nearest" || got[2]["leftOut"] == "" {
		t.Errorf("some of its drugs are %v", got[2])
	}
}

// TestArules compares pairs.csv with the pairs that R finds in transactions.csv: those of the package
// arules, or of base R without it.
func TestArules(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("SKIPPED, NOT PASSED: there is no Rscript here")
	}
	b := sample(t)
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintln(&text, []string{"麻黄 桂枝 甘草", "人参 白术 甘草 茯苓", "桂枝 甘草 大枣", "当归 川芎"}[i%4])
	}
	files := results(t, read(t, b, text.String(), prescriptions.Options{}), prescriptions.Counting{})
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "transactions.csv"), []byte(files["transactions.csv"]), 0o644))
	script := `d <- read.csv("transactions.csv", fileEncoding = "UTF-8-BOM", colClasses = "character")
if (requireNamespace("arules", quietly = TRUE)) {
  s <- arules::apriori(as(split(d$drug, d$prescription), "transactions"), list(support = 1/40, minlen = 2, maxlen = 2, target = "frequent itemsets"), control = list(verbose = FALSE))
  for (i in seq_along(s)) cat(paste(sort(arules::LIST(arules::items(s))[[i]]), collapse = " "), arules::quality(s)$count[i], "\n")
} else {
  m <- table(d$prescription, d$drug); n <- crossprod(m > 0)
  for (x in rownames(n)) for (y in colnames(n)) if (x < y && n[x, y] > 0) cat(paste(sort(c(x, y)), collapse = " "), n[x, y], "\n")
}`
	cmd := exec.Command(r, "-e", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	must(t, err)
	normal := func(x, y, n string) string {
		names := []string{x, y}
		slices.Sort(names)
		return strings.Join(names, " ") + " " + n
	}
	var found, want []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		found = append(found, normal(f[0], f[1], f[2]))
	}
	for _, row := range table(t, files["pairs.csv"]) {
		want = append(want, normal(row["x"], row["y"], row["formulas"]))
	}
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) || len(want) < 8 {
		t.Errorf("R finds\n%v\npairs.csv has\n%v", found, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"麻黄9g 桂枝6g\n", "id,药,量\n1,麻黄,9g\n1,桂枝,\n2,甘草,3g\n", "id,麻黄,桂枝,甘草\n1,1,0,1\n", "加半夏\n同上方\n", "a\t\"b\n", "（（）$@，；\xff\n", "三钱半夏百合十枚\n"} {
		f.Add(s)
	}
	b := sample(f)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := b.Read(t.Context(), strings.NewReader(text), prescriptions.Options{})
		if err != nil {
			return
		}
		if s.Tally().Prescriptions == 0 {
			t.Errorf("%q is read without an error and a prescription", text)
		}
		if s.Form == prescriptions.TextForm && s.Labels == nil && s.Encoding == "UTF-8" && !strings.ContainsAny(text, "\ufeff\x00\ufffd") {
			all := ""
			for _, p := range s.Prescriptions {
				for _, d := range p.Drugs {
					all += d.Written + d.Dose + d.Note
				}
			}
			if len(words(all)) < len(words(text))/2 {
				t.Errorf("the words of %q come out as %q", text, all)
			}
		}
	})
}
