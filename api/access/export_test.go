package access

import "time"

// UpdateWaiting is Update with another function in place of [time.Sleep].
func UpdateWaiting(path, id string, sleep func(time.Duration), change func(*Entry) error) (Entry, error) {
	return update(path, id, sleep, change)
}
