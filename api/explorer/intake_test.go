package explorer_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestForeignForms sends the form as a browser sends it from pages of this site and of other sites.
func TestForeignForms(t *testing.T) {
	s := start(t, config{})
	host := strings.TrimPrefix(s.URL, "http://")
	for _, c := range []struct {
		header []string
		status int
	}{
		{nil, http.StatusOK},
		{[]string{"Origin", s.URL}, http.StatusOK},
		{[]string{"Origin", s.URL, "Sec-Fetch-Site", "same-origin"}, http.StatusOK},
		{[]string{"Origin", s.URL, "Host", "behind.example"}, http.StatusOK}, // the Origin is the site's own address
		{[]string{"Origin", "https://" + host, "Host", host}, http.StatusOK}, // the proxy ends TLS, so this server sees http
		{[]string{"Origin", "null"}, http.StatusForbidden},
		{[]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		{[]string{"Origin", "https://" + host + ".evil.example"}, http.StatusForbidden},
		{[]string{"Origin", "http://127.0.0.1:1"}, http.StatusForbidden},
		{[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{[]string{"Origin", "https://evil.example", "Host", "behind.example"}, http.StatusForbidden},
	} {
		a := s.send(t, "names", "", "Panax ginseng\n", "page", c.header...)
		if a.status != c.status {
			t.Errorf("%q: status %d, want %d: %.300s", c.header, a.status, c.status, a.body)
		}
	}
	for accept, want := range map[string]string{"text/html": "was sent by a page of another site, &#34;https://evil.example&#34;", "application/json": `"type":"/problems/foreign-form"`} {
		if a := s.send(t, "names", "", "x", "page", "Origin", "https://evil.example", "Accept", accept); !strings.Contains(a.body, want) {
			t.Errorf("as %s: the answer lacks %q: %s", accept, want, a.body)
		}
	}
	if a := s.send(t, "names", "", "x", "page", "Origin", "https://evil.example", "Accept-Language", "zh"); !strings.Contains(a.body, "表单由其他网站") {
		t.Errorf("in Chinese: %s", a.body)
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+"/match/table", strings.NewReader("r1=1"))
	must(t, err)
	r.Header.Set("Origin", "https://evil.example")
	if a := s.do(t, r); a.status != http.StatusForbidden {
		t.Errorf("choices from another site: status %d", a.status)
	}
}

// TestManyChoices sends the form with the user's choices for the largest list that is accepted.
func TestManyChoices(t *testing.T) {
	s := start(t, config{})
	var form strings.Builder
	for n := 10_000; n > 0; n-- {
		fmt.Fprintf(&form, "r%d=%d%%2CPanax+ginseng&", n, n)
	}
	form.WriteString("as=csv&lang=en&r10001=x&r0=x&r=x&other=x")
	r, err := http.NewRequest(http.MethodPost, s.URL+"/match/table", strings.NewReader(form.String()))
	must(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	a := s.do(t, r)
	lines := strings.Split(a.body, "\r\n")
	if len(lines) != 10_002 || !strings.HasPrefix(lines[1], "1,Panax ginseng,") || !strings.HasPrefix(lines[10_000], "10000,Panax ginseng,") {
		t.Errorf("status %d, %d lines, the first %.200q", a.status, len(lines), a.body)
	}
}
