package mappings_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"bencao/mappings"
	"bencao/mappings/index"
	"bencao/mappings/search"
	"bencao/store"
)

// TestFaultsLeaveNothingBehind makes each page of an open index unreadable, as a failing disk does.
// For each page, the test searches until a search panics, and then makes the page readable again.
// All later answers must be as before, because the buffers of the failed search must not be used
// again.
func TestFaultsLeaveNothingBehind(t *testing.T) {
	records, r := few(), rand.New(rand.NewPCG(1, 1))
	for n := range 600 { // many different words, so that the terms of each kind fill several pages
		epithet := make([]byte, 9)
		for i := range epithet {
			epithet[i] = 'a' + byte(r.IntN(26))
		}
		s := store.Species{SpeciesDetail: store.SpeciesDetail{EntryID: int32(100 + n), ScientificName: store.Text("Salvia " + string(epithet)), Rank: "species"}, Num: store.Num(3 + n)}
		if n < 100 {
			s.ChineseName, s.ChineseNamePinyin = store.Text([]rune{'重', '一' + rune(n), '参'}), "chóng yī shēn"
		}
		records = append(records, s)
	}
	dir := filepath.Join(t.TempDir(), "species.bleve")
	must(t, index.Build(context.Background(), dir, mappings.Species, records))
	queries := []string{"人参", "参", "renshen", "rs", "panax", "panax gingseng", "chonyi", "zhongyi", "chyishen", "chongyisheb", "人身", "重参一", string("zalvia" + records[100].ScientificName[6:]), "zys", "cyc"}
	answers := func(s *search.Searcher) (all []search.Hits, faults int) {
		for _, q := range queries {
			hits, err := s.Search(context.Background(), search.Query{Text: q, Size: 400})
			if err != nil && strings.Contains(err.Error(), "damaged") {
				faults++
			} else if err != nil {
				t.Fatalf("%q: %v", q, err)
			}
			all = append(all, hits)
		}
		return all, faults
	}
	opened := func() *search.Searcher {
		s, err := openSpecies(dir)
		must(t, err)
		return s
	}
	s := opened()
	want, _ := answers(s)
	closeAll(t, s)
	for i, hits := range want {
		if hits.Total == 0 {
			t.Fatalf("%q finds nothing; the test asks for nothing", queries[i])
		}
	}
	page, met := uintptr(os.Getpagesize()), 0
	for offset := uintptr(0); ; offset += page {
		s := opened()
		start, end := mapped(t, dir)
		if start+offset >= end {
			closeAll(t, s)
			break
		}
		protect(t, start+offset, page, syscall.PROT_NONE)
		_, faults := answers(s)
		protect(t, start+offset, page, syscall.PROT_READ)
		if met += faults; faults > 0 {
			got, _ := answers(s)
			for i := range want {
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("page %d was away for a while; then %q finds %d, want %d", offset/page, queries[i], got[i].Total, want[i].Total)
				}
			}
		}
		closeAll(t, s)
	}
	if met == 0 {
		t.Error("no search met a page that was away; the test takes the wrong pages")
	}
}

// mapped returns the addresses at which the segment of an index is mapped into memory.
func mapped(t *testing.T, dir string) (start, end uintptr) {
	t.Helper()
	f, err := os.Open("/proc/self/maps")
	must(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); strings.Contains(line, dir) && strings.HasSuffix(line, ".zap") {
			if _, err := fmt.Sscanf(line, "%x-%x", &start, &end); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return start, end
		}
	}
	t.Fatal("the segment is not mapped into memory; the test needs another way to take it away")
	return 0, 0
}

func protect(t *testing.T, start, length uintptr, how uintptr) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_MPROTECT, start, length, how); errno != 0 {
		t.Fatalf("mprotect: %v", errno)
	}
}
