// Package cases reads text files of test cases, which botanists can extend. Each line is a case:
// the input, the sign => and the expected result. Lines that begin with # are headings of the cases
// below them.
//
//	# Gender
//	Rosa albus => Rosa alba
package cases

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Case is a test case. It is one line of the file.
type Case struct {
	Place    string // file:line
	Section  string // first line of the heading above the case, without #
	In, Want string
}

// escape matches the notation of an invisible character: \u{ad}.
var escape = regexp.MustCompile(`\\u\{[0-9a-f]+\}`)

// Read returns the cases of a file. It fails the test if the file is invalid.
func Read(tb testing.TB, file string) []Case {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var list []Case
	section, heading := "", false
	for i, line := range strings.Split(string(data), "\n") {
		if text, ok := strings.CutPrefix(line, "#"); ok {
			if !heading {
				section, heading = strings.TrimSpace(text), true
			}
			continue
		}
		heading = false
		if strings.TrimSpace(line) == "" {
			continue
		}
		line = escape.ReplaceAllStringFunc(line, func(s string) string {
			n, err := strconv.ParseInt(s[3:len(s)-1], 16, 32)
			if err != nil {
				tb.Fatal(err)
			}
			return string(rune(n))
		})
		place := filepath.Base(file) + ":" + strconv.Itoa(i+1)
		in, want, ok := strings.Cut(line, "=>")
		if !ok {
			tb.Fatalf("%s: no => in %q; write what is asked, => and what is expected", place, line)
		}
		list = append(list, Case{place, section, strings.TrimSuffix(in, " "), strings.TrimSpace(want)})
	}
	return list
}
