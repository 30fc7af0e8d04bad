package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// assistant returns a function that calls a tool and returns the result. Each call runs "bencao
// mcp" with the flags.
func assistant(t *testing.T, flags ...string) func(tool string, arguments any) (result map[string]any) {
	t.Helper()
	return func(tool string, arguments any) map[string]any {
		t.Helper()
		message, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
		})
		must(t, err)
		var out, errs bytes.Buffer
		root := newRoot()
		root.SetArgs(append([]string{"mcp"}, flags...))
		root.SetIn(bytes.NewReader(message))
		root.SetOut(&out)
		root.SetErr(&errs)
		if err := root.ExecuteContext(context.Background()); err != nil || errs.Len() > 0 {
			t.Fatalf("bencao mcp: %v: %s", err, errs.String())
		}
		var answer struct{ Result, Error map[string]any }
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.Error != nil {
			t.Fatalf("bencao mcp answers %q (%v)", out.String(), err)
		}
		return answer.Result
	}
}

// at returns the part of value at a path such as items.0.name or items.length.
func at(value any, path string) any {
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			if step == "length" {
				return float64(len(v))
			}
			if i, err := strconv.Atoi(step); err == nil && i < len(v) {
				value = v[i]
				continue
			}
			return nil
		default:
			return nil
		}
	}
	return value
}

// toolOf returns the tool and the arguments that answer a question of clients/questions.json. tool
// is "" if no tool answers it.
func toolOf(op string, path map[string]string, query map[string]any) (tool string, arguments map[string]any) {
	table, what, _ := strings.Cut(op, ".")
	in := map[string]any{}
	for name, value := range query {
		if name == "explain" || name == "fuzzy" {
			continue
		}
		in[name] = value
		if value == "true" {
			in[name] = true
		}
	}
	switch {
	case op == "stats":
		return "counts", in
	case table == "names":
		if name, one := in["name"].(string); one {
			in["names"] = []string{name}
		} else {
			in["names"] = in["name"]
		}
		delete(in, "name")
		for param, argument := range map[string]string{"author": "authors", "kingdom": "kingdoms"} {
			of, given := in[param]
			if !given {
				continue
			}
			if one, ok := of.(string); ok {
				of = []string{one}
			}
			in[argument] = of
			delete(in, param)
		}
		return "match_names", in
	case what == "search":
		in["kind"] = table
		return "search", in
	case what == "facets":
		in["kind"] = table
		return "counts", in
	case what == "detail":
		return "record", map[string]any{"kind": table, "id": path["guid"]}
	case table == "species":
		in["kind"], in["id"], in["to"] = table, path["guid"], what
		return "linked", in
	}
	return "", nil
}

// TestAssistantQuestions asks the questions of clients/questions.json through the tools.
func TestAssistantQuestions(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, copySample(data, "wcvp", "wfo", "china"))
	flags := []string{"--data", data, "--site-url", "https://plants.example"}
	open := assistant(t, flags...)
	all := assistant(t, append(flags, "--scope", "prescriptions,prescription_composition,prescription_similarity,species_prescriptions,plant_uses")...)
	text, err := os.ReadFile(filepath.FromSlash("../../clients/questions.json"))
	must(t, err)
	var questions []struct {
		Op, Key string
		Path    map[string]string
		Query   map[string]any
		Status  int
		Is      map[string]any
	}
	must(t, json.Unmarshal(text, &questions))
	asked := 0
	for i, q := range questions {
		tool, in := toolOf(q.Op, q.Path, q.Query)
		if tool == "" || q.Key == "none" {
			continue
		}
		asked++
		t.Run(fmt.Sprint(i, q.Op), func(t *testing.T) {
			ask := all
			if q.Key == "open" {
				ask = open
			}
			result := ask(tool, in)
			if q.Status != 200 {
				if result["isError"] != true {
					t.Errorf("%s accepts %v: %v", tool, in, result)
				}
				return
			}
			answer := result["structuredContent"]
			for _, field := range []string{"url", "dataVersion", "citation"} {
				if text, _ := at(answer, field).(string); text == "" || field == "url" && !strings.HasPrefix(text, "https://plants.example/") {
					t.Fatalf("%s is %q: %v", field, text, result)
				}
			}
			for path, want := range q.Is {
				if q.Op == "names.match" {
					path = "0." + path // the tool returns a list with one result
				}
				// no tool has a parameter for "fuzzy=false"
				if got := at(answer, "answer."+path); got != want && q.Query["fuzzy"] == nil {
					t.Errorf("%s is %v, want %v", path, got, want)
				}
			}
		})
	}
	if asked < 28 {
		t.Errorf("the test asks only %d questions; 28 have a tool", asked)
	}
}

// TestAssistantIsNotSure checks that the results of tools warn about names without a safe match. A
// text that is not the name of a plant must get no accepted name with a score of 0.9 or more.
func TestAssistantIsNotSure(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, copySample(data, "wcvp", "wfo", "china"))
	ask := assistant(t, "--data", data)
	traps := map[string]string{
		"Rapana venosa":                   "no match",
		"Rattus norvegicus":               "no match",
		"Daphnia magna":                   "no match",
		"Homo sapiens":                    "no match",
		"Ganoderma lucidum":               "no match",
		"unknown shrub":                   "no match",
		"not a plant":                     "no match",
		"qwert zuiop":                     "no match",
		"枸杞多糖片剂":                          "",
		"Panax sp.":                       "",
		"Panax ginsen × quinquefolius 12": "",
		"石膏":                              "no match; it is a drug",
	}
	for name, want := range traps {
		t.Run(name, func(t *testing.T) {
			answer := ask("match_names", map[string]any{"names": []string{name}})["structuredContent"]
			doubts, _ := at(answer, "uncertain").([]any)
			if len(doubts) == 0 {
				t.Fatalf("the answer has no field uncertain: %v", answer)
			}
			for _, d := range doubts {
				if strings.Contains(d.(string), want) && strings.HasPrefix(d.(string), strconv.Quote(name)) {
					return
				}
			}
			if score, _ := at(answer, "answer.0.results.0.score").(float64); score >= 0.9 || want == "" {
				t.Errorf("uncertain is %v, want %q; score %v", doubts, want, score)
			}
		})
	}
	if result := ask("search", map[string]any{"kind": "formulas"}); result["isError"] != true {
		t.Errorf("without --scope, the tool returns formulas: %v", result)
	}
	if result := ask("search", map[string]any{"kind": "species", "family": "Araliacea"})["structuredContent"]; !strings.Contains(fmt.Sprint(at(result, "uncertain")), `no record has the family "Araliacea" (Araliaceae`) {
		t.Errorf("a search by an unknown family: %v", at(result, "uncertain"))
	}
	ask = assistant(t, "--data", data, "--scope", "prescriptions,prescription_composition")
	if result := ask("search", map[string]any{"kind": "formulas", "herbs": "renshen"})["structuredContent"]; !strings.Contains(fmt.Sprint(at(result, "uncertain")), `herbs "renshen" was read as 人参`) {
		t.Errorf("a search by a herb in pinyin: %v", at(result, "uncertain"))
	}
	if result := ask("patterns", map[string]any{"of": "herbs", "q": "贵枝汤"})["structuredContent"]; !strings.Contains(fmt.Sprint(at(result, "uncertain")), "forgiven; how=") {
		t.Errorf("patterns of a misspelt name: %v", at(result, "uncertain"))
	}
	if result := ask("search", map[string]any{"kind": "species", "q": "仁参"})["structuredContent"]; !strings.Contains(fmt.Sprint(at(result, "uncertain")), "sameSound") {
		t.Errorf("the answer does not name the deviation from the query that was accepted: %v", at(result, "uncertain"))
	}
}
