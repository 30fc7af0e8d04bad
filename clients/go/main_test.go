package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"bencao.example/client/bencao"
)

// question is a question of ../questions.json.
type question struct {
	Op     string
	Path   map[string]string
	Query  json.RawMessage
	Key    string
	Status int
	Is     map[string]any
}

// TestQuestions asks the questions in ../questions.json by the methods that oapi-codegen has
// generated. It encodes the typed answers as JSON again and compares them with the expected values.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("../questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var questions []question
	if err := json.Unmarshal(text, &questions); err != nil {
		t.Fatal(err)
	}
	if len(questions) < 30 {
		t.Errorf("%d questions, want at least 30", len(questions))
	}
	keys := map[string]string{"": os.Getenv("BENCAO_API_KEY"), "open": os.Getenv("OPEN_KEY")}
	for _, q := range questions {
		t.Run(fmt.Sprint(q.Op, q.Path, string(q.Query)), func(t *testing.T) {
			c, err := client(os.Getenv("BENCAO_SERVER"), keys[q.Key])
			if q.Key == "none" {
				c, err = bencao.NewClientWithResponses(os.Getenv("BENCAO_SERVER"))
			}
			if err != nil {
				t.Fatal(err)
			}
			answer := ask(t, c, q)
			if status := answer.Elem().FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode; status != q.Status {
				t.Fatalf("status %d, want %d: %s", status, q.Status, answer.Elem().FieldByName("Body").Bytes())
			}
			name := "JSON200"
			if q.Status != http.StatusOK {
				name = "ApplicationproblemJSON" + strconv.Itoa(q.Status)
			}
			body := plain(t, answer.Elem().FieldByName(name).Interface())
			for place, want := range q.Is {
				if got := at(body, place); !reflect.DeepEqual(got, want) {
					t.Errorf("%s is %v, want %v", place, got, want)
				}
			}
		})
	}
}

// ask calls the method for the question's operation and returns the answer.
func ask(t *testing.T, c *bencao.ClientWithResponses, q question) reflect.Value {
	name := ""
	for word := range strings.SplitSeq(q.Op, ".") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	method := reflect.ValueOf(c).MethodByName(name + "WithResponse")
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		in := method.Type().In(i)
		if in.Kind() == reflect.String {
			given = append(given, reflect.ValueOf(q.Path["guid"]))
			continue
		}
		params := reflect.New(in.Elem())
		if q.Query != nil {
			if err := json.Unmarshal(q.Query, params.Interface()); err != nil {
				t.Fatal(err)
			}
		}
		given = append(given, params)
	}
	results := method.Call(given)
	if !results[1].IsNil() {
		t.Fatal(results[1].Interface())
	}
	return results[0]
}

// plain converts a typed value to the types that encoding/json uses for unknown JSON.
func plain(t *testing.T, typed any) any {
	text, err := json.Marshal(typed)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// at returns the part of a JSON value at a place such as items.0.name. The last step may be length,
// for the length of a list.
func at(value any, place string) any {
	for step := range strings.SplitSeq(place, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil {
				return float64(len(v))
			}
			if i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func TestExample(t *testing.T) {
	c, err := client(os.Getenv("BENCAO_SERVER"), os.Getenv("BENCAO_API_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	size := int32(50)
	for one, err := range species(t.Context(), c, bencao.SpeciesSearchParams{PageSize: &size}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, text(one.ScientificName))
	}
	if len(names) != 296 {
		t.Errorf("%d species, want 296", len(names))
	}
	found, err := match(t.Context(), c, names)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range found {
		if len(answer.Results) != 1 {
			t.Errorf("%s has %d results, want 1", names[i], len(answer.Results))
		}
	}
	if len(found) != len(names) {
		t.Errorf("%d answers to %d names", len(found), len(names))
	}
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"人参 Panax ginseng", "Panax ginsen means Panax ginseng"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the example does not say %q:\n%s", want, &out)
		}
	}
}
