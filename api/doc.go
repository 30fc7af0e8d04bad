// Package api answers HTTP requests from a snapshot.
//
// A request passes through these files from top to bottom, whatever its path. A file uses only files
// below it.
//
//	listen.go      connections  limits their number, and rewrites net/http's own errors
//	engine.go      all requests request id, snapshot, routing, compression; log.go has the log line
//	checks.go      middleware   body, client address, key, network, rate limit
//	pinned.go                   the version of the data that the client asks for
//	serve.go       one route    scope, parameters, Accept, ETag, deadline
//	faults.go                   errors, as JSON or as a page
//	server.go                   the [Server] and its options
//	pages.go       web pages    who may see them; visit.go gives them the data
//	routes.go      the table    operation, path, scope and handler in a row
//	species.go …   handlers     methods of [Backend]; they do not know HTTP
//	filters.go     questions    parameters become a query; searching.go runs it
//	call.go                     the state of a request
//	backend.go                  an open snapshot
//	body.go        answers      the JSON of an answer; csv.go, formats.go, graphml.go
//
// Beside them, openapi.go and schema.go describe the table of routes, admin.go answers operators, and
// metrics.go, health.go and vitals.go count for them.
//
// To add an endpoint, add a row in routes.go and a handler. Parameters, limits, metrics and the
// OpenAPI document are derived from the row and from the handler's types.
//
// The package does not know how a snapshot is built.
package api
