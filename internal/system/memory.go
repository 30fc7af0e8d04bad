package system

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// memory returns the memory that this process may use, in bytes: that of the machine, or less if a
// cgroup allows less. It returns 0 if that is not known. root is the root of the file system.
func memory(root fs.FS) int64 {
	least := int64(0)
	atMost := func(n int64) {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	b, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var kib int64
		if n, err := fmt.Sscanf(line, "MemTotal: %d kB", &kib); n == 1 && err == nil {
			atMost(kib << 10)
		}
	}
	limit := func(file string) {
		b, err := fs.ReadFile(root, file)
		if err != nil {
			return // this cgroup has no such limit
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil { // else it is "max"
			atMost(n)
		}
	}
	b, err = fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return least
	}
	for line := range strings.Lines(string(b)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		// A container sees its own cgroup as the root, whatever path the file names.
		for at := path.Join("/", group); ; at = path.Dir(at) {
			switch controllers {
			case "": // version 2
				limit(path.Join("sys/fs/cgroup", at, "memory.max"))
				limit(path.Join("sys/fs/cgroup", at, "memory.high"))
			case "memory": // version 1
				limit(path.Join("sys/fs/cgroup/memory", at, "memory.limit_in_bytes"))
			}
			if at == "/" {
				break
			}
		}
	}
	return least
}
