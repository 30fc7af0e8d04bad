package main

import (
	"encoding/base64"
	"io"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReportIsMailed runs the command by which bencao-report.service mails the report. A fake
// sendmail stores the mail. The test parses it as a mail program does and compares it with the
// report.
func TestReportIsMailed(t *testing.T) {
	unit := regexp.MustCompile(`(?m)^ExecStartPost=/bin/sh -c '(.*)'$`).FindStringSubmatch(read(t, deploy("systemd", "bencao-report.service")))
	if unit == nil {
		t.Fatal("the test finds no ExecStartPost with a shell in bencao-report.service")
	}
	dir := t.TempDir()
	page := "<!doctype html>\n<td>人参</td>" + strings.Repeat("<td>Panax ginseng</td>", 100) + "\n.\n"
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), mode))
	}
	write("report.html", page, 0o600)
	write("sendmail", "#!/bin/sh\n[ \"$*\" = '-t -i' ] && cat >"+dir+"/sent\n", 0o700)
	// systemd replaces these four escape sequences before it starts the shell.
	script := strings.NewReplacer(`%%`, `%`, `$$`, `$`, `\"`, `"`, `/tmp/`, dir+"/").Replace(unit[1])
	script = strings.ReplaceAll(script, `\\n`, `\n`)
	run := func(to string) ([]byte, error) {
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "REPORT_TO="+to)
		return cmd.CombinedOutput()
	}
	if out, err := run(""); err == nil || !strings.Contains(string(out), "set REPORT_TO by systemctl edit") {
		t.Errorf("without REPORT_TO the command ends with %v and prints %q", err, out)
	}
	if out, err := run("curator@example.org"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m, err := mail.ReadMessage(strings.NewReader(read(t, filepath.Join(dir, "sent"))))
	must(t, err)
	if to, err := m.Header.AddressList("To"); err != nil || len(to) != 1 || to[0].Address != "curator@example.org" {
		t.Errorf("the mail goes to %v (%v)", to, err)
	}
	if got := m.Header.Get("Content-Type"); got != "text/html; charset=UTF-8" {
		t.Errorf("the mail is %s", got)
	}
	body, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, m.Body))
	if err != nil || string(body) != page {
		t.Errorf("the mail contains %q (%v), want the report", body, err)
	}
}
