package mappings

// UnknownValue is the value of a filter that no record has.
type UnknownValue struct {
	Filter, Value string
	// Close lists values that records have and that look like the unknown one, the most similar first.
	Close []string
}
