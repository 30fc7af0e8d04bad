//go:build !unix

package store

// readSingly has nobody to tell.
func readSingly([]byte) error { return nil }
