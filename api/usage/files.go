package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bencao/internal/durable"
	"bencao/internal/system"
)

const (
	extension = ".json"
	lockName  = ".lock"
	// mode lets nobody else see who asked when.
	mode fs.FileMode = 0o640
)

// file is the content of the file of a day.
type file struct {
	Keys map[string]Counts `json:"keys"`
}

// isDay tells whether a file's name is that of a day, and which.
func isDay(name string) (day string, ok bool) {
	day, ok = strings.CutSuffix(name, extension)
	if !ok {
		return "", false
	}
	_, err := time.Parse(time.DateOnly, day)
	return day, err == nil
}

// Read returns what a folder holds. A folder that is not there holds nothing.
func Read(folder string) (Days, error) {
	days := Days{}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return days, nil
	}
	if err != nil {
		return days, err
	}
	var errs []error
	for _, e := range entries {
		day, ok := isDay(e.Name())
		if !ok {
			continue
		}
		keys, err := readDay(folder, day)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		days[day] = keys
	}
	return days, errors.Join(errs...)
}

func readDay(folder, day string) (map[string]Counts, error) {
	path := filepath.Join(folder, day+extension)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Counts{}, nil
	}
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil || f.Keys == nil {
		return nil, fmt.Errorf("%s is damaged, take it away: %w", path, errors.Join(err, errNoKeys))
	}
	return f.Keys, nil
}

var errNoKeys = errors.New("it has no counts by key")

// add adds days to the files, and takes each out of days that is saved. Files
// that are too old go.
func add(folder string, days Days) (err error) {
	if len(days) == 0 {
		return nil
	}
	if err := durable.MkdirAll(folder); err != nil {
		return fmt.Errorf("make the folder of the counts: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := system.Lock(lock); err != nil {
		return fmt.Errorf("%s: %w", lock.Name(), err)
	}
	if err := durable.ClearDir(folder); err != nil {
		return fmt.Errorf("remove what a server that was killed has left: %w", err)
	}
	oldest := firstKept(time.Now())
	var errs []error
	for day, keys := range days {
		if day >= oldest {
			if err := addDay(folder, day, keys); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		delete(days, day)
	}
	return errors.Join(append(errs, prune(folder, oldest))...)
}

func addDay(folder, day string, keys map[string]Counts) error {
	sum, err := readDay(folder, day)
	if err != nil {
		return err
	}
	Days{day: sum}.merge(Days{day: keys})
	text, err := json.Marshal(file{sum})
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(folder, day+extension), append(text, '\n'), durable.Options{Mode: mode})
}

// prune removes the files of days before the oldest that is kept.
func prune(folder, oldest string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if day, ok := isDay(e.Name()); ok && day < oldest {
			errs = append(errs, os.Remove(filepath.Join(folder, e.Name())))
		}
	}
	return errors.Join(errs...)
}
