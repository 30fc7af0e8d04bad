package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bencao/indexer/curator"

	gomail "github.com/wneessen/go-mail"
)

// isMail tells whether all of a list are mail addresses, or it is [off] alone.
func isMail(list []string) bool {
	return isOff(list) || !slices.ContainsFunc(list, func(a string) bool {
		_, err := mail.ParseAddress(a)
		return err != nil
	})
}

func isOff(list []string) bool { return len(list) == 1 && list[0] == off }

// mails tells whether somebody is to get the report of a night by mail.
func (s *settings) mails() bool { return len(s.mail) > 0 && !isOff(s.mail) }

// defaultRows is how many rows of a list a report shows.
const defaultRows = 20

// mailTime bounds how long sendmail may take for a mail.
const mailTime = time.Minute

// sendNight sends the report of a night by the system's sendmail.
func (s *settings) sendNight(ctx context.Context, night *curator.Night, rows int) error {
	text, err := s.letter(night, rows)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	program, err := filepath.Abs(s.sendmail) // a name alone would be looked for elsewhere
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	// -t: the addresses stand in the mail; -i: a line with a dot alone does not end it.
	args := []string{"-t", "-i"}
	if s.mailFrom != "" {
		from, err := mail.ParseAddress(s.mailFrom)
		if err != nil {
			return fmt.Errorf("mail: %q: %w", s.mailFrom, err)
		}
		args = append(args, "-f", from.Address) // where it comes back to; else to the user who runs this
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second // what it left behind may hold its output
	cmd.Stdin = text
	said, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("took longer than %s", mailTime)
	}
	if words := strings.TrimSpace(string(said)); words != "" {
		err = fmt.Errorf("%w: %.500s", err, words)
	}
	return fmt.Errorf("mail: %s: %w", s.sendmail, err)
}

// letter writes a night as a mail, as text and as a page.
func (s *settings) letter(night *curator.Night, rows int) (*bytes.Buffer, error) {
	from, err := s.sender()
	if err != nil {
		return nil, err
	}
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(from), m.To(s.mail...)); err != nil {
		return nil, err
	}
	m.Subject(night.Title(s.language))
	m.SetDate()
	m.SetMessageID()
	m.SetGenHeader("Auto-Submitted", "auto-generated") // no answer while the curator is away
	for _, html := range []bool{false, true} {
		var part bytes.Buffer
		if err := night.Write(&part, curator.Options{Language: s.language, HTML: html, Rows: rows}); err != nil {
			return nil, err
		}
		if html {
			m.AddAlternativeString(gomail.TypeTextHTML, part.String())
		} else {
			m.SetBodyString(gomail.TypeTextPlain, part.String())
		}
	}
	var out bytes.Buffer
	if _, err = m.WriteTo(&out); err != nil {
		return nil, err
	}
	// What sendmail takes has the line ends of the system.
	return bytes.NewBuffer(bytes.ReplaceAll(out.Bytes(), []byte("\r\n"), []byte("\n"))), nil
}

// sender is the address that mail comes from.
func (s *settings) sender() (string, error) {
	if s.mailFrom != "" {
		return s.mailFrom, nil
	}
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return cmp.Or(name, "bencao") + "@" + host, nil
}
