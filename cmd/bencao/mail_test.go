package main

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bencao/indexer"
	"bencao/indexer/curator"
	"bencao/indexer/finding"
	"bencao/store/snapshot"
)

// TestLetter reads a mail as a mail program does.
func TestLetter(t *testing.T) {
	night := refusedNight(t)
	s := &settings{mail: []string{"李 <curator@example.org>", "b@example.org"}, mailFrom: "bencao@example.org", language: "zh"}
	letter, err := s.letter(night, 20)
	if err != nil {
		t.Fatal(err)
	}
	isLetter(t, night, letter)
}

// refusedNight is one with a finding that is long, in Chinese, and tries to be
// more than a text.
func refusedNight(t *testing.T) *curator.Night {
	t.Helper()
	night, err := curator.Just(t.Context(), snapshot.At(t.TempDir()), &indexer.Report{Outcome: indexer.Refused}, []finding.Finding{
		{Severity: finding.Fatal, Code: finding.Shrink, Table: "species", Message: strings.Repeat("少了很多行", 40), Hint: ".\nBcc: x@example.org"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return night
}

// isLetter reads a letter about a night to 李 and b.
func isLetter(t *testing.T, night *curator.Night, letter io.Reader) {
	t.Helper()
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
		text, err := io.ReadAll(quotedprintable.NewReader(p))
		got := strings.ReplaceAll(string(text), "\r\n", "\n")
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		if err := night.Write(&want, curator.Options{Language: "zh", HTML: html, Rows: 20}); err != nil {
			t.Fatal(err)
		}
		if got != want.String() {
			t.Errorf("the part is\n%s\nwant\n%s", got, want.String())
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("behind the two parts: %v", err)
	}
}

// TestMailBySendmail sends a mail by a real sendmail, msmtp, to a server that
// listens here.
func TestMailBySendmail(t *testing.T) {
	server := newMailServer(t)
	home := t.TempDir()
	host, port, err := net.SplitHostPort(server.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".msmtprc"), []byte("account default\nhost "+host+"\nport "+port+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	s := &settings{mail: []string{"李 <curator@example.org>", "b@example.org"}, mailFrom: "本草 <bencao@example.org>", sendmail: need(t, "msmtp", "msmtp"), language: "zh"}
	night := refusedNight(t)
	if err := s.sendNight(t.Context(), night, 20); err != nil {
		t.Fatal(err)
	}
	got := <-server.mails
	if want := []string{"MAIL FROM:<bencao@example.org>", "RCPT TO:<curator@example.org>", "RCPT TO:<b@example.org>"}; !slices.Equal(got.envelope, want) {
		t.Errorf("the envelope is %q, want %q", got.envelope, want)
	}
	isLetter(t, night, bytes.NewReader(got.data))
	for line := range bytes.Lines(got.data) {
		if len(line) > 80 || slices.ContainsFunc(line, func(b byte) bool { return b > 126 }) {
			t.Errorf("a line that servers may refuse or cut: %q", line)
		}
	}
	s.mail = []string{"nobody@example.org"}
	if err := s.sendNight(t.Context(), night, 20); err == nil || !strings.Contains(err.Error(), "no such user") {
		t.Errorf("a mail that the server refuses: %v", err)
	}
}

// mailServer takes mails for all but nobody, as far as msmtp speaks SMTP.
type mailServer struct {
	listener net.Listener
	mails    chan sentMail
}

type sentMail struct {
	envelope []string // MAIL and RCPT, without parameters
	data     []byte
}

func newMailServer(t *testing.T) mailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := mailServer{listener, make(chan sentMail, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return // closed
			}
			if err := s.talk(textproto.NewConn(c)); err != nil && !errors.Is(err, io.EOF) { // who is refused leaves
				t.Errorf("the mail server: %v", err)
			}
		}
	}()
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
	return s
}

func (s mailServer) talk(c *textproto.Conn) (err error) {
	defer func() { err = errors.Join(err, c.Close()) }()
	var m sentMail
	for answer := "220 test"; ; {
		if err := c.PrintfLine("%s", answer); err != nil || strings.HasPrefix(answer, "221") {
			return err
		}
		line, err := c.ReadLine()
		if err != nil {
			return err
		}
		switch command := strings.ToUpper(line[:4]); {
		case command == "DATA":
			if err := c.PrintfLine("354 go on"); err != nil {
				return err
			}
			if m.data, err = c.ReadDotBytes(); err != nil {
				return err
			}
			s.mails <- m
			answer = "250 taken"
		case command == "QUIT":
			answer = "221 bye"
		case strings.Contains(line, "nobody@"):
			answer = "550 no such user"
		case command == "MAIL", command == "RCPT":
			m.envelope = append(m.envelope, line[:strings.Index(line, ">")+1])
			fallthrough
		default:
			answer = "250 test"
		}
	}
}
