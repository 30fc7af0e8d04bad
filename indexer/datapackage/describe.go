package datapackage

import "bencao/indexer/archive"

// Describe reads what a package says of itself, without its tables. What is
// wrong with its description is logged by [Read]; here it is only returned.
func Describe(src *archive.Archive) (name, version string, err error) {
	d, err := readDescriptor(src)
	if err != nil {
		return "", "", err
	}
	return d.Name, d.Version, nil
}

// Created is when the package says that it was made; "" when it does not say.
func Created(src *archive.Archive) (string, error) {
	d, err := readDescriptor(src)
	if err != nil {
		return "", err
	}
	return d.Created, nil
}
