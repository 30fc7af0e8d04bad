package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAssistant calls tools of "bencao mcp" through the client of the official SDK, as assistants
// do.
func TestAssistant(t *testing.T) {
	program := exec.CommandContext(t.Context(), os.Getenv("BENCAO"), "mcp", "--server", os.Getenv("BENCAO_SERVER"))
	program.Stderr = os.Stderr
	ctx := context.Background()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: program}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 7 {
		t.Errorf("%d tools, want 7", len(list.Tools))
	}
	for _, call := range []struct {
		tool      string
		arguments map[string]any
		want      string // a text that the answer must contain
		refused   bool
	}{
		{"match_names", map[string]any{"names": []string{"Panax ginsen", "Homo sapiens"}}, `"acceptedName":"Panax ginseng"`, false},
		{"match_names", map[string]any{"names": []string{"Homo sapiens"}}, `no match`, false},
		{"search", map[string]any{"kind": "formulas", "q": "桂枝汤", "dynasty": "汉"}, `"year":219`, false},
		{"search", map[string]any{"kind": "species", "pageSize": 1000}, `use a whole number from 1 to 100`, true},
		{"record", map[string]any{"kind": "species", "id": "af3292fc-12d3-59b2-83b2-9deda4bc842a"}, `"chineseName":"人参"`, false},
		{"linked", map[string]any{"kind": "species", "id": "af3292fc-12d3-59b2-83b2-9deda4bc842a", "to": "formulas"}, `"items":[{`, false},
		{"counts", map[string]any{"kind": "formulas", "by": "dynasty"}, `"by":"dynasty"`, false},
		{"patterns", map[string]any{"of": "herbs", "dynasty": "汉"}, `"name":"甘草"`, false},
		{"about", nil, `"sources":[`, false},
	} {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.tool, Arguments: call.arguments})
		if err != nil {
			t.Fatalf("%s: %v", call.tool, err)
		}
		text, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range result.Content {
			text = append(text, c.(*mcp.TextContent).Text...)
		}
		if result.IsError != call.refused || !strings.Contains(string(text), call.want) {
			t.Errorf("%s %v (refused: %v): %.500s; want %s", call.tool, call.arguments, result.IsError, text, call.want)
		}
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
}
