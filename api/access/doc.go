// Package access decides which client may read which data, and how often.
//
// It knows keys, networks, scopes and limits, and the access file that stores them. It knows
// neither HTTP nor gin: a request is the address of its connection and the values of two headers.
//
//	access.toml ──[OpenFile]──▶ File ──[File.Table]──▶ Table ┐
//	RemoteAddr, X-Forwarded-For ──▶ [Clients] ── address ┼─▶ [Gate.Admit] ─▶ Admission or error
//	X-Api-Key ───────────────────────────────────────────┘        │
//	                                                        [Limiter]
//
// A key is shown once, when it is made; the file stores its SHA-256. A key has 130 random bits, so
// nobody can guess it from a fast hash. A slow hash would only let strangers slow down the server.
//
// Begin with [Gate.Admit] for requests, [File] for reading the file, [Create] for writing it.
package access
