//go:build minimal

package main

// parts are none: each optional part reports that this program was built without it.
var parts optionalParts
