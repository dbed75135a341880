/** What the files of a system say of names: `/etc/hosts` and `/etc/resolv.conf`. */
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";

/** What `/etc/resolv.conf` says of names that are not written out; which servers there are, the resolver reads itself. */
export interface SearchRules {
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
