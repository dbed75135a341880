/**
 * Looks names up as the system would, in a way that can be ended: `getaddrinfo` holds a thread of a pool that all share
 * for as long as a name server is silent. Names of the hosts file and `localhost` are never asked for; search domains count.
 */
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isIP } from "node:net";

/**
 * Finds the addresses of a name.
 *
 * @param signal ends the look-up
 * @throws {Error} when there are none, or the look-up was ended
 */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

interface ResolverOptions {
  /** Addresses, with a port where it is not 53; those of the system unless given. */
  servers?: readonly string[];
  hostsFile?: string;
  resolverFile?: string;
}

/** How long one server may be silent, and how often it is asked; a connection must stand within 5 s. */
const QUERY = { timeout: 1500, tries: 2 };

/** An address in hand, that of the other kind is waited for so long. Some servers never answer for one of them. */
const OTHER_KIND_MS = 300;

const LOCALHOST: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

export function createResolve({
  servers = [],
  hostsFile = "/etc/hosts",
  resolverFile = "/etc/resolv.conf",
}: ResolverOptions = {}): Resolve {
  const hosts = keptFile(hostsFile, parseHosts);
  const system = keptFile(resolverFile, parseResolverFile);
  return async (name, signal) => {
    signal.throwIfAborted();
    const folded = name.toLowerCase().replace(/\.$/, "");
    const known = (await hosts()).get(folded);
    if (known !== undefined) return known;
    if (folded === "localhost" || folded.endsWith(".localhost")) return LOCALHOST;
    let failure: unknown;
    for (const spelling of spellingsOf(name, await system())) {
      signal.throwIfAborted();
      try {
        return await query(spelling, servers, signal);
      } catch (error) {
        // The error of the name itself is more useful than that of a search domain.
        if (failure === undefined || spelling === name) failure = error;
      }
    }
    throw failure;
  };
}

/** IPv4 first: where one kind leads nowhere, the connection is tried with the other after a moment. */
async function query(name: string, servers: readonly string[], signal: AbortSignal): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(QUERY);
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  let ipv4: LookupAddress[] = [];
  let ipv6: LookupAddress[] = [];
  const inIpv4 = resolver.resolve4(name).then((found) => (ipv4 = found.map((address) => ({ address, family: 4 }))));
  const inIpv6 = resolver.resolve6(name).then((found) => (ipv6 = found.map((address) => ({ address, family: 6 }))));
  const asked = [inIpv4, inIpv6];
  const both = Promise.allSettled(asked);
  try {
    const moment = () => sleep(OTHER_KIND_MS, undefined, { ref: false });
    await Promise.race([both, Promise.any(asked).then(moment, () => both)]);
    if (ipv4.length + ipv6.length > 0) return [...ipv4, ...ipv6];
    signal.throwIfAborted();
    return await inIpv4;
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Returns a reader of a file. It reads the file again when the file has changed; a missing file counts as empty. */
function keptFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let version = "";
  let kept = parse("");
  return async () => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const current = `${mtimeMs} ${size} ${ino}`;
      if (current !== version) [kept, version] = [parse(await readFile(path, "utf8")), current];
    } catch {
      [kept, version] = [parse(""), ""];
    }
    return kept;
  };
}

/** Rules of `/etc/resolv.conf` for names that are not fully qualified. The resolver itself reads the servers. */
interface SearchRules {
  domains: readonly string[];
  /** A name with so many dots is looked up as it is before the domains are tried. */
  dots: number;
}

/** As many as others take. */
const MAX_DOMAINS = 32;
const MAX_DOTS = 15;

/** @returns addresses by name in lower case, in the order of the file */
export function parseHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const [address = "", ...names] of wordsOfLines(text)) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((spelled) => spelled.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

export function parseResolverFile(text: string): SearchRules {
  let [domains, dots]: [string[], number] = [[], 1];
  for (const [key, ...values] of wordsOfLines(text)) {
    if (key === "search") domains = values.slice(0, MAX_DOMAINS);
    else if (key === "domain") domains = values.slice(0, 1);
    else if (key === "options") dots = dotsOf(values) ?? dots;
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== ""), dots };
}

/** Under which names a name is looked up, one after the other. With a dot at its end it is written out. */
export function spellingsOf(name: string, { domains, dots }: SearchRules): string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const searched = domains.map((domain) => `${name}.${domain}`);
  return name.split(".").length - 1 >= dots ? [name, ...searched] : [...searched, name];
}

function dotsOf(options: readonly string[]): number | undefined {
  const found = options.map((option) => /^ndots:(\d{1,3})$/.exec(option)?.[1]).findLast((text) => text !== undefined);
  return found === undefined ? undefined : Math.min(Number(found), MAX_DOTS);
}

function wordsOfLines(text: string): string[][] {
  return text.split("\n").map((line) =>
    line
      .replace(/[#;].*/, "")
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
}
