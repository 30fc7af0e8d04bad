package hostile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// zipKinds returns the kinds that damage the zip file or its headers.
func zipKinds() []Kind {
	all := []Kind{
		kind("zip/truncated", func(r *rand.Rand) []byte {
			b := pack(validParts())
			return b[:between(r, 4, len(b)-1)]
		}),
		kind("zip/flipped", func(r *rand.Rand) []byte {
			b := pack(validParts())
			return append([]byte("PK\x03\x04"), flip(r, string(b[4:]), between(r, 1, 30))...)
		}),
		kind("zip/noise", func(r *rand.Rand) []byte {
			b := []byte("PK\x03\x04")
			for range between(r, 0, 60_000) {
				b = append(b, byte(r.Uint32()))
			}
			return b
		}),
		kind("zip/many entries", func(r *rand.Rand) []byte {
			parts := validParts()
			for i := range between(r, 1000, 20_000) {
				parts = append(parts, part{name: fmt.Sprint(i)})
			}
			return pack(parts)
		}),
		kind("zip/directory of many entries", func(r *rand.Rand) []byte {
			b := pack(validParts())
			at := directory(b)
			entry := bytes.Clone(b[at : at+46])
			clear(entry[20:46]) // no name; the file begins at byte 0 of the zip
			end := bytes.Clone(b[bytes.LastIndex(b, []byte("PK\x05\x06")):])
			n := between(r, 1000, 90_000)
			b = append(b[:at:at], bytes.Repeat(entry, n)...)
			binary.LittleEndian.PutUint16(end[8:], uint16(n))
			binary.LittleEndian.PutUint16(end[10:], uint16(n))
			binary.LittleEndian.PutUint32(end[12:], uint32(n*46))
			return append(b, end...)
		}),
		kind("zip/entries that overlap", func(r *rand.Rand) []byte {
			parts := validParts()
			p := &parts[sheetPart]
			p.times = (8 << 20) / len(p.body)
			for i := range 200 {
				parts = append(parts, part{name: fmt.Sprintf("xl/worksheets/sheet%d.xml", i+2)})
			}
			b := pack(parts)
			at, heads := directory(b), [][]byte{}
			for b[at+2] == 1 { // an entry begins with "PK\x01\x02"
				size := 46 + int(binary.LittleEndian.Uint16(b[at+28:])) + int(binary.LittleEndian.Uint16(b[at+30:])) + int(binary.LittleEndian.Uint16(b[at+32:]))
				heads = append(heads, b[at:at+size])
				at += size
			}
			for _, h := range heads[sheetPart:] {
				copy(h[16:28], heads[sheetPart][16:28])
				copy(h[42:46], heads[one(r, sheetPart, sheetPart, r.IntN(len(heads)))][42:46])
			}
			return b
		}),
		kind("zip/end that lies", func(r *rand.Rand) []byte {
			b := pack(validParts())
			end := b[bytes.LastIndex(b, []byte("PK\x05\x06")):]
			for range between(r, 1, 3) {
				binary.LittleEndian.PutUint32(end[one(r, 4, 8, 12, 16):], one(r, 0, 1, 0xffffffff, 0xffff, r.Uint32()))
			}
			return b
		}),
		kind("zip/zip64", func(r *rand.Rand) []byte {
			b := pack(validParts())
			at := bytes.LastIndex(b, []byte("PK\x05\x06"))
			end := bytes.Clone(b[at:])
			long := make([]byte, 56+20)
			copy(long, "PK\x06\x06")
			binary.LittleEndian.PutUint64(long[4:], 44)
			n, size, from := uint64(binary.LittleEndian.Uint16(end[10:])), uint64(binary.LittleEndian.Uint32(end[12:])), uint64(binary.LittleEndian.Uint32(end[16:]))
			for i, v := range []uint64{n, n, size, from} {
				if r.IntN(4) == 0 {
					v = one(r, 1<<62, 1<<40, 0, r.Uint64())
				}
				binary.LittleEndian.PutUint64(long[24+8*i:], v)
			}
			copy(long[56:], "PK\x06\x07")
			binary.LittleEndian.PutUint64(long[64:], uint64(at))
			binary.LittleEndian.PutUint32(long[72:], 1)
			copy(end[8:20], bytes.Repeat([]byte{0xff}, 12))
			return slices.Concat(b[:at], long, end)
		}),
		kind("zip/long comment", func(r *rand.Rand) []byte {
			b := pack(validParts())
			n := between(r, 1, 65535)
			binary.LittleEndian.PutUint16(b[len(b)-2:], uint16(n))
			return append(b, bytes.Repeat([]byte(one(r, "PK\x05\x06", "x")), 65536)[:n]...)
		}),
		kind("zip/twice the same part", func(r *rand.Rand) []byte {
			parts := validParts()
			return pack(append(parts, parts[r.IntN(len(parts))], parts[r.IntN(len(parts))]))
		}),
		kind("zip/workbook in a workbook", func(r *rand.Rand) []byte {
			b := pack(validParts())
			for range between(r, 1, 6) {
				parts := validParts()
				parts[one(r, bookPart, relsPart, stringsPart, sheetPart)].head = string(b)
				b = pack(parts)
			}
			return b
		}),
		kind("zip/something before it", func(r *rand.Rand) []byte {
			return append([]byte("PK\x03\x04"+strings.Repeat("x", r.IntN(10_000))), pack(validParts())...)
		}),
		kind("zip/old workbook", func(r *rand.Rand) []byte {
			return append([]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(60_000))...)
		}),
	}
	for name, change := range headers {
		all = append(all, kind("zip/"+name, func(r *rand.Rand) []byte {
			parts := validParts()
			if r.IntN(2) == 0 {
				parts[sheetPart].times = between(r, 1, 1<<20)
			}
			parts[one(r, rootPart, bookPart, relsPart, stringsPart, sheetPart)].change = func(h *zip.FileHeader) { change(r, h) }
			return pack(parts)
		}))
	}
	slices.SortFunc(all, func(a, b Kind) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// headers lists ways to put false values into the zip header of a part.
var headers = map[string]func(r *rand.Rand, h *zip.FileHeader){
	"wrong size": func(r *rand.Rand, h *zip.FileHeader) {
		h.UncompressedSize64 = one(r, 0, 1, h.UncompressedSize64-1, h.UncompressedSize64+1, 100<<20, 1<<32, 1<<62)
	},
	"wrong packed size": func(r *rand.Rand, h *zip.FileHeader) {
		h.CompressedSize64 = one(r, 0, 1, h.CompressedSize64-1, h.CompressedSize64+1, 100<<20, 1<<32, 1<<62)
	},
	"wrong checksum": func(r *rand.Rand, h *zip.FileHeader) { h.CRC32 = r.Uint32() },
	"encrypted":      func(_ *rand.Rand, h *zip.FileHeader) { h.Flags |= 1 },
	"other method": func(r *rand.Rand, h *zip.FileHeader) {
		h.Method = one(r, zip.Store, 9, 12, 14, 93, 99, uint16(r.Uint32()))
	},
	"descriptor": func(_ *rand.Rand, h *zip.FileHeader) { h.Flags |= 8 },
	"extra fields": func(r *rand.Rand, h *zip.FileHeader) {
		h.Extra = bytes.Repeat([]byte{byte(r.Uint32()), 0, byte(r.IntN(9)), 0}, r.IntN(10_000))
	},
}

// directory returns the start of the central directory of a zip.
func directory(b []byte) int { return bytes.Index(b, []byte("PK\x01\x02")) }
