package datapackage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"bencao/indexer/archive"
	"bencao/indexer/finding"
	"bencao/internal/rows"
	"bencao/names/editdistance"
)

// descriptorFile is the file that describes a data package.
const descriptorFile = "datapackage.json"

// maxDescriptor is the maximum size of a descriptor in bytes.
const maxDescriptor = 16 << 20

// descriptor holds the properties of datapackage.json that this program reads.
type descriptor struct {
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	Version   string     `json:"version"`
	Created   string     `json:"created"`
	Licenses  []License  `json:"licenses"`
	Resources []resource `json:"resources"`

	Description  string       `json:"description"`
	Homepage     string       `json:"homepage"`
	Contributors contributors `json:"contributors"`

	dir string // folder of datapackage.json, to which paths are relative
}

// resource is one table of the package.
type resource struct {
	Name     string          `json:"name"`
	Path     oneOrMore       `json:"path"`
	Data     json.RawMessage `json:"data"`
	Encoding string          `json:"encoding"`
	Dialect  dialect         `json:"dialect"`
	Schema   schema          `json:"schema"`
	Bytes    *int64          `json:"bytes"`
	Computed bool            `json:"computed"` // an export of this program computed the table
	Hash     string          `json:"hash"`
}

// foldName returns a resource's name in the form used for comparison.
func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// contributors are the contributors of a descriptor. Anything other than a list of objects is
// ignored, since no table depends on it.
type contributors []Contributor

func (c *contributors) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, (*[]Contributor)(c)) != nil {
		*c = nil
	}
	return nil
}

// exclude removes the resources of the given tables, and those that an export computed.
func (d *descriptor) exclude(tables []string) {
	d.Resources = slices.DeleteFunc(d.Resources, func(r resource) bool { return r.Computed || slices.Contains(tables, foldName(r.Name)) })
}

// dialect describes how a resource's CSV differs from RFC 4180.
type dialect struct {
	Delimiter string `json:"delimiter"`
	QuoteChar string `json:"quoteChar"`
	Header    *bool  `json:"header"`
}

// csv returns the dialect for the row reader. For an unsupported dialect, it returns a message and
// a hint.
func (d dialect) csv() (csv rows.CSV, message, hint string) {
	if c := d.Delimiter; c != "" {
		if len(c) != 1 || strings.ContainsAny(c, "\"'\r\n") {
			return csv, fmt.Sprintf("the delimiter %q can't be read", c), `use one of , ; | and "\t"`
		}
		csv.Comma = rune(c[0])
	}
	if q := d.QuoteChar; q != "" {
		if q != `"` && q != `'` {
			return csv, fmt.Sprintf("the quotation mark %q can't be read", q), `use " or '`
		}
		csv.Quote = q[0]
	}
	return csv, "", ""
}

// schema is the part of a Table Schema that affects how cells are read. A package cannot change the
// columns and their types, because this program defines them.
type schema struct {
	MissingValues []string `json:"missingValues"`
}

// UnmarshalJSON ignores a schema that is only a path to another file.
func (s *schema) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return nil
	}
	type plain schema
	return json.Unmarshal(b, (*plain)(s))
}

// oneOrMore is a string or a list of strings.
type oneOrMore []string

// UnmarshalJSON accepts a string or a list.
func (o *oneOrMore) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`[`)) {
		return json.Unmarshal(b, (*[]string)(o))
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*o = oneOrMore{s}
	return nil
}

// readDescriptor reads datapackage.json. Its errors are fatal findings.
func readDescriptor(src *archive.Archive) (*descriptor, error) {
	refuse := func(code finding.Code, line int, message, hint string) (*descriptor, error) {
		return nil, finding.Finding{
			Severity: finding.Fatal, Code: code, File: descriptorFile, Line: line, Message: message, Hint: hint,
		}
	}
	name, ok := src.Find(descriptorFile)
	if !ok {
		return refuse(finding.Source, 0, src.Name()+" has no "+descriptorFile,
			"a data package needs one that names its tables; the files found are "+list(src.Files(), 10))
	}
	f, err := src.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxDescriptor+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(b) > maxDescriptor {
		return refuse(finding.Size, 0, fmt.Sprintf("more than %d bytes", maxDescriptor), "")
	}
	b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(b) {
		return refuse(finding.Encoding, 0, "the text is not UTF-8 but looks like "+rows.Guess(b), "save it as UTF-8")
	}
	d := &descriptor{dir: path.Dir(name)}
	if err := json.Unmarshal(b, d); err != nil {
		line := 0
		var syntax *json.SyntaxError
		var typ *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			line = 1 + bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n"))
		case errors.As(err, &typ):
			line = 1 + bytes.Count(b[:min(int(typ.Offset), len(b))], []byte("\n"))
		}
		return refuse(finding.Package, line, "not a data package: "+err.Error(), "compare it with the example in the documentation")
	}
	if len(d.Resources) == 0 {
		return refuse(finding.Package, 0, "names no resources", "list each table under resources, with name and path")
	}
	return d, nil
}

// file returns the path of a resource's file in the archive. Its errors are fatal findings.
func (d *descriptor) file(src *archive.Archive, r *resource) (string, error) {
	refuse := func(code finding.Code, message, hint string) (string, error) {
		return "", finding.Finding{
			Severity: finding.Fatal, Code: code, Table: r.Name, File: descriptorFile, Message: message, Hint: hint,
		}
	}
	switch {
	case len(r.Data) > 0:
		return refuse(finding.Package, fmt.Sprintf("resource %q holds its data itself", r.Name), "put the rows into a CSV file and name it under path")
	case len(r.Path) != 1:
		return refuse(finding.Package, fmt.Sprintf("resource %q has %d paths", r.Name, len(r.Path)), "give exactly one")
	case strings.Contains(r.Path[0], "://"):
		return refuse(finding.Package, fmt.Sprintf("resource %q is at %s", r.Name, r.Path[0]), "fetch the file and put it into the package")
	}
	name := path.Join(d.dir, r.Path[0])
	if src.Has(name) {
		return name, nil
	}
	hint := "the files found are " + list(src.Files(), 10)
	if near := editdistance.Nearest(r.Path[0], src.Files()); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	return refuse(finding.Source, fmt.Sprintf("resource %q: there is no file %s", r.Name, r.Path[0]), hint)
}

// list joins names. After the first most names, it only adds the number of the others.
func list(names []string, most int) string {
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Describe returns the name, the version and the date that a package states, without reading its
// tables. They are "" if the description cannot be read; [Read] reports that.
func Describe(src *archive.Archive) (name, version, created string) {
	d, err := readDescriptor(src)
	if err != nil {
		return "", "", ""
	}
	return d.Name, d.Version, d.Created
}
