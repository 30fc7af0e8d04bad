package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"bencao/api/ask"
	"bencao/internal/test/hostile"
	"bencao/internal/test/testkit"
	"bencao/mappings"
)

// must ends the test if there is an error.
var must = testkit.Must

// refuses is an API that refuses every request except /version.
func refuses(_ context.Context, path string, _ url.Values) (ask.Answer, error) {
	if path == "/version" {
		return answerOf("1", `{"dataVersion":"1","citation":"c","license":"l"}`), nil
	}
	return ask.Answer{}, &ask.StatusError{Status: 404, Detail: "no such record"}
}

// answerOf returns an answer from a version of the data.
func answerOf(version, body string) ask.Answer {
	return ask.Answer{Header: http.Header{"X-Data-Version": {version}}, Body: []byte(body)}
}

// talk sends text to a server as its input and returns the server's answers.
func talk(t testing.TB, text string) (answers []response) {
	t.Helper()
	var out bytes.Buffer
	must(t, Serve(context.Background(), strings.NewReader(text), &out, refuses, Options{Version: "1"}))
	for line := range strings.Lines(out.String()) {
		var r response
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Version != "2.0" || len(r.ID) == 0 {
			t.Fatalf("the answer is no response (%v): %q", err, line)
		}
		answers = append(answers, r)
	}
	return answers
}

func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		name, sent string
		code       int    // code of the wanted error, or 0
		contains   string // text that the result must contain; if it is "" and code is 0, there must be no answer
	}{
		{"ping", `{"jsonrpc":"2.0","id":"a","method":"ping"}`, 0, "{}"},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0, ""},
		{"an empty line", " ", 0, ""},
		{"no JSON", `{"jsonrpc"`, codeParse, ""},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, codeRequest, ""},
		{"another protocol", `{"id":1,"method":"ping"}`, codeRequest, ""},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, codeUnknownMethod, ""},
		{"an unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop"}}`, codeParameters, ""},
		{"a long message", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", 3*maxLine) + `"}`, codeRequest, ""},
		{"a version of the future", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"3000-01-01"}}`, 0, versions[0]},
		{"an old version", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`, 0, "2024-11-05"},
		{"a refusal", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"record","arguments":{"kind":"species","id":"x"}}}`, 0, "no such record"},
		{"a missing argument", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"record","arguments":{"kind":"species"}}}`, 0, "id is missing"},
		{"an unknown argument", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"about","arguments":{"key":"x"}}}`, 0, `has no argument \"key\"`},
		{"a wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"kind":"species","page":"1"}}}`, 0, "not of type integer"},
		{"a wrong table", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"kind":"keys"}}}`, 0, "use one of species"},
		{"papers of a herb", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"linked","arguments":{"kind":"herbs","id":"1","to":"papers"}}}`, 0, "formulas alone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Whatever happens to the message of the test, the server must answer the next message.
			answers := talk(t, tt.sent+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
			if len(answers) == 0 || string(answers[len(answers)-1].ID) != `"last"` {
				t.Fatalf("the next message has no answer: %v", answers)
			}
			if answers = answers[:len(answers)-1]; tt.code == 0 && tt.contains == "" {
				if len(answers) > 0 {
					t.Errorf("it is answered: %+v", answers)
				}
				return
			}
			if len(answers) != 1 {
				t.Fatalf("%d answers, want one", len(answers))
			}
			a := answers[0]
			if tt.code != 0 {
				if a.Error == nil || a.Error.Code != tt.code {
					t.Errorf("error %+v, want %d", a.Error, tt.code)
				}
				return
			}
			text, err := json.Marshal(a.Result)
			if err != nil || a.Error != nil || !strings.Contains(string(text), tt.contains) && !strings.Contains(string(text), strings.ReplaceAll(tt.contains, `\`, `\\\`)) {
				t.Errorf("result %s, error %+v, %v; want one with %s", text, a.Error, err, tt.contains)
			}
		})
	}
}

// TestSchemas checks that every tool declares itself read-only and that no tool has a parameter for
// a key.
func TestSchemas(t *testing.T) {
	text, err := json.Marshal(talk(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)[0].Result)
	must(t, err)
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct{ Properties map[string]any }
			Annotations       struct{ ReadOnlyHint bool }
		}
	}
	must(t, json.Unmarshal(text, &list))
	if len(list.Tools) != len(tools) {
		t.Fatalf("%d tools, want %d", len(list.Tools), len(tools))
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("%s is not said to be read-only, or has no description", tool.Name)
		}
		for name := range tool.InputSchema.Properties {
			if strings.Contains(strings.ToLower(name), "key") {
				t.Errorf("%s has the parameter %s", tool.Name, name)
			}
		}
	}
}

// FuzzServe checks that any input gets only valid responses, that nothing panics, and that a session
// ends with the error of its input.
func FuzzServe(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"match_names","arguments":{"names":["Panax ginseng"]}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n{}\n[]\n")
	f.Add(`{"a":"` + strings.Repeat("x", maxLine))
	f.Fuzz(func(t *testing.T, text string) {
		talk(t, text)
		for r, want := range hostile.Readers([]byte(text)) {
			if err := Serve(t.Context(), r, io.Discard, refuses, Options{Version: "1"}); err != nil && want == io.EOF || !errors.Is(err, want) && want != io.EOF {
				t.Errorf("%.100q, then %v: the session ends with %v", text, want, err)
			}
		}
	})
}

// TestVersionIsAskedOnce checks that a session requests /version once, and once more after the
// version of the data has changed.
// TestSearchIsTheAPI draws texts with the signs that people type, and compares what the assistant asks
// and gets with what was typed and what the API answers.
func TestSearchIsTheAPI(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, seed))
	pieces := []string{"人参", "当归 10g", "guizhi tang", "《伤寒论》", "不含附子", "公元219年", "\t", "\n", "，", "\"", "\\", "+", "&", "%", "？", "ㄖㄣˊ", "ginseng", " "}
	for range 200 {
		typed := ""
		for range 1 + r.IntN(12) {
			typed += pieces[r.IntN(len(pieces))]
		}
		kind := mappings.Tables[r.IntN(len(mappings.Tables))]
		var path, q string
		body := `{"total":1,"items":[{"name":"甲汤"}]}`
		get := func(ctx context.Context, at string, query url.Values) (ask.Answer, error) {
			if at == "/version" {
				return refuses(ctx, at, query)
			}
			path, q = at, query.Get("q")
			return answerOf("1", body), nil
		}
		arguments, err := json.Marshal(map[string]string{"kind": kind, "q": typed})
		must(t, err)
		var out bytes.Buffer
		must(t, Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":`+string(arguments)+"}}\n"), &out, get, Options{Version: "1"}))
		var answer struct {
			Result struct{ StructuredContent answered }
		}
		must(t, json.Unmarshal(out.Bytes(), &answer))
		if path != "/"+kind || q != typed || string(answer.Result.StructuredContent.Answer) != body {
			t.Fatalf("seed %d: %q in %s is asked as %s?q=%q and answered by %s", seed, typed, kind, path, q, out.String())
		}
	}
}

func TestVersionIsAskedOnce(t *testing.T) {
	version, asked := "1", map[string]int{}
	get := func(_ context.Context, path string, _ url.Values) (ask.Answer, error) {
		asked[path]++
		if path == "/version" {
			return answerOf(version, `{"dataVersion":"`+version+`","citation":"of `+version+`","license":"l"}`), nil
		}
		return answerOf(version, `{}`), nil
	}
	s := &server{ask: get}
	for i, want := range []int{1, 1, 2, 2} {
		if i == 2 {
			version = "2"
		}
		got, err := s.try(t.Context(), tools[4], nil) // the tool that counts records
		must(t, err)
		if asked["/version"] != want || got.DataVersion != version || got.Citation != "of "+version {
			t.Errorf("call %d: the version was asked %d times, want %d; the answer is of %s", i, asked["/version"], want, got.DataVersion)
		}
	}
}

// TestHerbKind checks that herbKind becomes the API's parameter kind, and that the argument kind
// remains the table.
func TestHerbKind(t *testing.T) {
	for _, tool := range []string{"search", "counts"} {
		asked := ""
		api := func(ctx context.Context, path string, query url.Values) (ask.Answer, error) {
			if path != "/version" {
				asked = path + "?kind=" + query.Get("kind")
			}
			return refuses(ctx, path, query)
		}
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"kind":"herbs","herbKind":"mineral"}}}` + "\n"
		var out bytes.Buffer
		must(t, Serve(t.Context(), strings.NewReader(call), &out, api, Options{Version: "1"}))
		if want := map[string]string{"search": "/herbs?kind=mineral", "counts": "/herbs/facets?kind=mineral"}[tool]; asked != want {
			t.Errorf("%s asks %s, want %s: %s", tool, asked, want, out.String())
		}
	}
}
