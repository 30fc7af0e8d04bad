//go:build minimal

package main

// parts is empty, because this program was built without the optional parts.
var parts optionalParts
