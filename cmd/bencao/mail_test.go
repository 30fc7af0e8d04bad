package main

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/indexer/curator"
	"bencao/indexer/finding"
	"bencao/store/snapshot"
)

// TestLetter reads a mail as a mail program does.
func TestLetter(t *testing.T) {
	night, err := curator.Just(t.Context(), snapshot.At(t.TempDir()), &indexer.Report{Outcome: indexer.Refused}, []finding.Finding{
		{Severity: finding.Fatal, Code: finding.Shrink, Table: "species", Message: strings.Repeat("少了很多行", 40), Hint: ".\nBcc: x@example.org"},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{mail: []string{"李 <curator@example.org>", "b@example.org"}, mailFrom: "bencao@example.org", language: "zh"}
	letter, err := s.letter(night, 20)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mail.ReadMessage(letter)
	if err != nil {
		t.Fatal(err)
	}
	to, err := m.Header.AddressList("To")
	if err != nil || len(to) != 2 || to[0].Name != "李" || m.Header.Get("Bcc") != "" {
		t.Errorf("it goes to %v (%v)", to, err)
	}
	if subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil || subject != night.Title("zh") {
		t.Errorf("the subject is %q (%v), want %q", subject, err, night.Title("zh"))
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("the mail is %s (%v)", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, html := range []bool{false, true} {
		p, err := parts.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		if err := night.Write(&want, curator.Options{Language: "zh", HTML: html, Rows: 20}); err != nil {
			t.Fatal(err)
		}
		if string(got) != want.String() {
			t.Errorf("the part is\n%s\nwant\n%s", got, want.String())
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("behind the two parts: %v", err)
	}
}
