// Package consulapi holds tests that drive a Tessera server with the published
// Go client of Consul's HTTP API, github.com/hashicorp/consul/api.
//
// The tests start the servers themselves, two per storage engine, bootstrap
// them with the client and run every case on each engine. They also start
// those who vouch for identities (providers.ts).
// `node test/clients/run.ts` supplies the PostgreSQL that they need and runs
// them.
package consulapi
