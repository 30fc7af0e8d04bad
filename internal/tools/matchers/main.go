// Command matchers compares matchers of plant names on judged lists: how many answers are right,
// how many names get no answer, how many answers are wrong, how many of the wrong answers the
// matcher calls safe, and how many names it answers per second of processor time.
//
//	matchers -wcvp wcvp.zip [-peers DIR] LIST.tsv...
//
// All matchers know the same names, those of a download of the World Checklist of Vascular Plants.
// A list has the columns input and expected. Expected has names with | between equally good ones,
// "g:GENUS" for a genus alone, or "none". A peer is a program in the folder of -peers; see [peer].
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"archive/zip"

	"bencao/names"

	"github.com/gnames/gnparser"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "matchers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("matchers", flag.ContinueOnError)
	wcvp := flags.String("wcvp", "", "download of the World Checklist of Vascular Plants")
	peers := flags.String("peers", "", "folder of programs to compare with")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *wcvp == "" || flags.NArg() == 0 {
		return errors.New("give -wcvp and at least one list")
	}
	dir, err := os.MkdirTemp("", "matchers")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	known, err := readChecklist(*wcvp)
	if err != nil {
		return err
	}
	for _, list := range flags.Args() {
		judged, err := readList(list)
		if err != nil {
			return err
		}
		all := []matcher{{"bencao", bencao}, {"gnparser, then the same canonical form", exact}}
		if *peers != "" {
			more, err := peersIn(*peers)
			if err != nil {
				return err
			}
			all = append(all, more...)
		}
		fmt.Fprintf(out, "%s: %d names\n\n", filepath.Base(list), len(judged))
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "right\tsilent\tfalse\tfalse, called safe\tnames per CPU second\tmatcher\t")
		for _, m := range all {
			inputs := make([]string, len(judged))
			for i, j := range judged {
				inputs[i] = j.input
			}
			answers, cpu, err := m.match(ctx, known, dir, inputs)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			s := score(judged, answers, known)
			fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%.0f\t%s\t\n", s.right, s.silent, s.wrong, s.wrongSafe, float64(len(judged))/cpu.Seconds(), m.name)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// judgement is a row of a list.
type judgement struct {
	input    string
	expected []string // equally good names; empty if no answer is right
	genus    bool     // expected is a genus alone
}

// readList reads a list. Lines before the header begin with #.
func readList(path string) (list []judgement, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		cells := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "# ") || cells[0] == "input" {
			continue
		}
		if len(cells) < 2 {
			return nil, fmt.Errorf("%s:%d: the line has no column expected", path, n)
		}
		j := judgement{input: cells[0]}
		name, genus := strings.CutPrefix(cells[1], "g:")
		if j.genus = genus; name != "none" {
			j.expected = strings.Split(name, "|")
		}
		list = append(list, j)
	}
	return list, lines.Err()
}

// checklist holds the names that every matcher knows.
type checklist struct {
	rows     []map[string]string
	names    []string            // each name once, in the order of the file
	accepted map[string][]string // the accepted names of each name
}

func readChecklist(path string) (_ *checklist, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	f, err := z.Open("wcvp_names.csv")
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '|', true, -1
	header, err := r.Read()
	if err != nil {
		return nil, err
	}
	c := &checklist{accepted: map[string][]string{}}
	byID := map[string]string{}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		row := map[string]string{}
		for i, name := range header {
			if i < len(cells) {
				row[name] = cells[i]
			}
		}
		c.rows = append(c.rows, row)
		byID[row["plant_name_id"]] = row["taxon_name"]
	}
	for _, row := range c.rows {
		name := row["taxon_name"]
		if _, known := c.accepted[name]; !known {
			c.names = append(c.names, name)
		}
		c.accepted[name] = append(c.accepted[name], byID[row["accepted_plant_name_id"]])
	}
	return c, f.Close()
}

// answer is the first answer to a name. The zero value is none.
type answer struct {
	name, accepted string // accepted may be empty
	safe           bool   // the matcher says that nobody needs to check it
}

type matcher struct {
	name  string
	match func(ctx context.Context, known *checklist, dir string, inputs []string) ([]answer, time.Duration, error)
}

type scores struct{ right, silent, wrong, wrongSafe int }

// score judges answers. An answer is right if its name, or an accepted name of it, is expected.
// Where a genus is expected, no answer is right too.
func score(judged []judgement, answers []answer, known *checklist) (s scores) {
	for i, j := range judged {
		a := answers[i]
		names := append([]string{a.name, a.accepted}, known.accepted[a.name]...)
		right := a.name != "" && slices.ContainsFunc(j.expected, func(want string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return plain(name) == plain(want) })
		})
		switch {
		case right || a.name == "" && (j.genus || j.expected == nil):
			s.right++
		case a.name == "":
			s.silent++
		default:
			s.wrong++
			if a.safe {
				s.wrongSafe++
			}
		}
	}
	return s
}

// plain returns a name without hybrid signs.
func plain(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(name, "×", " ")), " ")
}

// bencao asks the matcher of this repository. An answer is safe if its score is at least 0.9 and it
// is not flagged as ambiguous.
func bencao(_ context.Context, known *checklist, dir string, inputs []string) ([]answer, time.Duration, error) {
	file := filepath.Join(dir, names.FileName)
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		b := names.NewBuilder()
		c := b.Checklist(names.Checklist{Source: names.SourceWCVP, Name: "WCVP", Version: "as downloaded"})
		for _, r := range known.rows {
			status, _ := names.ParseStatus(r["taxon_status"])
			if err := c.Add(names.Usage{
				ID: r["plant_name_id"], AcceptedID: r["accepted_plant_name_id"], Name: r["taxon_name"], Author: r["taxon_authors"],
				Rank: r["taxon_rank"], Status: status, Family: r["family"], IPNIID: r["ipni_id"],
			}); err != nil {
				return nil, 0, err
			}
		}
		if err := b.WriteFile(file); err != nil {
			return nil, 0, err
		}
	} else if err != nil {
		return nil, 0, err
	}
	ix, err := names.Open(file)
	if err != nil {
		return nil, 0, err
	}
	answers := make([]answer, len(inputs))
	start := cpuTime()
	for i, input := range inputs {
		r, err := ix.Match(names.Query{Name: input})
		if err != nil {
			return nil, 0, errors.Join(err, ix.Close())
		}
		if len(r.Results) > 0 {
			first := r.Results[0]
			answers[i] = answer{string(first.MatchedName), string(first.AcceptedName), first.Score >= names.ScoreTake && !slices.Contains(first.Flags, "ambiguous")}
		}
	}
	return answers, cpuTime() - start, ix.Close()
}

// exact parses a name and looks up its canonical form. Every answer is safe.
func exact(_ context.Context, known *checklist, _ string, inputs []string) ([]answer, time.Duration, error) {
	forms := map[string]string{}
	for _, name := range known.names {
		if key := plain(name); forms[key] == "" {
			forms[key] = name
		}
	}
	parser := gnparser.New(gnparser.NewConfig())
	answers := make([]answer, len(inputs))
	start := cpuTime()
	for i, input := range inputs {
		if p := parser.ParseName(input); p.Parsed {
			if name := forms[plain(p.Canonical.Full)]; name != "" {
				answers[i] = answer{name: name, safe: true}
			}
		}
	}
	return answers, cpuTime() - start, nil
}

// cpuTime returns the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot fail for RUSAGE_SELF
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peersIn returns the peers in a folder: its executable files.
func peersIn(dir string) (all []matcher, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil {
			return nil, err
		} else if info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			all = append(all, matcher{f.Name(), peer(filepath.Join(dir, f.Name()))})
		}
	}
	return all, nil
}

// peer returns a matcher that runs a program. Its first argument is a file with the known names,
// one per line. Standard input has the names to match, one per line. For each of them it prints the
// line "NAME<TAB>safe", where safe is 1 or 0, or an empty line for no answer. It runs a second time
// without names to match. The processor time of that run is subtracted, since it is the time for
// loading the known names.
func peer(program string) func(context.Context, *checklist, string, []string) ([]answer, time.Duration, error) {
	return func(ctx context.Context, known *checklist, dir string, inputs []string) ([]answer, time.Duration, error) {
		file := filepath.Join(dir, "names.txt")
		if err := os.WriteFile(file, []byte(strings.Join(known.names, "\n")+"\n"), 0o600); err != nil {
			return nil, 0, err
		}
		ask := func(inputs string) ([]byte, time.Duration, error) {
			cmd := exec.CommandContext(ctx, program, file)
			var errs bytes.Buffer
			cmd.Stdin, cmd.Stderr = strings.NewReader(inputs), &errs
			out, err := cmd.Output()
			if err != nil {
				return nil, 0, fmt.Errorf("%w: %s", err, errs.Bytes())
			}
			return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
		}
		_, idle, err := ask("")
		if err != nil {
			return nil, 0, err
		}
		out, busy, err := ask(strings.Join(inputs, "\n") + "\n")
		if err != nil {
			return nil, 0, err
		}
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if len(lines) != len(inputs) {
			return nil, 0, fmt.Errorf("%d lines for %d names", len(lines), len(inputs))
		}
		answers := make([]answer, len(inputs))
		for i, line := range lines {
			name, safe, _ := strings.Cut(line, "\t")
			answers[i] = answer{name: name, safe: safe == "1"}
		}
		return answers, max(busy-idle, time.Millisecond), nil
	}
}
