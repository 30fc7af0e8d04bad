// Package api answers HTTP requests from a snapshot.
//
// A request passes these rooms, whatever its path:
//
//	wire.go     bytes          connections counted and capped, net/http's own errors as problem+json
//	server.go   http.Handler   request id, snapshot, access log, compression
//	checks.go   middleware     body, address, key, network, rate: who asks, and may they
//	serve.go    one route      scope, parameters, Accept, ETag, deadline
//	routes.go   the table      operation, path, scope and handler in a row
//	backend.go  handlers       methods of [Backend], one open snapshot, that know no HTTP
//
// Parameters, limits, metrics and the OpenAPI document come from the row and
// the handler's types, so they cannot disagree with what the handler does.
//
// The package does not know how a snapshot is built.
package api
