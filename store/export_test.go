package store

// Reader lets tests read a template a piece at a time.
func (t Template) Reader(site string, show Parts) *Reader { return t.reader(site, show) }
