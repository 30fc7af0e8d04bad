package system

import (
	"testing"
	"testing/fstest"
)

// TestMemory reads the memory of machines with and without cgroups.
func TestMemory(t *testing.T) {
	const meminfo = "MemTotal:       24000000 kB\nMemFree:         1000000 kB\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"another system", nil, 0},
		{"a machine", map[string]string{"proc/meminfo": meminfo}, 24_000_000 << 10},
		{"a service without a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/bencao-index.service\n",
			"sys/fs/cgroup/system.slice/bencao-index.service/memory.max": "max\n"}, 24_000_000 << 10},
		{"a service with MemoryMax", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/bencao-index.service\n",
			"sys/fs/cgroup/system.slice/bencao-index.service/memory.max": "8000000000\n"}, 8_000_000_000},
		{"a service with MemoryHigh", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.high": "7000000000\n"}, 7_000_000_000},
		{"a slice with a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/jobs.slice/bencao-index.service\n",
			"sys/fs/cgroup/jobs.slice/memory.max": "6000000000\n", "sys/fs/cgroup/jobs.slice/bencao-index.service/memory.max": "9000000000\n"}, 6_000_000_000},
		{"a container", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/kubepods/pod7\n", "sys/fs/cgroup/memory.max": "4294967296\n"}, 4 << 30},
		{"version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu:/a\n4:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5000000000\n"}, 5_000_000_000},
		{"version 1 without a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, 24_000_000 << 10},
	} {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memory(root); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}
