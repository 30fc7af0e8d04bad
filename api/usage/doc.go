// Package usage counts what each key asks, by day, and keeps the counts in a
// folder, a small file for each day:
//
//	usage/2026-11-22.json
//
// A request adds to counts in memory. Once a minute they are added to the file
// of their day, under a lock, so that servers that share the folder, or follow
// each other, lose nothing of each other's. A server that is killed loses a
// minute at most. There are ids of keys in the files, and never a key.
package usage
