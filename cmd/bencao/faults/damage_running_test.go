//go:build linux

package faults_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// questions are requests that together read every file of a snapshot, each file in several places.
var questions = []string{
	"/stats", "/species?pageSize=100", "/species?q=%E4%BA%BA%E5%8F%82", "/species?q=renshen", "/species?q=panax+gingseng", "/species?q=sq", "/species?q=%E4%BA%BA%E8%BA%AB",
	"/formulas?pageSize=100", "/formulas?q=%E6%A1%82%E6%9E%9D%E6%B1%A4", "/formulas?dynasty=%E6%B1%89&q=tang", "/papers?pageSize=100", "/papers?q=ginseng+saponin",
	"/herbs?pageSize=100", "/herbs?q=%E4%BA%BA%E5%8F%82", "/herbs?q=renshen", "/herbs?q=Ginseng+Radix", "/herbs?q=%E4%BA%BA%E8%BA%AB",
	"/names/match?name=Panax+ginseng", "/names/match?name=Paanx+gniseng&explain=true", "/names/match?name=%E4%B8%B9%E5%8F%82",
	"/species/" + manyUses, "/species/" + manyUses + "/uses", "/species/" + manyUses + "/flora", "/species/" + manyUses + "/papers", "/species/" + manyUses + "/formulas",
}

// answers sends all questions and returns the bodies of the responses by question. Each must have
// status 200.
func (s *server) answers(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, q := range questions {
		all[q] = s.get(t, q).want(t, http.StatusOK).body
	}
	return all
}

// lives reports whether the process is running.
func (s *server) lives() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// forget clears the recorded log. A test calls it after it provoked panics, because a panic in the
// log fails the test.
func (d *diary) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = nil
}

// TestRunningFilesAreCutShort truncates files that a server has mapped into memory. Requests that
// need the missing part must get a 500, all others the right response. The process must keep
// running, and a rollback must restore all responses.
func TestRunningFilesAreCutShort(t *testing.T) {
	for _, pattern := range []string{"store.bolt", "names.idx", "species.bleve/store/*.zap", "formulas.bleve/store/*.zap", "papers.bleve/store/*.zap", "herbs.bleve/store/*.zap", "species.bleve/store/root.bolt"} {
		for _, left := range []struct {
			name string
			part int64 // how many quarters of the file remain
		}{{"half", 2}, {"nothing", 0}} {
			t.Run(pattern+" "+left.name, func(t *testing.T) {
				s := newSite(t)
				s.rollback(t, s.older)
				srv := s.serve(t)
				older := srv.answers(t)
				s.rollback(t, s.newer)
				srv.hangup(t)
				until(t, "the newer snapshot answers", func() bool { return srv.ready(t).Snapshot == s.newer })
				newer := srv.answers(t)

				found, err := filepath.Glob(s.path(s.newer, pattern))
				if err != nil || len(found) != 1 {
					t.Fatalf("the snapshot has the files %q (%v), want one", found, err)
				}
				info, err := os.Stat(found[0])
				must(t, err)
				must(t, os.Chmod(found[0], 0o644))
				// The test cuts at the start of a page. Otherwise the rest of the last page would
				// read as zeros, which the server could not tell from zeros in the file.
				must(t, os.Truncate(found[0], info.Size()*left.part/4&^int64(os.Getpagesize()-1)))
				outcomes := map[string]int{}
				for _, q := range questions {
					r, err := ask(srv.client, srv.url(q), s.all)
					switch {
					case err != nil:
						t.Errorf("%s: no answer: %v", q, err)
					case r.status == http.StatusInternalServerError:
						outcomes["error"]++
					case r.status == http.StatusOK && bytes.Equal(r.body, newer[q]):
						outcomes["right"]++
					default:
						t.Errorf("%s: status %d and a wrong answer: %.300s", q, r.status, r.body)
					}
				}
				t.Log(outcomes)
				if !srv.lives() {
					t.Fatalf("the server has ended:\n%.3000s", srv.diary)
				}
				srv.logSoFar(t).forget()

				s.rollback(t, s.older)
				srv.hangup(t)
				until(t, "the older snapshot answers", func() bool { return srv.ready(t).Snapshot == s.older })
				for q, body := range srv.answers(t) {
					if !bytes.Equal(body, older[q]) {
						t.Errorf("%s: the answer after the rollback differs from the one before: %.300s", q, body)
					}
				}
			})
		}
	}
}
