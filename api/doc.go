// Package api answers HTTP requests from a snapshot.
//
// A request passes through these files, whatever its path:
//
//	connections/ connections limits their number, and rewrites net/http's own errors
//	server.go   http.Handler request id, snapshot, log line, compression
//	checks.go   middleware   body, client address, key, network, rate limit
//	serve.go    one route    scope, parameters, Accept, ETag, deadline
//	routes.go   the table    operation, path, scope and handler in a row
//	backend.go  handlers     methods of [Backend], an open snapshot; they do not know HTTP
//
// To add an endpoint, add a row in routes.go and a handler. Parameters, limits, metrics and the
// OpenAPI document are derived from the row and from the handler's types.
//
// The package does not know how a snapshot is built.
package api
