package store

// Reader lets tests read a template in chunks.
func (t Template) Reader(site string, show Parts) *Reader { return t.reader(site, show) }
