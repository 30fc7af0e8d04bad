package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"bencao/api"
)

// TestClient lints the OpenAPI document, generates a TypeScript client, and compiles it against
// answers of a server: see testdata/client.
func TestClient(t *testing.T) {
	if os.Getenv("BENCAO_NODE") != "1" {
		t.Skip("SKIPPED: the document is not linted and no TypeScript client is checked; set BENCAO_NODE=1, with node and npm, to do both")
	}
	s := start(t, config{})
	var out bytes.Buffer
	out.WriteString("import type { Answers, Schemas } from \"./check.js\";\n\nexport const answers: Answers = {\n")
	for _, e := range endpoints(t) {
		record(t, &out, fmt.Sprintf("  %q: ", e.op), s.get(t, e.path).wantStatus(t, http.StatusOK))
	}
	out.WriteString("};\n\n// Without scopes, parts of a formula are null.\nexport const unscoped: Answers[\"formulas.detail\"][] = [\n")
	record(t, &out, "  ", s.do(t, http.MethodGet, "/api/v1/formulas/"+guizhiTang, "formulas").wantStatus(t, http.StatusOK))
	out.WriteString("];\n\nexport const problems: Schemas[\"Problem\"][] = [\n")
	for _, path := range []string{"/nowhere", "/api/v1/species?page=0", "/api/v1/species/" + nobody} {
		record(t, &out, "  ", s.get(t, path))
	}
	record(t, &out, "  ", s.do(t, http.MethodGet, "/api/v1/stats", ""))
	out.WriteString("];\n")

	dir := t.TempDir()
	for name, content := range map[string][]byte{"openapi.json": api.OpenAPI(), "recorded.ts": out.Bytes()} {
		must(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	script, err := filepath.Abs("testdata/client/check.sh")
	must(t, err)
	check := exec.CommandContext(t.Context(), script, dir)
	got, err := check.CombinedOutput()
	t.Logf("%s", got)
	if err != nil {
		t.Errorf("%s: %v", script, err)
	}
}

// record writes an answer as TypeScript, which includes JSON.
func record(tb testing.TB, out *bytes.Buffer, before string, r reply) {
	tb.Helper()
	if !json.Valid(r.body) {
		tb.Fatalf("%s: not JSON: %s", r.Request.URL, r.body)
	}
	fmt.Fprintf(out, "%s%s,\n", before, bytes.TrimSpace(r.body))
}
