// Package access decides who may ask what, and how often.
//
// It knows keys, networks, scopes and limits, and the file that they are kept
// in. It knows neither HTTP nor gin: a request comes in as the address of its
// connection and the values of two headers.
//
//	access.toml ──[OpenFile]──▶ File ──[File.Table]──▶ Table ┐
//	RemoteAddr, X-Forwarded-For ──▶ [Clients] ── address ┼─▶ [Gate.Admit] ─▶ Admission or error
//	X-Api-Key ───────────────────────────────────────────┘        │
//	                                                        [Limiter]
//
// A key is shown once, when it is made; what rests is its SHA-256. A key has
// 130 random bits, so nobody can guess it from its hash, and a slow hash would
// only let strangers make the server slow.
package access
