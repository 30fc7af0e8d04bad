package names_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bencao/names"
	"bencao/names/internal/answer"
)

// heldOut is an index of WCVP and the database without the names in missing and synonyms. Because
// the index lacks the database's synonyms, tests can compare the opinions of botanists in China
// with WCVP.
var heldOut = struct {
	once     sync.Once
	ix       *names.Index
	missing  []sample    // species that were left out of the index
	species  []chinaName // species of the database with their names
	synonyms []chinaName // synonyms in the database with their accepted names
	aliases  []chinaAlias
	err      error
}{}

// chinaName is a scientific name of the database and its accepted name.
type chinaName struct{ name, author, accepted, acceptedAuthor string }

// chinaAlias is another Chinese name of a species and the scientific name of the species.
type chinaAlias struct{ alias, accepted string }

func heldOutIndex(tb testing.TB) *names.Index {
	tb.Helper()
	dir := sharedDir(tb)
	if testing.Short() {
		tb.Skip("SKIPPED, NOT PASSED: building the index takes too long for -short")
	}
	heldOut.once.Do(func() {
		b := names.NewBuilder()
		if heldOut.err = addHeldOut(b, dir); heldOut.err != nil {
			return
		}
		var folder string
		if folder, heldOut.err = os.MkdirTemp("", "names"); heldOut.err != nil {
			return
		}
		file := filepath.Join(folder, "names.idx")
		if heldOut.err = b.WriteFile(file); heldOut.err != nil {
			return
		}
		if heldOut.ix, heldOut.err = names.Open(file); heldOut.err != nil {
			return
		}
		// On Unix, the index stays mapped although its file is removed.
		heldOut.err = os.RemoveAll(folder)
	})
	if heldOut.err != nil {
		tb.Fatalf("build the index without the names asked for: %v", heldOut.err)
	}
	return heldOut.ix
}

func addHeldOut(b *names.Builder, dir string) error {
	left := make(map[string]bool)
	n := 0
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	err := eachRow(filepath.Join(dir, "data", "wcvp.zip"), "wcvp_names.csv", '|', func(r map[string]string) error {
		st, _ := names.ParseStatus(r["taxon_status"])
		n++
		// Leave out every 60th species, and every species described since 2015.
		recent := strings.Trim(r["first_published"], "() ") >= "2015"
		if r["taxon_rank"] == "Species" && r["taxon_authors"] != "" && !strings.HasPrefix(r["taxon_authors"], "auct") && r["species_hybrid"] == "" && (recent || n%60 == 0) {
			heldOut.missing = append(heldOut.missing, sample{name: r["taxon_name"], author: r["taxon_authors"]})
			left[r["taxon_name"]] = true
			return nil
		}
		return c.Add(names.Usage{
			ID: r["plant_name_id"], AcceptedID: r["accepted_plant_name_id"], Name: r["taxon_name"], Author: r["taxon_authors"],
			Rank: r["taxon_rank"], Status: st, Family: r["family"], IPNIID: r["ipni_id"],
		})
	})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "data", "china-plants.zip")
	aliases := make(map[string][]names.RecordAlias)
	err = eachRow(file, "aliases.csv", ',', func(r map[string]string) error {
		aliases[r["species_id"]] = append(aliases[r["species_id"]], names.RecordAlias{Name: r["name"]})
		return nil
	})
	if err != nil {
		return err
	}
	accepted := make(map[string]sample)
	err = eachRow(file, "species.csv", ',', func(r map[string]string) error {
		id, err := strconv.Atoi(r["entry_id"])
		if err != nil || left[r["scientific_name"]] {
			return err
		}
		s := sample{name: r["scientific_name"], author: r["author"]}
		accepted[r["entry_id"]] = s
		heldOut.species = append(heldOut.species, chinaName{s.name, s.author, s.name, s.author})
		for _, a := range aliases[r["entry_id"]] {
			heldOut.aliases = append(heldOut.aliases, chinaAlias{a.Name, s.name})
		}
		return b.Record(names.Record{
			EntryID: int32(id), GUID: r["guid"], ChineseName: r["chinese_name"], Pinyin: r["chinese_name_pinyin"],
			ScientificName: s.name, Author: s.author, Rank: r["rank"], Family: r["family"], Aliases: aliases[r["entry_id"]],
		})
	})
	if err != nil {
		return err
	}
	return eachRow(file, "synonyms.csv", ',', func(r map[string]string) error {
		if a, ok := accepted[r["species_id"]]; ok && r["author"] != "" && !left[r["name"]] {
			heldOut.synonyms = append(heldOut.synonyms, chinaName{r["name"], r["author"], a.name, a.author})
		}
		return nil
	})
}

// TestMissingNames matches species that the checklists lack. Most were described recently, and many
// resemble an existing name. The answer should be empty or only the genus. A name that is a slip away
// and has another author may be offered at 0.65 or less.
func TestMissingNames(t *testing.T) {
	ix := heldOutIndex(t)
	for _, tt := range []struct {
		what   string
		author bool
		floor  float64
	}{
		{"with author", true, 0.98},
		{"without author", false, 0.965},
	} {
		asked, unmatched := 0, 0
		for _, s := range heldOut.missing {
			if hasName(ix, s.name) {
				continue // the checklists have a homonym of the missing name
			}
			author := ""
			if tt.author {
				author = s.author
			}
			asked++
			r := match(ix, s.name, author)
			if len(r.Results) == 0 || r.Results[0].MatchType == answer.MatchHigherRank || r.Results[0].AuthorMatch == answer.AuthorDiffers && r.Results[0].Score <= 0.65 {
				unmatched++
			} else if *showMisses {
				e := r.Results[0]
				t.Logf("%s %s: %s %s %s %.2f %v", s.name, author, e.MatchedName, e.MatchedAuthor, e.MatchType, e.Score, e.Flags)
			}
		}
		share := float64(unmatched) / float64(max(asked, 1))
		t.Logf("%s: %d of %d missing species are left unmatched, %.4f", tt.what, unmatched, asked, share)
		if asked < 5000 || share < tt.floor {
			t.Errorf("%s: %d of %d missing species are left unmatched, %.4f; the floor is %.3f, -misses shows the others", tt.what, unmatched, asked, share, tt.floor)
		}
	}
}
