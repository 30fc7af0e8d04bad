// Package complaint holds the names that old books have for complaints: 骨蒸 and 劳瘵 for 肺痨. The
// indications of formulas have the old names; readers of today know the modern ones.
//
// complaints.txt is the table, and says where its names come from. The package does not know the
// records of a snapshot. Start with [Older].
package complaint

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bencao/names/han"
)

//go:embed complaints.txt
var file string

// older maps folded modern names to the old names of the same complaint.
var older = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for i, line := range strings.Split(file, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		modern, old, ok := strings.Cut(line, "|")
		names := strings.Fields(old)
		if !ok || len(names) == 0 || len(strings.Fields(modern)) == 0 {
			panic(fmt.Sprintf("complaints.txt:%d: write modern names, a bar and old names", i+1))
		}
		for _, name := range strings.Fields(modern) {
			key := han.Fold(name)
			for _, n := range names {
				if !slices.Contains(all[key], n) {
					all[key] = append(all[key], n)
				}
			}
		}
	}
	return all
})

// Older returns the old names of a complaint that has a modern name, in simplified characters. It
// returns nil if the table lacks the name. The caller must not change the result.
func Older(modern string) []string { return older()[han.Fold(strings.TrimSpace(modern))] }
