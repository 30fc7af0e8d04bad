package snapshot

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// lockUsers returns the users of the processes that have a lock on f. It does not see processes of
// other containers.
func lockUsers(f *os.File) (users []int, known bool) {
	info, err := f.Stat()
	if err != nil {
		return nil, false
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return nil, false
	}
	table, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil, false
	}
	// A line is "1: FLOCK  ADVISORY  READ 4711 08:01:123456 0 EOF". On btrfs, for example, its
	// device number differs from that of the file, so only the inode number is compared. At worst a
	// snapshot is kept one night longer.
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] != "FLOCK" {
			continue
		}
		if _, file, _ := strings.Cut(fields[5], ":"); !strings.HasSuffix(file, fmt.Sprint(":", stat.Ino)) {
			continue
		}
		if user, known := userOf(fields[4]); known && !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	return users, true
}

// userOf returns the real user of a process. The owner of its folder in /proc can be another user:
// it is root for a set-user-id program.
func userOf(pid string) (user int, known bool) {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, false // the process has ended
	}
	_, after, found := strings.Cut(string(status), "\nUid:")
	if !found {
		return 0, false
	}
	n, err := fmt.Sscan(after, &user)
	return user, n == 1 && err == nil
}
