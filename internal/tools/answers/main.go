// Command answers stores the answers of a program, so that the answers of two versions of the
// program can be compared: before and after a change that must not affect them. A question is the
// path and query of a request. An answer is the status and body of the response.
//
//	bin/answers ask -program bin/bencao -data DATA -out old.gz
//	bin/answers compare old.gz new.gz
//
// "ask" serves DATA, a data folder that the same program has indexed, and sends the questions of a
// deck. It asks names.match, with explain, about the names, synonyms, Chinese names and pinyin of
// the data package and its checklists, about misspelt names, and about every cell of the judged
// corpora. It asks for species, formulas and papers, with pages and totals, by every judged query.
// The deck is made from files and does not depend on a program, so that both programs get the same
// questions. "compare" prints a digest of each answer file and the first differences.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `usage: answers ask -data FOLDER -out FILE [flags]
       answers compare OLD NEW
"answers ask -h" lists the flags.
`

// run runs the command. It returns 0 on success, 1 if answers differ, and 2 on an error.
func run(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	same := true
	switch {
	case len(args) > 0 && args[0] == "ask":
		err = askCommand(ctx, args[1:], out, errs)
	case len(args) == 3 && args[0] == "compare":
		same, err = compareFiles(args[1], args[2], out)
	default:
		err = errors.New("say what to do")
		fmt.Fprint(errs, usage)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "answers:", err)
		return 2
	case !same:
		return 1
	}
	return 0
}

func askCommand(ctx context.Context, args []string, out, errs io.Writer) error {
	f := flag.NewFlagSet("answers ask", flag.ContinueOnError)
	f.SetOutput(errs)
	program := f.String("program", "bin/bencao", "the program that is asked")
	data := f.String("data", "", "data folder that this program indexed")
	file := f.String("out", "", "file of the answers, compressed with gzip")
	repository := f.String("repository", ".", "folder of the repository, for its corpora")
	shared := f.String("shared", "../shared", "folder of the full-size data and judged corpora")
	every := f.Int("every", 1, "ask only every so many names of the data; the corpora are asked in full")
	only := f.String("only", "", "names or searches; both if empty")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *data == "" || *file == "" || f.NArg() > 0 || *every < 1 || *only != "" && *only != "names" && *only != "searches" {
		return errors.New("give -data and -out, -every from 1, -only names or searches, and nothing else")
	}
	d := newDeck(*repository, *shared, *every)
	if err := d.deal(*only); err != nil {
		return err
	}
	for _, what := range d.missing {
		fmt.Fprintln(errs, "NOT ASKED:", what)
	}
	return ask(ctx, *program, *data, *file, d.questions, out)
}
