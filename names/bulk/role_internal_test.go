package bulk

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"bencao/internal/test/testkit"
	"bencao/names"
)

// tablesOf has tables in which a header may decide, by its role. The sign ~ stands for the header; other
// headers say nothing.
var tablesOf = [numRoles][]string{
	roleName: {
		"x1,~\nPinus sylvestris,Poa annua\nPoa annua,Pinus sylvestris\n", // two columns of names
		"x1,~\nBryum argenteum,Funaria hygrometrica\nFunaria hygrometrica,Bryum argenteum\n",
		"x1,~\n油松,三七\n丹参,人参\n",
		"x1,~\n早熟禾,真藓\n燕麦,葫芦藓\n",                             // that nothing knows
		"~,example\nPinus,Pinus sylvestris\nPoa,Poa annua\n", // genera
		"~\nPoa annua\n",
		"~,x1\nPoa annua,3\n",
		"genus,species,~\nPinus,sylvestris,Poa annua\nPoa,annua,Pinus sylvestris\n",
		"~,x1\nmanzano,3\nciruelo,4\n",
	},
	roleAuthor: {
		"taxon,x1,~\nPoa annua,3,L.\n",
		"taxon,x1,~\nBryum argenteum,3,Hedw.\nFunaria hygrometrica,4,Hedw.\n",
		"taxon,~\nBryum argenteum,Hedwig\nFunaria hygrometrica,Hedwig\n",
	},
	roleFamily: {
		"taxon,x1,~\nPoa annua,Gramineae,Poaceae\nPinus sylvestris,Pinaceae,Pinaceae\n",
		"taxon,x1,~\nPoa annua,禾本科,禾本科\nPinus sylvestris,松科,松科\n",
		"taxon,~\nBryum argenteum,mosses\nFunaria hygrometrica,mosses\n",
		"taxon,~\nBryum argenteum,\nFunaria hygrometrica,Bryaceae\nFunaria hygrometrica,shrub\n",
	},
	roleChinese: {
		"taxon,x1,~\nBryum argenteum,苔藓,真藓\nFunaria hygrometrica,苔藓,葫芦藓\n",
		"taxon,x1,~\nPinus tabuliformis,丹参,油松\nSalvia miltiorrhiza,油松,丹参\n",
		"taxon,~\nPoa annua,早熟禾\nPinus sylvestris,欧洲赤松\nAcer palmatum,鸡爪槭\nPinus sylvestris,樟子松\n",
	},
	roleGenus: {
		"x1,~,species\nPoa,Pinus,sylvestris\nPinus,Poa,annua\n",
		"~,species\nBryum,argenteum\nFunaria,hygrometrica\n",
		"~,x1\nBryum,argenteum\nFunaria,hygrometrica\n",
		"~,x1\nPinus,sylvestris\n",
		"~,species\nThuidium,abietinum\nPohlia,nutans\nMnium,hornum\n",
		"~,x1\nPohlia,nutans\nOedipodium,griffithianum\n",
		"~,x1\nAjania,nutans\nGinkgo,biloba\nVallea,stipularis\n",
	},
	roleEpithet: {
		"genus,x1,~\nPinus,alba,sylvestris\nPoa,minor,annua\n",
		"genus,~\nBryum,argenteum\nFunaria,hygrometrica\n",
		"genus,~\nCampylopus,introflexus\nPohlia,wahlenbergii\n",
		"genus,~\nPinus,sylvestris\n",
		"genus,~\nViola,tricolor\nPlantago,major\nBryum,bicolor\n",
		"x1,~\nBryum,argenteum\nFunaria,hygrometrica\n",
		"~,x1\nargenteum,Bryum\nhygrometrica,Funaria\n",
		"x1,~\nBryum,bicolor\nPlantago,major\n",
		"genus,~\nBryum,\nPlantago,\n",
		"genus,x1,~\nBryum,vulgaris,argenteum\nFunaria,minor,hygrometrica\n",
	},
	roleRank: {
		"genus,species,x1,~,subspecies\nPinus,sylvestris,var.,subsp.,mongolica\nPoa,annua,,,\n",
		"genus,species,~,infraspecificEpithet\nPinus,sylvestris,variety,mongolica\nPoa,annua,species,\n",
		"genus,species,infraspecificEpithet,~\nPinus,sylvestris,mongolica,variety\nPoa,annua,,species\nPoa,annua,,species\nPoa,annua,,species\n",
	},
	roleInfraspecific: {
		"genus,species,x1,~\nPinus,sylvestris,alba,mongolica\nPoa,annua,,minor\n",
		"genus,species,~\nBryum,argenteum,lanatum\nFunaria,hygrometrica,\n",
		"genus,species,~\nPoa,annua,raniglumis\nPinus,sylvestris,\n",
	},
	roleBelowAuthor: {
		"genus,species,author,infraspecificEpithet,x1,~\nPinus,sylvestris,L.,mongolica,a,Litv.\nPoa,annua,L.,,,\n",
		"genus,species,infraspecificEpithet,~\nPinus,sylvestris,mongolica,Litv.\nPoa,annua,,\n",
	},
	roleQualifier: {
		"scientificName,~\nPoa annua,cf.\nAcer palmatum,x\nPinus sylvestris,y\n",
		"~,scientificName\n,Poa annua\n?,Acer palmatum\nx,Acer palmatum\n",
	},
	roleKingdom: {
		"scientificName,~\nPoa annua,Plantae\nAcer palmatum,Gewächse\nPinus sylvestris,Pflanzen\n",
	},
}

// TestHeaderWords matches a table with each usual header of a role, and with each word of headers, and
// again without the word in the list. Each must change an answer.
func TestHeaderWords(t *testing.T) {
	defer func(was [numRoles][]string) { usual = was }(usual)
	for _, r := range []role{roleSubspecies, roleVariety, roleForm} {
		tablesOf[r] = tablesOf[roleInfraspecific]
	}
	b := names.NewBuilder()
	c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "test"})
	for i, u := range []names.Usage{
		{Name: "Poa", Author: "L.", Rank: "Genus", Family: "Poaceae"}, {Name: "Poa annua", Author: "L.", Family: "Poaceae"},
		{Name: "Pinus", Author: "L.", Rank: "Genus", Family: "Pinaceae"}, {Name: "Pinus sylvestris", Author: "L.", Family: "Pinaceae"}, {Name: "Pinus tabuliformis", Author: "Carrière", Family: "Pinaceae"},
		{Name: "Acer palmatum", Author: "Thunb.", Family: "Sapindaceae"}, {Name: "Salvia miltiorrhiza", Author: "Bunge", Family: "Lamiaceae"},
		{Name: "Pinus sylvestris var. mongolica", Author: "Litv.", Rank: "Variety", Family: "Pinaceae"},
	} {
		u.ID, u.Status, u.Rank = fmt.Sprint(i+1), names.Accepted, cmp.Or(u.Rank, "Species")
		testkit.Must(t, c.Add(u))
	}
	for i, r := range []names.Record{{ChineseName: "油松", ScientificName: "Pinus tabuliformis"}, {ChineseName: "丹参", ScientificName: "Salvia miltiorrhiza"}} {
		r.EntryID, r.Rank = int32(i+1), "species"
		testkit.Must(t, b.Record(r))
	}
	path := t.TempDir() + "/names.idx"
	err := b.WriteFile(path)
	testkit.Must(t, err)
	ix, err := names.Open(path)
	testkit.Must(t, err)
	defer ix.Close()
	run := func(r role, h string) (out string) {
		for _, table := range tablesOf[r] {
			stats, err := Run(t.Context(), MatchEach(ix.Match), strings.NewReader(strings.Replace(table, "~", h, 1)), io.Discard, Options{})
			stats.Taken.ByCells = nil
			out += fmt.Sprintf("%+v %d %v\n", stats.Taken, stats.Rows, err)
		}
		return out
	}
	for r := range usual {
		all := usual[r]
		for i, h := range all {
			with := run(role(r), h)
			usual[r] = slices.Delete(slices.Clone(all), i, i+1)
			if run(role(r), h) == with {
				t.Errorf("the header %s of role %d changes nothing", h, r)
			}
			usual[r] = all
		}
	}
	all := nameWords
	defer func() { nameWords = all }()
	for i, w := range all {
		nameWords = all
		with := run(roleName, w.word+" q")
		nameWords = slices.Delete(slices.Clone(all), i, i+1)
		if run(roleName, w.word+" q") == with {
			t.Errorf("the word %s of headers changes nothing", w.word)
		}
	}
}
