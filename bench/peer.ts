/**
 * Throughput of comparable servers as a share of a bare Node server, by scenario: Consul 1.21-dev with its log on disk
 * and default-deny, OTF 0.6.3 on PostgreSQL 15. Medians of alternating runs on two cores, the server on one and
 * `wrk -t1` on the other, on 2026-11-22; see docs/performance.md.
 */
export const PEER_OF_BARE: Readonly<Record<string, string>> = {
  "token/self": "0.20 to 0.25",
  "read a binding rule": "0.18 to 0.22",
  "authorize, 2 checks": "0.28 to 0.54",
  "create a binding rule, 32 connections": "0.04",
  "login, rules-10": "0.009",
};
