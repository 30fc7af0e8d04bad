package file

// Hash returns a 64-bit hash of a text. It is part of the file format, so it must be the same in
// every process. It does not resist deliberate collisions. It need not, because attackers cannot
// choose the names in checklists.
func Hash[T []byte | string](key T) uint64 {
	h := uint64(len(key))*0x9E3779B97F4A7C15 ^ 0x2545F4914F6CDD1D
	for len(key) >= 8 {
		h = mix(h ^ (uint64(key[0]) | uint64(key[1])<<8 | uint64(key[2])<<16 | uint64(key[3])<<24 |
			uint64(key[4])<<32 | uint64(key[5])<<40 | uint64(key[6])<<48 | uint64(key[7])<<56))
		key = key[8:]
	}
	var w uint64
	for i := range len(key) {
		w |= uint64(key[i]) << (8 * i)
	}
	return mix(h ^ w)
}

// mix is the finalizer of splitmix64 with the constants of rrmxmx, see
// https://mostlymangling.blogspot.com/2018/07/on-mixing-functions-in-fast-splittable.html.
func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h ^ h>>32
}
