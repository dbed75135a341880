/** Headers that say whom a signed request is meant for, and that carry a second signed request. */

export const SERVER_ID = "X-Consul-IAM-ServerID";

/** The parts of the request that reads the caller's own role or user. */
export const ENTITY = {
  method: "X-Consul-IAM-GetEntity-Method",
  url: "X-Consul-IAM-GetEntity-URL",
  headers: "X-Consul-IAM-GetEntity-Headers",
  body: "X-Consul-IAM-GetEntity-Body",
} as const;
