package access

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// endLine is the last line of an access file. A file that was cut off lacks it, and may grant more
// rights than the complete file: without its last lines, a disabled key would work.
const endLine = "# end of access file"

// document is an access file as the TOML library reads and writes it.
type document struct {
	Anonymous *anonymousBlock `toml:"anonymous,omitempty"`
	Keys      []keyBlock      `toml:"key,omitempty"`
}

// keyBlock is a [[key]] block.
type keyBlock struct {
	ID       string   `toml:"id"`
	Name     string   `toml:"name,omitempty"`
	Hash     string   `toml:"hash"`
	Networks []string `toml:"networks"`
	AllowAny bool     `toml:"allow_any,omitempty"`
	Scopes   []string `toml:"scopes"`
	Rate     int      `toml:"rate"`
	Expires  any      `toml:"expires,omitempty"` // toml.LocalDate or time.Time
	Disabled bool     `toml:"disabled,omitempty"`
	Note     string   `toml:"note,omitempty"`
}

type anonymousBlock struct {
	Rate int `toml:"rate"`
}

// Parse reads the text of an access file. path is used in errors only. Parse is strict: it refuses
// names that it does not know, and a text that does not end with the last line of an access file.
// The error lists the problems, one per line, each with the line in the file or the key.
func Parse(path string, data []byte) (*Table, error) {
	if line := lineOfKey(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: this is a key in clear text, but only hashes belong here; remove it, and create a new key, because others may have seen this one", path, line)
	}
	if text := bytes.TrimRight(data, " \t\r\n"); string(text[bytes.LastIndexByte(text, '\n')+1:]) != endLine {
		return nil, fmt.Errorf("%s: the last line is not %q, so the file may be cut off; if it is complete, write this line at its end", path, endLine)
	}
	var doc document
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return nil, tomlError(path, err)
	}
	entries, problems := doc.entries()
	rate := 0
	if doc.Anonymous != nil {
		rate = doc.Anonymous.Rate
		if err := checkRate(rate); err != nil {
			problems = append(problems, fmt.Errorf("[anonymous]: %w", err))
		}
	}
	if len(problems) > 0 {
		for i, err := range problems {
			problems[i] = fmt.Errorf("%s: %w", path, err)
		}
		return nil, errors.Join(problems...)
	}
	t := newTable(entries, rate)
	if len(entries) == 0 && rate == 0 {
		t.warnings = append(t.warnings, `no keys, so the server refuses all requests; make one with "bencao keys create"`)
	}
	return t, nil
}

// tomlError returns an error of the TOML library with the file and the line. The library's messages
// quote at most one character of the text.
func tomlError(path string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		var problems []error
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			problems = append(problems, fmt.Errorf("%s:%d: unknown name %q", path, line, cut(strings.Join(unknown.Errors[i].Key(), "."))))
		}
		return errors.Join(problems...)
	}
	var wrong *toml.DecodeError
	if !errors.As(err, &wrong) {
		return fmt.Errorf("%s: %w", path, err)
	}
	line, _ := wrong.Position()
	text := strings.TrimPrefix(wrong.Error(), "toml: ")
	if given, mismatch := strings.CutPrefix(text, "cannot decode TOML "); mismatch {
		given, _, _ = strings.Cut(given, " into ")
		text = fmt.Sprintf("the value of %q must not be of the kind %s", cut(strings.Join(wrong.Key(), ".")), given)
	}
	return fmt.Errorf("%s:%d: %s", path, line, text)
}

// entries returns the keys of the file, and what is wrong with them.
func (d *document) entries() (entries []Entry, problems []error) {
	ids, hashes := map[string]bool{}, map[Hash]string{}
	for i, b := range d.Keys {
		report := func(err error) {
			if err == nil {
				return
			}
			name := fmt.Sprintf("%d", i+1)
			if b.ID != "" {
				name = fmt.Sprintf("%q", cut(b.ID))
			}
			problems = append(problems, fmt.Errorf("key %s: %w", name, err))
		}
		e := Entry{ID: b.ID, Name: b.Name, AllowAny: b.AllowAny, Rate: b.Rate, Disabled: b.Disabled, Note: b.Note}
		report(CheckID(b.ID))
		if ids[b.ID] {
			report(errors.New("the id is given twice; give each key an id of its own"))
		}
		ids[b.ID] = true
		var err error
		if e.Hash, err = ParseHash(b.Hash); err != nil {
			report(fmt.Errorf(`hash %w; "bencao keys create" writes it`, err))
		} else if other, twice := hashes[e.Hash]; twice {
			report(fmt.Errorf("hash is that of key %q too; one key cannot have two sets of rights", cut(other)))
		}
		hashes[e.Hash] = b.ID
		e.Networks, err = readNetworks(b)
		report(err)
		for _, name := range b.Scopes {
			s, err := ParseScope(name)
			report(err)
			e.Scopes |= s
		}
		report(checkRate(b.Rate))
		e.Expires, err = readExpiry(b.Expires)
		report(err)
		report(CheckProse("name", b.Name))
		report(CheckProse("note", b.Note))
		entries = append(entries, e)
	}
	return entries, problems
}

func readNetworks(b keyBlock) ([]netip.Prefix, error) {
	if len(b.Networks) == 0 {
		return nil, errors.New("networks is empty, so the key works nowhere; list a network such as 192.0.2.0/24, or set disabled = true")
	}
	networks := make([]netip.Prefix, len(b.Networks))
	for i, text := range b.Networks {
		var err error
		if networks[i], err = ParseNetwork(text); err != nil {
			return nil, err
		}
	}
	if err := TooWide(networks); err != nil && !b.AllowAny {
		return nil, fmt.Errorf("%w; add allow_any = true to the key if that is meant", err)
	}
	return networks, nil
}

// checkRate checks a number of requests per minute.
func checkRate(rate int) error {
	if rate < 1 || rate > MaxRate {
		return fmt.Errorf("rate is %d; use a whole number from 1 to %d, in requests per minute", rate, MaxRate)
	}
	return nil
}

func readExpiry(value any) (time.Time, error) {
	switch v := value.(type) {
	case nil:
		return time.Time{}, nil
	case toml.LocalDate:
		return ParseExpiry(v.String())
	case time.Time:
		return ParseExpiry(v.Format(time.RFC3339Nano))
	}
	return time.Time{}, errors.New("expires must be a date, or a date and time with a zone, without quotes; write expires = 2027-01-01")
}

// lineOfKey returns the number of the first line that has a key in clear text, or 0.
func lineOfKey(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if holdsKey(string(line)) {
			return n
		}
	}
	return 0
}
