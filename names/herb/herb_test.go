package herb_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bencao/names/herb"
)

// TestFiles checks that every herb is found by each of its Chinese names, and by each of its Latin
// names in both word orders.
func TestFiles(t *testing.T) {
	kinds := map[herb.Kind]int{}
	seen := map[string]bool{}
	for _, d := range herb.All() {
		kinds[d.Kind]++
		if seen[d.Name] {
			t.Errorf("%s is in the files twice; merge the two lines", d.Name)
		}
		seen[d.Name] = true
		if !finds(herb.Lookup(d.Name), d) {
			t.Errorf("%s is not found by its name", d.Name)
		}
		for _, l := range d.Latin {
			if !finds(herb.LookupLatin(l), d) {
				t.Errorf("%s is not found by %s", d.Name, l)
			}
			old := oldOrder(l)
			if !finds(herb.LookupLatin(old), d) {
				t.Errorf("%s is not found by %s", d.Name, old)
			}
			if !herb.MayBeLatin(l) || !herb.MayBeLatin(old) {
				t.Errorf("%s: MayBeLatin does not know %s, or %s", d.Name, l, old)
			}
		}
		if d.IsPlant() && len(d.Species) == 0 {
			t.Errorf("%s is a plant without species", d.Name)
		}
		for _, s := range d.Species {
			if words := strings.Fields(s.Names[0]); d.IsPlant() && len(words) < 2 {
				t.Errorf("%s: %q is no species", d.Name, s.Names[0])
			}
		}
	}
	t.Log(len(seen), "drugs:", kinds)
	if n := kinds[herb.Animal] + kinds[herb.Mineral] + kinds[herb.Fungus] + kinds[herb.Other]; n < 150 {
		t.Errorf("%d drugs that are no plants, want 150", n)
	}
}

func finds(found []herb.Match, d *herb.Herb) bool {
	return slices.ContainsFunc(found, func(f herb.Match) bool { return f.Herb == d })
}

// oldOrder moves the first part to the front of a Latin name. This was the word order before 2010.
func oldOrder(name string) string {
	words := strings.Fields(name)
	for i := range words {
		if l, _ := herb.ParseLatin(words[i]); len(l.Parts) > 0 {
			return strings.Join(append(append([]string{}, words[i:]...), words[:i]...), " ")
		}
	}
	return name
}

// TestNominatives checks that the rules find the species without the table if the Latin name of a
// herb has the epithet.
func TestNominatives(t *testing.T) {
	known := map[string]bool{}
	for _, d := range herb.All() {
		for _, s := range d.Species {
			for _, n := range s.Names {
				if !d.IsPlant() {
					continue
				}
				words := strings.Fields(strings.ToLower(strings.ReplaceAll(n, "× ", "")))
				known[words[0]] = true
				known[strings.Join(words[:min(2, len(words))], " ")] = true
			}
		}
	}
	for _, tt := range []struct{ latin, want string }{
		{"Salviae Miltiorrhizae Radix et Rhizoma", "salvia miltiorrhiza"},
		{"Rhizoma Atractylodis Macrocephalae", "atractylodes macrocephala"},
		{"Coptidis Rhizoma", "coptis"},
		{"Plantaginis Semen", "plantago"},
		{"Achyranthis Bidentatae Radix", "achyranthes bidentata"},
		{"Nelumbinis Folium", "nelumbo"},
		{"Nardostachyos Radix et Rhizoma", "nardostachys"},
		{"Phellodendri Amurensis Cortex", "phellodendron amurense"},
		{"Santali Albi Lignum", "santalum album"},
		{"Radix Panacis Ginseng", "panax ginseng"},
		{"Herba Erodii seu Geranii", "erodium geranium"},
		{"Smilacis Glabrae Rhizoma", "smilax glabra"},
		{"Erigerontis Herba", "erigeron"},
		{"Juglandis Semen", "juglans"},
		{"Impatientis Semen", "impatiens"},
		{"Paeoniae Radix Alba", "paeonia"}, // alba describes the root
		{"Moschi Radix", ""},
	} {
		l, ok := herb.ParseLatin(tt.latin)
		if got := strings.Join(l.Nominatives(func(s string) bool { return known[s] }), " "); !ok || got != tt.want {
			t.Errorf("%s: %q (%v), want %q", tt.latin, got, ok, tt.want)
		}
	}
}

// TestLookup checks the base, the processing and the parts of Chinese names.
func TestLookup(t *testing.T) {
	for _, tt := range []struct{ name, herb, base, processing, parts string }{
		{"炙甘草", "炙甘草", "炙甘草", "", ""}, // the table has the whole name
		{"蜜炙枇杷叶", "枇杷叶", "枇杷叶", "蜜炙", ""},
		{"酒大黄", "大黄", "大黄", "酒", ""},
		{"薄荷叶", "薄荷", "薄荷叶", "", ""},
		{"杜仲炭", "杜仲", "杜仲", "炭", ""},
		{"醋延胡索", "延胡索", "延胡索", "醋", ""},
		{"黄芪（蜜炙）", "黄芪", "黄芪", "蜜炙", ""},
		{"生薑", "生姜", "生姜", "", ""},
		{"何首烏藤", "首乌藤", "何首乌藤", "", ""},
		{"麻黄茎", "麻黄", "麻黄", "", "茎"},
		{"盐杜仲叶", "杜仲叶", "杜仲叶", "盐", ""},
		{"醋五灵脂", "五灵脂", "五灵脂", "醋", ""},
		{"煅金礞石粉", "金礞石", "金礞石", "煅 粉", ""},
		{"盐黄柏", "黄柏", "黄柏", "盐", ""},
		{"制附子", "附子", "附子", "制", ""},
		{"人参果", "", "", "", ""},
		{"丁香花", "", "", "", ""},
		{"花", "", "", "", ""},
	} {
		found := herb.Lookup(tt.name)
		if tt.herb == "" {
			if len(found) > 0 {
				t.Errorf("%s: %s, want none", tt.name, found[0].Name)
			}
			continue
		}
		if len(found) == 0 {
			t.Errorf("%s: none, want %s", tt.name, tt.herb)
			continue
		}
		f := found[0]
		if f.Name != tt.herb || f.Reading.Base != tt.base || strings.Join(f.Reading.Processing, " ") != tt.processing || strings.Join(f.Reading.Parts, " ") != tt.parts {
			t.Errorf("%s: %s, %+v, want %+v", tt.name, f.Name, f.Reading, tt)
		}
	}
}

// TestParseLatin checks that ParseLatin accepts names of herbs and rejects texts that only look
// like one.
func TestParseLatin(t *testing.T) {
	for text, want := range map[string]bool{
		"Coptidis Rhizoma":                         true,
		"Rad. et Rhiz. Rhei":                       true,
		"Salviae Miltiorrhizae Rad. Praeparata":    true,
		"Ephedrae Herb. Praeparata":                true,
		"Coptis chinensis":                         false,
		"Ephedrae Herb.":                           true,
		"Zephyranthes filifolia Herb. ex Kraenzl.": false, // Herb. is the author William Herbert, not herba
		"Zephyranthes filifolia Herb.":             false,
	} {
		if _, got := herb.ParseLatin(text); got != want {
			t.Errorf("ParseLatin(%q): %v, want %v", text, got, want)
		}
	}
}

func TestCutEnglish(t *testing.T) {
	for _, tt := range []struct{ text, rest, parts string }{
		{"Panax ginseng root extract", "Panax ginseng", "root extract"},
		{"Panax ginseng C.A.Mey. rhizome", "Panax ginseng C.A.Mey.", "rhizome"},
		{"Quercus alba", "Quercus alba", ""},
		{"root", "root", ""},
	} {
		if rest, parts := herb.CutEnglish(tt.text); rest != tt.rest || strings.Join(parts, " ") != tt.parts {
			t.Errorf("%q: %q, %q, want %q, %q", tt.text, rest, parts, tt.rest, tt.parts)
		}
	}
}

// FuzzReadings checks the readings of any text. A base and the words that were removed from it have
// together at most the length of the text. All readings differ. A second call gives the same
// readings.
func FuzzReadings(f *testing.F) {
	for _, s := range []string{"炙甘草", "何首乌藤", "酒酒酒酒大黄炭炭炭", "生姜", "", "[艹／洽]草片", "\xff炭"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		seen := map[string]bool{}
		for _, r := range herb.Readings(s) {
			if r.Base == "" || seen[r.Base] {
				t.Errorf("%q: base %q is empty or comes twice", s, r.Base)
			}
			seen[r.Base] = true
		}
		herb.Lookup(s)
	})
}

// FuzzParseLatin checks the result for any text. Every word belongs to the stem, the parts or the
// qualities, and parsing the name again gives the same name.
func FuzzParseLatin(f *testing.F) {
	for _, s := range []string{"Coptidis Rhizoma", "Radix et Rhizoma Ginseng", "Mantidis Oötheca", "Herba Erodii seu Geranii", "", "a b c", "\xff Radix", "HerB. AAA", "Ephedrae Herb.", "Coptidis Rhizoma.", "Moschus", "Ginseng Rad. Rubra"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := herb.ParseLatin(s)
		if (ok || len(n.Lookup()) > 0) && !herb.MayBeLatin(s) {
			t.Errorf("%q: MayBeLatin does not know it", s)
		}
		if !ok {
			return
		}
		if !herb.HasPart(strings.Join(n.Parts, " ")) {
			t.Errorf("%q: HasPart does not know %q", s, n.Parts)
		}
		again, ok := herb.ParseLatin(strings.Join(slices.Concat(n.Parts, n.Stem, n.Qualities), " "))
		if !ok || !slices.Equal(again.Stem, n.Stem) || !slices.Equal(again.Parts, n.Parts) {
			t.Errorf("%q: %+v, read again %+v", s, n, again)
		}
		n.Nominatives(func(name string) bool { return name != "" })
		herb.LookupLatin(s)
	})
}

func TestIsNonPlantGenus(t *testing.T) {
	for genus, want := range map[string]bool{"laminaria": true, "poria": true, "cervus": true, "panax": false, "": false} {
		if got := herb.IsNonPlantGenus([]byte(genus)); got != want {
			t.Errorf("IsNonPlantGenus(%q) = %v, want %v", genus, got, want)
		}
	}
}

// TestLooksLikeHerb checks that LooksLikeHerb accepts names that no table has and rejects fragments
// of sentences.
func TestLooksLikeHerb(t *testing.T) {
	for _, name := range []string{"当归", "炙甘草", "榉皮", "石三棱", "鲫鱼胆", "葫芦皮", "萝菔汁", "悬钩根", "青橘"} {
		if !herb.LooksLikeHerb(name) {
			t.Errorf("%s is no drug", name)
		}
	}
	for _, words := range []string{"充皮肤", "肥腠理", "甘温", "去桂心", "故用参", "肺主气", "桐子大", "炼蜜丸", "日三", "等分", "去皮尖", "焙干", "养血", "", "皮", "Panax"} {
		if herb.LooksLikeHerb(words) {
			t.Errorf("%q is a drug", words)
		}
	}
}

// TestWordsHaveKnownKinds checks that each line of processing.txt has a kind that its head describes: a
// misspelt kind has no effect.
func TestWordsHaveKnownKinds(t *testing.T) {
	text, err := os.ReadFile("processing.txt")
	if err != nil {
		t.Fatal(err)
	}
	head, lines, _ := strings.Cut(string(text), "\n\n")
	for line := range strings.Lines(lines) {
		kind, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind != "#" && !regexp.MustCompile(`(?m)^#   (\S+, )*`+regexp.QuoteMeta(kind)+`[ ,]`).MatchString(head) {
			t.Errorf("%q has a kind that the head of the file does not describe", line)
		}
		if kind != "#" && herb.Words(kind) == nil {
			t.Errorf("no words of the kind %s", kind)
		}
	}
}
