package main

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestKubernetesRunsTheProgram checks that the program has the commands, settings and addresses
// that the manifests name. The test in deploy/kubernetes/validate checks the fields of the
// manifests.
func TestKubernetesRunsTheProgram(t *testing.T) {
	variables := []string{redisVariable}
	for _, s := range allSettings {
		variables = append(variables, s.variable())
	}
	seen := map[string]int{}
	var walk func(file string, node any)
	walk = func(file string, node any) {
		switch node := node.(type) {
		case []any:
			for _, n := range node {
				walk(file, n)
			}
		case map[string]any:
			if args, ok := node["args"].([]any); ok && node["image"] == "bencao" {
				seen["args"]++
				var words []string
				for _, a := range args {
					words = append(words, a.(string))
				}
				root := newRoot()
				cmd, rest, err := root.Find(words)
				if err == nil {
					err = cmd.ParseFlags(rest)
				}
				if err == nil {
					err = cmd.ValidateArgs(cmd.Flags().Args())
				}
				if err != nil || cmd == root {
					t.Errorf("%s: bencao %s: %v", file, strings.Join(words, " "), err)
				}
			}
			name, _ := node["name"].(string)
			if strings.HasPrefix(name, "BENCAO_") {
				seen["variable"]++
				if !slices.Contains(variables, name) {
					t.Errorf("%s: %s is no setting", file, name)
				}
			}
			if get, ok := node["httpGet"].(map[string]any); ok {
				seen["probe"]++
				if path := get["path"]; get["port"] != "admin" || path != "/readyz" && path != "/healthz" {
					t.Errorf("%s: a probe requests %v at the port %v", file, path, get["port"])
				}
			}
			for _, n := range node {
				walk(file, n)
			}
		}
	}
	err := fs.WalkDir(os.DirFS(deploy("kubernetes")), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".yaml") {
			return err
		}
		for _, doc := range strings.Split(read(t, deploy("kubernetes", name)), "\n---\n") {
			var node any
			if err := yaml.Unmarshal([]byte(doc), &node); err != nil {
				return err
			}
			walk(name, node)
		}
		return nil
	})
	must(t, err)
	if seen["args"] < 5 || seen["variable"] < 15 || seen["probe"] < 3 {
		t.Errorf("the test finds only %v in the manifests", seen)
	}
}
