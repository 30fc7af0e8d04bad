package main

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var pageOfSpecies = regexp.MustCompile(`http://[^",;\t|]+/species/[0-9a-f-]+`)

// TestMatchPageReadsAsCommand pastes lists into the page and gives the same lists to the command:
// both read them in the same way, whatever separates their cells, or refuse both.
func TestMatchPageReadsAsCommand(t *testing.T) {
	dir := t.TempDir()
	indexedSample(t, dir)
	if _, err := self(t, "keys", "create", "--access", dir+"/access.toml", "--id", "explorer", "--network", "127.0.0.0/8").Output(); err != nil {
		t.Fatal(err)
	}
	s := serveSample(t, dir, "--explorer")
	for _, c := range []struct{ list, want string }{
		{"id,scientificName\n7,Panax ginseng\n8,Salvia miltiorhiza\n", "Panax ginseng"},
		{"科;Genus;species\n五加科;Panax;ginseng\n五加科;Panax;notoginseng\n", "Panax ginseng"},
		{"no.\t学名\n1\tPanax ginseng\n2\tSalvia miltiorrhiza\n", "Panax ginseng"},
		{"name|remark\nPanax ginseng|root\nSalvia miltiorrhiza|root\n", "Panax ginseng"},
		{"Panax ginseng C.A.Mey.\nTomato soup\nPanax ginsen\n", "Panax ginseng"},
		{"Panax ginseng C.A.Mey., root\nGlycyrrhiza uralensis\nSalvia miltiorrhiza, Panax ginsen\nTomato soup\n", "Panax ginseng"},
		{"人参,甘草,丹参\n黄芪,当归\n", "Panax ginseng"},
		{"alpha,beta\n1,2\n3,4\n", ""},
	} {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		part, err := w.CreateFormField("names")
		must(t, err)
		_, err = part.Write([]byte(c.list))
		must(t, err)
		must(t, w.Close())
		req, err := http.NewRequest(http.MethodPost, "http://"+s.listen+"/match?as=csv", &form)
		must(t, err)
		req.Header.Set("Content-Type", w.FormDataContentType())
		req.Header.Set("Accept-Language", "en")
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		var page bytes.Buffer
		_, err = page.ReadFrom(resp.Body)
		must(t, err)
		must(t, resp.Body.Close())
		cmd := self(t, "match", "--data", dir+"/data", "--format", "excel", "-")
		cmd.Stdin = strings.NewReader(c.list)
		command, err := cmd.Output()
		if c.want == "" {
			if err == nil || resp.StatusCode != http.StatusBadRequest {
				t.Errorf("%q: the command says %v, and the page %d", c.list, err, resp.StatusCode)
			}
			continue
		}
		must(t, err)
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%q: the page refuses it: %d %.300s", c.list, resp.StatusCode, page.String())
			continue
		}
		// Only the server knows the addresses of its pages, and it has words of its own.
		got := strings.ReplaceAll(pageOfSpecies.ReplaceAllString(page.String(), ""), "several meanings", "several taxa are possible")
		if got != string(command) || !strings.Contains(got, c.want) {
			t.Errorf("%q: the page reads\n%s\nand the command\n%s", c.list, got, command)
		}
	}
}
