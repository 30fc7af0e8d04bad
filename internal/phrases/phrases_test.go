package phrases_test

import (
	"slices"
	"testing"

	"bencao/internal/phrases"
)

func TestRead(t *testing.T) {
	got, err := phrases.Read("a.txt", []byte("# for people\nspecies\n\t物种\n\n%d of %d\n\t共 %[2]d，列出 %[1]d\n"))
	if err != nil || len(got) != 2 || got["species"] != "物种" {
		t.Errorf("read %q, %v", got, err)
	}
	for _, wrong := range []string{"species\n", "\t物种\n", "species\npapers\n\t文献\n", "species\n\t物种\nspecies\n\t种\n", "species\n\t物种\n\t种\n"} {
		if got, err := phrases.Read("a.txt", []byte(wrong)); err == nil {
			t.Errorf("%q is read as %q, want an error", wrong, got)
		}
	}
	if got := phrases.OneLine(" Search\nthe snapshot, \tas it is\n"); got != "Search the snapshot, as it is" {
		t.Errorf("one line: %q", got)
	}
}

func TestVerbs(t *testing.T) {
	for format, want := range map[string][]string{
		"%d of %d, 100 %%": {"1d", "2d"},
		"%[2]s %[1]q":      {"1q", "2s"},
		"%-12s%04o":        {"1s", "2o"},
		"nothing":          nil,
	} {
		if got := phrases.Verbs(format); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", format, got, want)
		}
	}
}

func TestMessages(t *testing.T) {
	m := phrases.Catalogue{
		"%s is %q; use %s":                  "%s 为 %q；请用 %s",
		"%s has no flag --%s; %sit has %s":  "%s 没有选项 --%s；%s有 %s",
		"did you mean %q?":                  "是否想用 %q？",
		"row %d of %d: %w":                  "共 %[2]d 行，第 %[1]d 行：%[3]s",
		"is blank":                          "是空的",
		"data folder %s: %w; see %s":        "数据文件夹 %s：%s；见 %s",
		"no such file or directory":         "没有这样的文件或文件夹",
		"export to %s: the file %w, or not": "%s：%s",
	}.Messages()
	for english, want := range map[string]string{
		`limit is "x: y"; use 1`: `limit 为 "x: y"；请用 1`,
		`bencao match has no flag --colum; did you mean "column"? it has --a, --b`: `bencao match 没有选项 --colum；是否想用 "column"？有 --a, --b`,
		"bencao x has no flag --y; it has --a":                                     "bencao x 没有选项 --y；有 --a",
		"list.csv: row 3 of 9: is blank":                                           "list.csv: 共 9 行，第 3 行：是空的",
		"data folder /x: no such file or directory; see that":                      "数据文件夹 /x：没有这样的文件或文件夹；见 that",
		"what nobody knows: is blank\nis blank":                                    "what nobody knows: 是空的\n是空的",
		"what nobody: knows":                                                       "what nobody: knows",
		"row x of 9: is blank":                                                     "row x of 9: 是空的",
		"":                                                                         "",
	} {
		if got := m.Translate(english); got != want {
			t.Errorf("%q is said as %q, want %q", english, got, want)
		}
	}
}
