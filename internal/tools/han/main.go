// Command han makes simplified.txt from OpenCC's TSCharacters.txt. See the README in names/han.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen TSCharacters.txt > simplified.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes a line for each character that has a simplified form. The line has both characters.
// The lines are in the order of the source.
func run(path string, out io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()

	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "# Traditional and simplified characters, from OpenCC's TSCharacters.txt (Apache License 2.0); see README.md.")
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		from, to, ok := strings.Cut(sc.Text(), "\t")
		if !ok || strings.HasPrefix(from, "#") {
			continue
		}
		to, _, _ = strings.Cut(to, " ")
		if from != to {
			fmt.Fprintln(w, from+to)
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return w.Flush()
}
