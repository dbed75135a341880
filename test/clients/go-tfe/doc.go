// Package gotfe holds tests that drive a Tessera server with the published Go
// client of the HCP Terraform API, github.com/hashicorp/go-tfe.
//
// The tests start the servers themselves, one per storage engine, and run
// every case on each. `node test/clients/run.ts` supplies the PostgreSQL that
// they need and runs them.
package gotfe
