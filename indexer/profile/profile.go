// Package profile takes the shape of a table, so that tonight's can be held
// against last night's without keeping either:
//
//	rows      how many, and a fingerprint of each cell of some thousands of them
//	columns   how many cells are filled, with which script, how long, how many differ
//	ending    whether the file is whole: its last row, its last line feed
//
// The rows of which fingerprints are kept are chosen by a hash of their key, so
// that both nights choose the same ones, wherever they stand. [Compare] says
// what became of them: changed, removed, moved, cut off.
//
// The package judges nothing: what is too much is for the gates to say.
package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// keep is how many rows of a table have fingerprints at least, if it has as
// many; at most it is twice that. A share of them is right to a few tenths of
// a percent.
const keep = 8192

// Profile is the shape of one table. The zero value is an empty table.
type Profile struct {
	// Rows is how many rows the table has.
	Rows int
	// Level says which rows are kept: those whose key's hash ends in so many
	// zero bits.
	Level int
	// Key are the columns that tell rows apart. None means that the whole row
	// does.
	Key []string
	// Columns are in the file's order.
	Columns []Column
	// Newest is the day, as in 2026-06-21, on which the newest record was made or
	// changed, as columns created and modified say; "" when none does.
	Newest string
	// Sorted says that the rows do not stand as they stood in the source, so
	// that their places say nothing. It is not written.
	Sorted bool
	// rows are kept in the file's order.
	rows []row
}

// Column says how the cells of a column look, of the rows that are kept.
type Column struct {
	Name string `json:"name"`
	// Filled cells are not empty. The rest counts among them.
	Filled int `json:"filled"`
	Han    int `json:"han"`    // with a Chinese character
	Latin  int `json:"latin"`  // with a Latin letter
	Digit  int `json:"digit"`  // with a digit
	Debris int `json:"debris"` // with what is left of a wrong encoding
	// Invisible cells hold a character that nobody sees, and are no debris. It is
	// negative if the night that took the shape did not count them.
	Invisible int `json:"invisible"`
	// Length are the quartiles of the cells' length in characters.
	Length [3]int `json:"length"`
	// Distinct is how many different values there are.
	Distinct int `json:"distinct"`
}

// row is a row that is kept.
type row struct {
	key   uint64
	place int32    // among all rows, from 0
	line  int32    // physical line; 0 when it was not read tonight
	cells []uint16 // a fingerprint for each column; 0 is an empty cell
	prev  []uint16 // those of the row before; nil for the first
}

// Kept is how many rows have fingerprints.
func (p *Profile) Kept() int { return len(p.rows) }

// Column returns a column by its name.
func (p *Profile) Column(name string) (Column, bool) {
	for _, c := range p.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}

// Key0 is the first column of the key, or "".
func (p *Profile) Key0() string {
	if len(p.Key) == 0 {
		return ""
	}
	return p.Key[0]
}

// Has tells whether there is a column of that name.
func (p *Profile) Has(name string) bool {
	_, ok := p.Column(name)
	return ok
}

// FNV-1a, https://datatracker.ietf.org/doc/html/rfc9923. Fingerprints are kept
// for another night's program, so they must not depend on a seed.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

func hashOf(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime64
	}
	return h
}

// mix spreads a hash over all its bits (SplitMix64's finaliser), since rows are
// chosen by the last of them.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// cellHash is 0 for an empty cell alone.
func cellHash(s string) uint16 {
	if s == "" {
		return 0
	}
	return max(1, uint16(mix(hashOf(offset64, s))))
}

// packed is a profile as it is written.
type packed struct {
	Rows    int      `json:"rows"`
	Level   int      `json:"level"`
	Key     []string `json:"key"`
	Columns []Column `json:"columns"`
	Newest  string   `json:"newest,omitempty"`
	// Kept holds the rows: key, place, and the cells' fingerprints, little
	// endian; behind them, when not all rows are kept, those of the row before.
	Kept []byte `json:"kept"`
}

// MarshalJSON writes the fingerprints as base64.
func (p *Profile) MarshalJSON() ([]byte, error) {
	out := packed{Rows: p.Rows, Level: p.Level, Key: p.Key, Columns: p.Columns, Newest: p.Newest}
	blank := make([]uint16, len(p.Columns))
	for _, r := range p.rows {
		out.Kept = binary.LittleEndian.AppendUint64(out.Kept, r.key)
		out.Kept = binary.LittleEndian.AppendUint32(out.Kept, uint32(r.place))
		for _, c := range r.cells {
			out.Kept = binary.LittleEndian.AppendUint16(out.Kept, c)
		}
		if p.Level == 0 {
			continue
		}
		prev := r.prev
		if prev == nil {
			prev = blank
		}
		for _, c := range prev {
			out.Kept = binary.LittleEndian.AppendUint16(out.Kept, c)
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads a column of any night before.
func (c *Column) UnmarshalJSON(b []byte) error {
	type plain Column
	in := plain{Invisible: -1}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*c = Column(in)
	return nil
}

// maxColumns bounds what is believed of a profile that was written.
const maxColumns = 10_000

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Profile) UnmarshalJSON(b []byte) error {
	var in packed
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	width := len(in.Columns)
	size := 12 + 2*width
	if in.Level > 0 {
		size += 2 * width
	}
	if in.Level < 0 || in.Level > 63 || width > maxColumns || len(in.Kept)%size != 0 {
		return fmt.Errorf("a profile of level %d, %d columns and %d bytes of rows", in.Level, width, len(in.Kept))
	}
	*p = Profile{Rows: in.Rows, Level: in.Level, Key: in.Key, Columns: in.Columns, Newest: in.Newest}
	cells := func(b []byte) []uint16 {
		out := make([]uint16, width)
		for i := range out {
			out[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		return out
	}
	for rest := in.Kept; len(rest) > 0; rest = rest[size:] {
		r := row{key: binary.LittleEndian.Uint64(rest), place: int32(binary.LittleEndian.Uint32(rest[8:])), cells: cells(rest[12:])}
		if in.Level > 0 && r.place > 0 {
			r.prev = cells(rest[12+2*width:])
		}
		p.rows = append(p.rows, r)
	}
	p.neighbours()
	return nil
}

// neighbours gives each row the one before it, when all are kept.
func (p *Profile) neighbours() {
	if p.Level > 0 {
		return
	}
	for i := 1; i < len(p.rows); i++ {
		p.rows[i].prev = p.rows[i-1].cells
	}
}

// Write writes profiles and whatever else belongs to a night, packed. Equal
// values give equal bytes.
func Write(w io.Writer, v any) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed) // fingerprints hardly shrink
	if err != nil {
		return err
	}
	if err := json.NewEncoder(z).Encode(v); err != nil {
		return err
	}
	return z.Close()
}

// maxWritten is the most bytes, unpacked, that [Read] takes.
const maxWritten = 1 << 30

// Read reads what [Write] wrote.
func Read(b []byte, v any) error {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return json.NewDecoder(io.LimitReader(z, maxWritten)).Decode(v)
}
