package api_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"bencao/store"
)

// TestLongList requests a long list. As JSON, the answer must have a Content-Length. As CSV, it
// must have one only in HTTP/1.0. Each answer must be complete.
func TestLongList(t *testing.T) {
	const rows = 3000
	d := records()
	for i := range rows {
		d.Species[0].Uses = append(d.Species[0].Uses, store.PlantUse{ID: int64(100 + i), Collection: "folk", Description: store.Text(strings.Repeat("活血通经，\"补肝肾\"，", 5)), Reference: store.Text(fmt.Sprint(i))})
	}
	s := start(t, config{data: d})
	all := rows + 2
	path := "/api/v1/species/" + ginseng + "/uses"

	asJSON := s.get(t, path).wantStatus(t, http.StatusOK)
	uses := decode[[]store.PlantUse](t, asJSON)
	if len(uses) != all || asJSON.Header.Get("Content-Length") != strconv.Itoa(len(asJSON.body)) {
		t.Errorf("%d uses in %d bytes, Content-Length %q; want %d and the length", len(uses), len(asJSON.body), asJSON.Header.Get("Content-Length"), all)
	}
	head := s.do(t, http.MethodHead, path, "all").wantStatus(t, http.StatusOK)
	if got := head.Header.Get("Content-Length"); got != strconv.Itoa(len(asJSON.body)) {
		t.Errorf("HEAD says a length of %q, want %d", got, len(asJSON.body))
	}
	if again := s.get(t, path); !bytes.Equal(again.body, asJSON.body) {
		t.Error("the second answer is another")
	}

	asCSV := s.get(t, path, "Accept", "text/csv").wantStatus(t, http.StatusOK)
	if got := asCSV.Header.Get("Content-Length"); got != "" {
		t.Errorf("a long CSV says a length of %s, which can't be known", got)
	}
	table, err := csv.NewReader(bytes.NewReader(asCSV.body)).ReadAll()
	if err != nil || len(table) != all+1 {
		t.Fatalf("%d lines of CSV, %v; want %d", len(table), err, all+1)
	}
	for i, use := range uses {
		if row := table[i+1]; row[0] != fmt.Sprint(use.ID) || row[4] != string(use.Description) {
			t.Fatalf("line %d is %q, want %+v", i+2, row, use)
		}
	}
	bom := s.get(t, path+"?bom=1", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	if string(bom.body) != "\ufeff"+string(asCSV.body) {
		t.Error("with a byte order mark it is another table")
	}
	old := s.raw(t, "GET "+path+" HTTP/1.0\r\nHost: x\r\nAccept: text/csv\r\nX-Api-Key: "+s.keys["all"]+"\r\n\r\n")
	header, body, _ := strings.Cut(old, "\r\n\r\n")
	if body != string(asCSV.body) || !strings.Contains(header, "Content-Length: "+strconv.Itoa(len(asCSV.body))+"\r\n") {
		t.Errorf("HTTP/1.0 gets %d bytes, want %d and its length: %s", len(body), len(asCSV.body), header)
	}

	short := s.get(t, "/api/v1/species/"+willow+"/uses", "Accept", "text/csv").wantStatus(t, http.StatusOK)
	if got := short.Header.Get("Content-Length"); got != strconv.Itoa(len(short.body)) || len(short.body) == 0 {
		t.Errorf("a short CSV of %d bytes says a length of %q", len(short.body), got)
	}
	if empty := s.get(t, "/api/v1/species/"+willow+"/uses"); !json.Valid(empty.body) || string(empty.body) != "[]" {
		t.Errorf("no uses are %s, want []", empty.body)
	}
}

// TestSpoiltListBreaksOff damages rows in the middle of a list. As CSV, which is rendered row by
// row, the answer must be recognizable as incomplete.
func TestSpoiltListBreaksOff(t *testing.T) {
	d := records()
	for i := range 3001 {
		paper := store.Paper{PaperSummary: store.PaperSummary{ID: "more" + strconv.Itoa(i), Title: store.Text(strings.Repeat("活血通经", 5))}, Num: store.Num(len(d.Papers))}
		if i == 3000 {
			paper.Title = "qzxqvjkw" // no compression dictionary has this text, so the compressed store has it unchanged
		}
		d.Papers = append(d.Papers, paper)
		d.Species[0].Papers = append(d.Species[0].Papers, paper.Num)
	}
	s := start(t, config{})
	s.live.Swap(spoilt(t, d, map[string]string{`qzxqvjkw`: `"}}xqvjk`}))
	path := "/api/v1/species/" + ginseng + "/papers"
	got := s.raw(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\nAccept: text/csv\r\nX-Api-Key: "+s.keys["all"]+"\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 200 ") || !strings.Contains(got, "活血通经") || strings.HasSuffix(got, "\r\n0\r\n\r\n") || strings.Contains(got, "/problems/") {
		t.Errorf("the list that can't be read reads as whole, or not at all: %d bytes, ends with %q", len(got), got[max(0, len(got)-200):])
	}
	if log := s.log.String(); !strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, "write csv") {
		t.Errorf("the log does not tell of it as an error: %s", log)
	}
	s.get(t, "/api/v1/stats").wantStatus(t, http.StatusOK)
}
