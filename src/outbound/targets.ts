/** Requests to targets that organizations name, such as webhooks. */
import { parseCidr } from "./cidr.ts";
import { createAsk } from "./exchange.ts";
import { createLookups } from "./lookups.ts";
import type { Ask } from "./outbound.ts";
import { createResolve } from "./resolver.ts";
import { createTrust } from "./trust.ts";

/** Returns the sender of an organization: its names are looked up in turn with those of other organizations. */
export type AskFor = (organization: string) => Ask;

/** Configuration of connections that callers ask for. */
export interface TargetConfig {
  /** IP addresses and networks in CIDR notation. */
  outboundAllow?: readonly string[];
  /** IP addresses, with a port where it is not 53. */
  nameServers?: readonly string[];
}

/** Makes senders that connect to public addresses and to those that the configuration allows. */
export function createTargets({ outboundAllow = [], nameServers = [] }: TargetConfig): AskFor {
  const allow = outboundAllow.map(parseCidr);
  const lookups = createLookups(createResolve({ servers: nameServers }));
  const trust = createTrust();
  return (organization) => {
    const resolve = lookups.of({ partition: "organizations", namespace: organization });
    return createAsk({ allow, mayUsePrivate: false, resolve, trust });
  };
}
