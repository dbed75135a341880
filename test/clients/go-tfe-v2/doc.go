// Package gotfev2 runs the second generation of the official Go client, which is generated from the hosted service's own
// OpenAPI document, against Tessera.
package gotfev2
