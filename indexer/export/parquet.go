package export

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"bencao/indexer/archive"
	"bencao/indexer/datapackage"

	"github.com/klauspost/compress/zstd"
)

// parquetMetadataFile holds [Content.Metadata].
const parquetMetadataFile = "metadata.parquet"

// groupRows is the maximum number of rows in a row group. The writer holds one row group in memory.
const groupRows = 100_000

// parquet returns a Parquet file for each table and one for the metadata. A table without rows has
// a file too, so that the same queries run on every export.
//
// The writer uses few of the format's options. For each column of a row group it writes one page of
// plain values, compressed with zstd. docs/decisions/dependencies.md explains why no library does
// this.
func parquet(c *Content) []archive.Entry {
	metadata := datapackage.Computed{TableSchema: datapackage.TableSchema{Columns: []datapackage.ColumnSchema{filled("key", "string"), filled("value", "string")}}}
	for _, kv := range c.Metadata() {
		metadata.Rows = append(metadata.Rows, kv[:])
	}
	entries := []archive.Entry{{Name: parquetMetadataFile, Write: func(w io.Writer) error {
		return writeParquet(w, metadata.Columns, slices.Values(metadata.Rows))
	}}}
	for _, t := range c.Schemas() {
		entries = append(entries, archive.Entry{Name: t.Name + ".parquet", Write: func(w io.Writer) error {
			return writeParquet(w, t.Columns, c.Rows(t.Name))
		}})
	}
	return entries
}

// These numbers come from the definition of the format, parquet.thrift.
const (
	parquetBoolean   = 0
	parquetInt64     = 2
	parquetDouble    = 5
	parquetByteArray = 6

	parquetRequired = 0
	parquetOptional = 1

	parquetPlain = 0
	parquetRLE   = 3
	parquetZstd  = 6
)

// parquetTypes maps types of the Table Schema to physical types of Parquet.
var parquetTypes = map[string]int64{"string": parquetByteArray, "integer": parquetInt64, "number": parquetDouble, "boolean": parquetBoolean}

const parquetMagic = "PAR1"

// writeParquet writes a table. An empty cell is null.
func writeParquet(w io.Writer, columns []datapackage.ColumnSchema, rows iter.Seq[[]string]) error {
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer compressor.Close()
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(parquetMagic)
	offset := int64(len(parquetMagic))
	pages := make([]parquetPage, len(columns))
	for i, c := range columns {
		pages[i].column = c
	}
	var groups []thrift
	var total, inGroup int64
	flush := func() {
		var chunks []thrift
		var size int64
		for i := range pages {
			p := &pages[i]
			plain := p.content()
			packed := compressor.EncodeAll(plain, nil)
			header := parquetPageHeader(inGroup, len(plain), len(packed))
			out.Write(header)
			out.Write(packed)
			length := int64(len(header) + len(packed))
			var meta thrift
			meta.int32(1, parquetTypes[p.column.Type])
			meta.list(2, thriftInt32, []thrift{varint(parquetPlain), varint(parquetRLE)})
			meta.list(3, thriftBinary, []thrift{text(p.column.Name)})
			meta.int32(4, parquetZstd)
			meta.int64(5, inGroup)
			meta.int64(6, int64(len(header)+len(plain)))
			meta.int64(7, length)
			meta.int64(9, offset)
			var chunk thrift
			chunk.int64(2, offset)
			chunk.structure(3, meta)
			chunks = append(chunks, chunk.end())
			offset += length
			size += int64(len(header) + len(plain))
			p.reset()
		}
		var group thrift
		group.list(1, thriftStruct, chunks)
		group.int64(2, size)
		group.int64(3, inGroup)
		groups = append(groups, group.end())
		total += inGroup
		inGroup = 0
	}
	for cells := range rows {
		for i := range pages {
			if err := pages[i].add(cells[i]); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		}
		if inGroup++; inGroup == groupRows {
			flush()
		}
	}
	if inGroup > 0 {
		flush()
	}
	footer := parquetFooter(columns, total, groups)
	out.Write(footer)
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	out.WriteString(parquetMagic)
	return out.Flush()
}

func parquetPageHeader(values int64, plain, packed int) []byte {
	var data, header thrift
	data.int32(1, values)
	data.int32(2, parquetPlain)
	data.int32(3, parquetRLE)
	data.int32(4, parquetRLE)
	header.int32(1, 0) // a data page
	header.int32(2, int64(plain))
	header.int32(3, int64(packed))
	header.structure(5, data)
	return header.end().bytes
}

func parquetFooter(columns []datapackage.ColumnSchema, rows int64, groups []thrift) []byte {
	var root thrift
	root.binary(4, "schema")
	root.int32(5, int64(len(columns)))
	schema := []thrift{root.end()}
	for _, c := range columns {
		var e thrift
		e.int32(1, parquetTypes[c.Type])
		repetition := int64(parquetOptional)
		if c.Required {
			repetition = parquetRequired
		}
		e.int32(3, repetition)
		e.binary(4, c.Name)
		if c.Type == "string" {
			e.int32(6, 0) // UTF-8
			var kind thrift
			kind.structure(1, thrift{}) // string
			e.structure(10, kind)
		}
		schema = append(schema, e.end())
	}
	var footer thrift
	footer.int32(1, 1) // the version
	footer.list(2, thriftStruct, schema)
	footer.int64(3, rows)
	footer.list(4, thriftStruct, groups)
	footer.binary(6, "bencao")
	return footer.end().bytes
}

// parquetPage collects the values of a column in a row group.
type parquetPage struct {
	column datapackage.ColumnSchema
	values []byte
	bits   int // number of bits in values, for a column of booleans
	// runs are the runs of cells with and without values. A run of n cells is stored as 2n+1 if the
	// cells have values, and as 2n if they are empty.
	runs []uint64
}

func (p *parquetPage) reset() { p.values, p.bits, p.runs = p.values[:0], 0, p.runs[:0] }

func (p *parquetPage) add(cell string) error {
	if !p.column.Required {
		present := uint64(0)
		if cell != "" {
			present = 1
		}
		if last := len(p.runs) - 1; last >= 0 && p.runs[last]&1 == present {
			p.runs[last] += 2
		} else {
			p.runs = append(p.runs, 2+present)
		}
		if cell == "" {
			return nil
		}
	}
	switch p.column.Type {
	case "integer":
		n, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return err
		}
		p.values = binary.LittleEndian.AppendUint64(p.values, uint64(n))
	case "number":
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return err
		}
		p.values = binary.LittleEndian.AppendUint64(p.values, math.Float64bits(x))
	case "boolean":
		if p.bits%8 == 0 {
			p.values = append(p.values, 0)
		}
		if cell == "true" {
			p.values[p.bits/8] |= 1 << (p.bits % 8)
		}
		p.bits++
	default:
		p.values = binary.LittleEndian.AppendUint32(p.values, uint32(len(cell)))
		p.values = append(p.values, cell...)
	}
	return nil
}

// content returns the page. If the column is optional, the runs and their length come first.
func (p *parquetPage) content() []byte {
	if p.column.Required {
		return p.values
	}
	var levels []byte
	for _, run := range p.runs {
		levels = binary.AppendUvarint(levels, run>>1<<1)
		levels = append(levels, byte(run&1))
	}
	page := binary.LittleEndian.AppendUint32(nil, uint32(len(levels)))
	return append(append(page, levels...), p.values...)
}

// thrift is a structure or a value in Thrift's compact protocol. Add the fields of a structure in
// ascending order.
type thrift struct {
	bytes []byte
	last  byte // the number of the last field
}

// These are the types of the protocol.
const (
	thriftInt32  = 5
	thriftInt64  = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

func (t *thrift) field(number, kind byte) {
	t.bytes = append(t.bytes, (number-t.last)<<4|kind)
	t.last = number
}

func (t *thrift) int32(number byte, n int64) { t.integer(number, thriftInt32, n) }
func (t *thrift) int64(number byte, n int64) { t.integer(number, thriftInt64, n) }

func (t *thrift) integer(number, kind byte, n int64) {
	t.field(number, kind)
	t.bytes = append(t.bytes, varint(n).bytes...)
}

func (t *thrift) binary(number byte, s string) {
	t.field(number, thriftBinary)
	t.bytes = append(t.bytes, text(s).bytes...)
}

func (t *thrift) structure(number byte, s thrift) {
	t.field(number, thriftStruct)
	t.bytes = append(t.bytes, s.end().bytes...)
}

func (t *thrift) list(number, kind byte, elements []thrift) {
	t.field(number, thriftList)
	if len(elements) < 15 {
		t.bytes = append(t.bytes, byte(len(elements))<<4|kind)
	} else {
		t.bytes = binary.AppendUvarint(append(t.bytes, 0xF0|kind), uint64(len(elements)))
	}
	for _, e := range elements {
		t.bytes = append(t.bytes, e.bytes...)
	}
}

// end adds the end mark of a structure.
func (t thrift) end() thrift { return thrift{bytes: append(t.bytes, 0)} }

func varint(n int64) thrift { return thrift{bytes: binary.AppendVarint(nil, n)} }

func text(s string) thrift {
	return thrift{bytes: append(binary.AppendUvarint(nil, uint64(len(s))), s...)}
}
