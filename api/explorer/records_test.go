package explorer_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"bencao/api/access"
)

// inOrder checks that the texts occur in a page in the given order.
func inOrder(t *testing.T, path, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, rest, ok := strings.Cut(body, text)
		if !ok {
			t.Errorf("%s lacks %q, or has it in another place", path, text)
			return
		}
		body = rest
	}
}

// TestOldestFirst checks that lists of formulas have the order that their heading names: the oldest
// first.
func TestOldestFirst(t *testing.T) {
	s := start(t, config{})
	herb, species := "/herbs/"+ginsengHerb, "/species/"+ginseng
	inOrder(t, herb, s.page(t, herb).body, "The oldest", `<span class="num sub">219</span>`, `<span class="num sub">652</span>`, "独参汤")
	inOrder(t, species, s.page(t, species).body, "the oldest first", "伤寒论", "备急千金要方", "十药神书")
}

// TestShareOfDynasty checks that charts show which share of a dynasty's formulas contains a herb,
// and not how many of them.
func TestShareOfDynasty(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/herbs/"+ginsengHerb, "<b>100 %</b> <span class=\"sub\">1 of 1</span>")
}

// TestDosesThatAreNoWeights checks that a dose that is not a weight is shown as text and gets no
// colour.
func TestDosesThatAreNoWeights(t *testing.T) {
	s := start(t, config{})
	s.page(t, "/formulas/"+guizhiTang, `<td class="c ku"><span lang="zh-Hans" class="do">十二枚</span>`, `<td class="c k5"><span lang="zh-Hans" class="do">三两</span>`, "no weight")
}

// TestHerbsOfFormula checks that ingredients, also processed ones, link to their herbs and have
// pinyin for users who do not read Chinese.
func TestHerbsOfFormula(t *testing.T) {
	s := start(t, config{})
	english := s.page(t, "/formulas/"+guizhiTang, `href="/herbs/`+ginsengHerb+`"`, `href="/herbs/6c259b2c-f365-59f7-a694-c86e85eb9beb"`, `<rt lang="zh-Latn-pinyin">rén shēn</rt>`)
	if strings.Contains(s.page(t, "/formulas/"+guizhiTang+"?lang=zh").body, "rén shēn") {
		t.Error("a Chinese table has pinyin")
	}
	if !strings.Contains(english.body, "not advice for use") {
		t.Error("nothing says that this is a record")
	}
}

// TestPreparation checks that the page of a formula shows how it is prepared, also to visitors who may
// not see its ingredients, and that nothing is said of formulas without such a text.
func TestPreparation(t *testing.T) {
	const other = "/formulas/9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02"
	s := start(t, config{limited: true, scopes: access.Prescriptions})
	once := s.page(t, "/formulas/"+guizhiTang, `<h3>Preparation and use</h3><blockquote class="verb verb--2" lang="zh-Hans">以水七升，煮取三升<span class="dz">（去滓）</span></blockquote>`)
	if n := strings.Count(once.body, "以水七升"); n != 1 {
		t.Errorf("the page has the text %d times, want once", n)
	}
	s.page(t, "/formulas/"+guizhiTang+"?lang=zh", "<h3>制法与服法</h3>")
	if body := s.page(t, other).body; strings.Contains(body, "Preparation and use") {
		t.Error("a formula without a text on its preparation has the heading")
	}
}

// TestHerbPage checks that the page of a herb has notes where its data may mislead.
func TestHerbPage(t *testing.T) {
	s := start(t, config{})
	a := s.page(t, "/herbs/"+ginsengHerb, `<span class="drug" lang="la">Ginseng Radix et Rhizoma</span>`, "too few to say which herbs often occur together")
	if regexp.MustCompile(`×\d`).MatchString(a.body) {
		t.Error("three formulas say what belongs together")
	}
	s.page(t, "/species/"+ginseng, "Formulas name drugs, not plants")
}

// TestMergedHerb requests the page of a herb that was merged into a herb. It must redirect to the
// page of the herb, in both languages and as JSON.
func TestMergedHerb(t *testing.T) {
	const herb = "/herbs/6c259b2c-f365-59f7-a694-c86e85eb9beb"
	s := start(t, config{})
	for query, text := range map[string]string{"": `<html lang="en"`, "?lang=zh": `<html lang="zh`} {
		a := s.get(t, "/herbs/"+mergedHerb+query)
		if to := a.header.Get("Location"); a.status != http.StatusMovedPermanently || to != herb+query {
			t.Errorf("%q: %d to %s, want 301 to %s", query, a.status, to, herb+query)
		}
		s.page(t, herb+query, "甘草", text)
	}
	if a := s.get(t, "/herbs/"+mergedHerb, "Accept-Language", "zh-CN"); a.status != http.StatusMovedPermanently || a.header.Get("Location") != herb {
		t.Errorf("for a Chinese browser: %d to %s", a.status, a.header.Get("Location"))
	}
	a := s.get(t, "/herbs/"+mergedHerb, "Accept", "application/json")
	if a.status != http.StatusOK || !strings.Contains(a.body, `"aliasOf":{"id":"6c259b2c`) {
		t.Errorf("%d %.300s", a.status, a.body)
	}
}

// TestCompare checks that formulas can be added by name and removed, and that their herbs are
// counted and linked.
func TestCompare(t *testing.T) {
	s := start(t, config{})
	both := "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02"
	s.page(t, both, "2 formulas with 5 herbs in all, 2 of them in every one.", `href="/compare?formulas=`+guizhiTang+`"`, `<a href="/herbs/`+ginsengHerb+`">`)
	s.page(t, both+"&add=独参汤", "3 formulas with 5 herbs in all, 1 of them in every one.")
	s.page(t, both+"&add=无此方名", "No formula has the name 无此方名.", "2 formulas")
}

// TestCompareSays checks the similarity of each pair of formulas and the table as a file. Without
// the scope for similarity, the page must not show it.
func TestCompareSays(t *testing.T) {
	const three = "/compare?formulas=" + guizhiTang + ",9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d02,9b2e0f0e-6f0a-5d55-9a4c-1d7a2b3c4d04"
	s := start(t, config{})
	body := s.page(t, three, ">Similarity<", `<td class="num">0.75</td>`, "2 of 5", "0 of 6", "Similarity also counts").body
	if strings.Count(body, `<span class="sub">–</span>`) != 2 {
		t.Error("a likeness is told that the data has not")
	}
	a := s.page(t, three+"&as=csv")
	for _, want := range []string{"herb,桂枝汤 伤寒论 219,桂枝汤 备急千金要方 652,桂枝汤 千金翼方\r\n", "人参,三两,一两,\r\n", "甘草,二两（炙甘草）,x,\r\n", "石膏,,x（日不解而烦石膏）,\r\n", "大枣,十二枚,,\r\n"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the table lacks %q: %s", want, a.body)
		}
	}
	without := start(t, config{limited: true, scopes: access.Prescriptions | access.PrescriptionComposition})
	if body := without.page(t, three, ">Similarity<").body; strings.Contains(body, "0.75") {
		t.Error("a likeness is told without its scope")
	}
}
