package dwca_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"bencao/indexer/archive"
	"bencao/indexer/checklist"
	"bencao/indexer/dwca"
	"bencao/indexer/finding"
	"bencao/indexer/wcvp"
	"bencao/internal/test/checklisttest"
	"bencao/internal/test/testkit"
	"bencao/names"

	"github.com/google/go-cmp/cmp"
)

// kewMeta describes the Darwin Core Archive of WCVP.
const kewMeta = `<archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
<core encoding="UTF-8" fieldsTerminatedBy="|" linesTerminatedBy="\n" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Taxon">
<files><location>wcvp_taxon.csv</location></files><id index="0"/>
<field index="0" term="http://rs.tdwg.org/dwc/terms/taxonID"/><field index="1" term="http://rs.tdwg.org/dwc/terms/family"/>
<field index="2" term="http://rs.tdwg.org/dwc/terms/scientificName"/><field index="3" term="http://rs.tdwg.org/dwc/terms/scientificNameAuthorship"/>
<field index="4" term="http://rs.tdwg.org/dwc/terms/taxonRank"/><field index="5" term="http://rs.tdwg.org/dwc/terms/taxonomicStatus"/>
<field index="6" term="http://rs.tdwg.org/dwc/terms/acceptedNameUsageID"/><field index="7" term="http://rs.tdwg.org/dwc/terms/originalNameUsageID"/>
<field index="8" term="http://rs.tdwg.org/dwc/terms/namePublishedIn"/><field index="9" term="http://rs.tdwg.org/dwc/terms/nomenclaturalStatus"/>
<field index="10" term="http://rs.tdwg.org/dwc/terms/taxonRemarks"/><field index="11" term="http://rs.tdwg.org/dwc/terms/scientificNameID"/>
<field index="12" term="http://rs.tdwg.org/dwc/terms/dynamicProperties"/></core>
<extension encoding="UTF-8" fieldsTerminatedBy="|" linesTerminatedBy="\n" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="http://rs.gbif.org/terms/1.0/Distribution">
<files><location>wcvp_distribution.csv</location></files><coreid index="0"/>
<field index="1" term="http://rs.tdwg.org/dwc/terms/locality"/><field index="2" term="http://rs.tdwg.org/dwc/terms/establishmentMeans"/>
<field index="3" term="http://rs.tdwg.org/dwc/terms/locationID"/><field index="4" term="http://rs.tdwg.org/dwc/terms/occurrenceStatus"/>
<field index="5" term="http://iucn.org/terms/threatStatus"/></extension></archive>`

// TestFormsOfWCVP reads the names and places of WCVP in both of its published forms, which say the same.
func TestFormsOfWCVP(t *testing.T) {
	src, err := archive.FromFS("wcvp", os.DirFS("../sample/checklists/wcvp"), archive.Limits{})
	testkit.Must(t, err)
	one, err := wcvp.Open(src)
	testkit.Must(t, err)
	usages, places := readAll(t, one)
	// Marks that the sample's rows lack.
	places[0].Status, places[1].Status, places[2].Introduced, places[2].Status = checklist.Doubtful, checklist.Extinct, true, checklist.Extinct

	taxa := []string{"taxonid|family|scientfiicname|scientfiicnameauthorship|taxonrank|taxonomicstatus|acceptednameusageid|originalnameusageid|namepublishedin|nomenclaturalstatus|taxonremarks|scientificnameid|dynamicproperties"}
	for _, u := range usages {
		more, err := json.Marshal(map[string]string{"lifeform": u.LifeForm, "climate": u.Climate, "homotypicsynonym": map[bool]string{true: "T"}[u.Homotypic], "hybridformula": u.HybridFormula, "reviewed": u.Reviewed})
		testkit.Must(t, err)
		published, ipni := u.Publication, ""
		if u.Published != "" {
			published += " (" + u.Published + ")"
		}
		if u.IPNIID != "" {
			ipni = "ipni:" + u.IPNIID
		}
		taxa = append(taxa, strings.Join([]string{u.ID, u.Family, u.Name, u.Author, u.Rank, string(u.Status), u.AcceptedID, u.BasionymID, published, u.Remarks, u.Area, ipni, string(more)}, "|"))
	}
	rows := []string{"coreid|locality|establishmentmeans|locationid|occurrencestatus|threatstatus"}
	for _, p := range places {
		how, status, threat := "", "", ""
		if p.Introduced {
			how = "introduced"
		}
		switch p.Status {
		case checklist.Doubtful:
			status = "doubtful"
		case checklist.Extinct:
			threat = "Extinct"
		}
		rows = append(rows, strings.Join([]string{p.ID, p.Name, how, "TDWG:" + p.Code, status, threat}, "|"))
	}
	two, err := dwca.Open(checklisttest.Archive(t, "wcvp", map[string]string{
		"meta.xml": kewMeta, "eml.xml": `<eml packageId="x/v14"><dataset><title>The World Checklist of Vascular Plants (WCVP)</title></dataset></eml>`,
		"wcvp_taxon.csv": strings.Join(taxa, "\n") + "\n", "wcvp_distribution.csv": strings.Join(rows, "\n") + "\n",
	}))
	testkit.Must(t, err)
	if two.Meta().Source != names.SourceWCVP {
		t.Errorf("the source of the archive is %q, want WCVP", two.Meta().Source)
	}
	if files := two.Files(); len(files) != 2 {
		t.Errorf("the archive has %d files to check, want the names and the places", len(files))
	}
	same, grows := readAll(t, two)
	for i := range grows {
		grows[i].Code = strings.TrimPrefix(grows[i].Code, "TDWG:")
	}
	if diff := cmp.Diff(usages, same); diff != "" {
		t.Errorf("names (-table +archive):\n%.3000s", diff)
	}
	if diff := cmp.Diff(places, grows); diff != "" {
		t.Errorf("places (-table +archive):\n%.3000s", diff)
	}
}

// readAll reads the names and the places of a list.
func readAll(t *testing.T, l interface {
	checklisttest.List
	checklisttest.Places
}) (usages []names.Usage, places []checklist.Place) {
	t.Helper()
	var log finding.Log
	for u, err := range l.Names(t.Context(), "list", &log) {
		testkit.Must(t, err)
		usages = append(usages, u)
	}
	for p, err := range l.Places(t.Context(), "list", &log) {
		testkit.Must(t, err)
		places = append(places, p)
	}
	if len(usages) < 1000 || len(places) < 500 {
		t.Errorf("%d names and %d places, want 1,000 and 500 or more", len(usages), len(places))
	}
	return usages, places
}
