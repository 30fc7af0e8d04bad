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
	// A line is "1: FLOCK  ADVISORY  READ 4711 08:01:123456 0 EOF", with the process, the device
	// and the inode of the file. On btrfs, for example, the device differs from that of Stat, so
	// only the inode is compared. A match with another file can only delay the removal of a
	// snapshot.
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

// userOf returns the real user of a process. It does not use the owner of the process's folder in
// /proc, which is root for a set-user-id program.
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
