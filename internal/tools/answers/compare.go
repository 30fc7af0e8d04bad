package main

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
)

// shown is the largest number of differing answers that are printed.
const shown = 20

// compareFiles compares two files of answers and reports whether the answers to the same questions
// are equal. The newer file may lack questions of the older one.
func compareFiles(older, newer string, out io.Writer) (same bool, err error) {
	a, err := openAnswers(older)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	b, err := openAnswers(newer)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	same, err = compare(a, b, out)
	return same, err
}

// compare compares the answers one by one, in order.
func compare(a, b *answers, out io.Writer) (bool, error) {
	differ, left := 0, 0
	for b.next() {
		for a.next() && a.question != b.question {
			left++
		}
		switch {
		case a.question != b.question:
			return false, fmt.Errorf("%s is asked in the newer file, not, or in another order, in the older; ask both with the same deck", b.question)
		case a.answer == b.answer:
			continue
		}
		if differ++; differ <= shown {
			at := firstDifference(a.answer, b.answer)
			fmt.Fprintf(out, "%s\n  - %s\n  + %s\n", b.question, around(a.answer, at), around(b.answer, at))
		}
	}
	for a.next() {
		left++
	}
	if err := errors.Join(a.err(), b.err()); err != nil {
		return false, err
	}
	fmt.Fprintf(out, "older %d answers, digest %x\nnewer %d answers, digest %x\n%d differ, %d were asked of the older only\n",
		a.count, a.sum.Sum(nil)[:8], b.count, b.sum.Sum(nil)[:8], differ, left)
	if b.count == 0 {
		return false, errors.New("the newer file has no answers")
	}
	return differ == 0, nil
}

func firstDifference(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// around returns the part of an answer near byte at.
func around(s string, at int) string {
	const before, after = 120, 240
	from, to := max(0, at-before), min(len(s), at+after)
	return strings.ToValidUTF8(s[from:to], "")
}

// answers reads a file of answers.
type answers struct {
	file             io.Closer
	lines            *bufio.Reader
	sum              hash.Hash
	count            int
	question, answer string
	failed           error
}

func openAnswers(path string) (*answers, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &answers{file: f, lines: bufio.NewReaderSize(z, 1<<20), sum: sha256.New()}, nil
}

// next reads the next answer and reports whether there is one.
func (a *answers) next() bool {
	line, err := a.lines.ReadString('\n')
	if err != nil {
		if err != io.EOF || line != "" {
			a.failed = fmt.Errorf("answer %d: %w; ask again", a.count+1, err)
		}
		a.question = ""
		return false
	}
	a.sum.Write([]byte(line))
	a.count++
	a.question, a.answer, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
	return true
}

func (a *answers) err() error   { return a.failed }
func (a *answers) close() error { return a.file.Close() }
