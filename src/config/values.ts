import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseDuration } from "../go/duration.ts";
import { splitHosts, targetSession } from "../storage/postgres/hosts.ts";
import { ConfigError } from "./error.ts";
import { choices, quote, type Given } from "./sources.ts";
import type { Option } from "./options.ts";

export interface ListenAddress {
  /** An IP address or a name, without brackets. */
  host: string;
  /** 0 means any free port. */
  port: number;
}

export interface DatabaseLocation {
  engine: "sqlite" | "postgres";
  /** `sqlite:` and an absolute path, or a `postgres://` URL, which may hold a password. */
  url: string;
}

/** @throws ConfigError unless the text is `HOST:PORT`, with an IPv6 address in brackets */
export function parseListen({ text, origin }: Given): ListenAddress {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535 || (match?.[1] !== undefined && isIP(match[1]) !== 6)) {
    throw new ConfigError(`${origin} is ${quote(text)}; write HOST:PORT, such as 127.0.0.1:8500 or [::1]:8500`);
  }
  // One address, so that the TLS reload and the limits cover every listening socket.
  return { host: host.toLowerCase() === "localhost" ? "127.0.0.1" : host, port };
}

/** @throws ConfigError unless the text is `sqlite:PATH` or a `postgres://` URL */
export function parseDatabase({ text, origin }: Given): DatabaseLocation {
  if (text.startsWith("sqlite:")) {
    const path = text.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
    if (path === "" || path === ":memory:") {
      throw new ConfigError(`${origin} names no file; write sqlite:PATH, such as sqlite:/var/lib/tessera/tessera.db`);
    }
    return sqliteAt(resolve(path));
  }
  // The text is not repeated: it may hold a password.
  if (!isPostgresUrl(text)) {
    throw new ConfigError(`${origin} is not a database; write sqlite:PATH or postgres://user:password@host/database`);
  }
  checkSession(text, origin, ["read-write", "primary"]);
  return { engine: "postgres", url: text };
}

/** @throws ConfigError unless the text is a `postgres://` URL */
export function parseReplica({ text, origin }: Given): string {
  // The text is not repeated: it may hold a password.
  if (!isPostgresUrl(text)) {
    throw new ConfigError(`${origin} is not a replica; write postgres://user:password@host/database`);
  }
  checkSession(text, origin, ["any"]);
  return text;
}

/** @throws ConfigError unless the text is a whole number from 1 on */
export function parseCount({ text, origin }: Given): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new ConfigError(`${origin} is ${quote(text)}; write a whole number from 1 on`);
  return count;
}

/** Several hosts, each with its own port, are several servers. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && splitHosts(text).every((url) => URL.canParse(url));
}

/** What the server does in any case may be said; it must not be told to do something else. */
function checkSession(text: string, origin: string, allowed: readonly string[]): void {
  const wanted = targetSession(text);
  if (wanted === undefined || allowed.includes(wanted)) return;
  throw new ConfigError(
    `${origin} says target_session_attrs=${wanted}; leave it out, or write ${allowed.join(" or ")}`,
  );
}

/** So many processes share a port at most. */
const MAX_PROCESSES = 64;

/** @throws ConfigError unless the text is a whole number from 1 to 64, or `auto` for as many as there are cores */
export function parseProcesses({ text, origin }: Given): number {
  if (text === "auto") return Math.min(availableParallelism(), MAX_PROCESSES);
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_PROCESSES) {
    throw new ConfigError(`${origin} is ${quote(text)}; write a whole number from 1 to ${MAX_PROCESSES}, or auto`);
  }
  return count;
}

/** The longest answer, an expanded token of 25 MiB before escapes, has to find room. */
const MIN_SENDING_MIB = 64;

/** @throws ConfigError unless the text is a whole number of MiB from 64 on @returns bytes */
export function parseSending({ text, origin }: Given): number {
  const mebibytes = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (mebibytes < MIN_SENDING_MIB) {
    throw new ConfigError(`${origin} is ${quote(text)}; write a whole number of MiB from ${MIN_SENDING_MIB} on`);
  }
  return mebibytes * 1024 * 1024;
}

/** A number that may be 0. */
export function parseLimit(given: Given): number {
  return given.text === "0" ? 0 : parseCount(given);
}

const MIN_TTL = 60_000_000_000n;

/** A duration as clients write them, of a minute or more, in nanoseconds; 0 for ever. */
export function parseTtl({ text, origin }: Given): bigint {
  if (text === "0") return 0n;
  const wanted = `${origin} must be a duration of at least 1m, such as 12h, or 0 for ever`;
  let ttl: bigint;
  try {
    ttl = parseDuration(text);
  } catch {
    throw new ConfigError(`${wanted}, and not ${quote(text)}`);
  }
  if (ttl < MIN_TTL) throw new ConfigError(`${wanted}, and not ${quote(text)}`);
  return ttl;
}

const MAX_DELAY_MS = 600_000;

/** A duration as clients write them, of at most ten minutes; in milliseconds. @throws ConfigError */
export function parseDelay({ text, origin }: Given): number {
  let delayMs: number | undefined;
  try {
    delayMs = Number(parseDuration(text)) / 1e6;
  } catch {
    // Said below, like what is out of bounds.
  }
  if (delayMs === undefined || delayMs < 0 || delayMs > MAX_DELAY_MS) {
    throw new ConfigError(`${origin} must be a duration of at most 10m, such as 5s, and not ${quote(text)}`);
  }
  return delayMs;
}

/** The embedded database in the file at this absolute path. */
export function sqliteAt(path: string): DatabaseLocation {
  return { engine: "sqlite", url: `sqlite:${path}` };
}

/** @throws ConfigError unless the text is one of the option's choices */
export function parseChoice<Choice extends string>(option: Option, given: Given, allowed: readonly Choice[]): Choice {
  const found = allowed.find((choice) => choice === given.text);
  if (found === undefined) {
    throw new ConfigError(`${given.origin} is ${quote(given.text)}; it must be one of ${choices(option)}`);
  }
  return found;
}

/** @throws ConfigError unless the text says yes or no */
export function parseSwitch({ text, origin }: Given): boolean {
  if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["false", "0", "no", "off"].includes(text.toLowerCase())) return false;
  throw new ConfigError(`${origin} is ${quote(text)}; write true or false`);
}

/** @throws ConfigError unless the text is an absolute http or https URL without query; the slash at its end is left out */
export function parsePublicUrl({ text, origin }: Given): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!usable || url.username !== "" || url.password !== "") {
    throw new ConfigError(`${origin} is ${quote(text)}; write an absolute URL, such as https://tessera.example.com`);
  }
  return url.href.replace(/\/+$/, "");
}

/** @throws ConfigError unless every entry is an IP address or a range in CIDR notation */
export function parseRanges({ text, origin }: Given): string[] {
  return splitList(text).map((entry) => {
    const [address = "", prefix, rest] = entry.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (family === 0 || rest !== undefined || bits > (family === 4 ? 32 : 128)) {
      throw new ConfigError(`${origin} holds ${quote(entry)}; write IP addresses or ranges such as 10.0.0.0/8`);
    }
    return entry;
  });
}

/** @throws ConfigError unless every entry is an IP address, with or without a port */
export function parseNameServers({ text, origin }: Given): string[] {
  return splitList(text).map((entry) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry);
    const [address, port] =
      isIP(entry) === 0 ? [match?.[1] ?? match?.[2] ?? "", Number(match?.[3] ?? 53)] : [entry, 53];
    if (isIP(address) === 0 || port < 1 || port > 65_535) {
      throw new ConfigError(`${origin} holds ${quote(entry)}; write IP addresses such as 10.0.0.53 or [fd00::53]:5353`);
    }
    return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  });
}

/** @throws ConfigError unless every entry is a host name, with or without a port; lower-cased, port left out */
export function parseAllowedHosts({ text, origin }: Given): string[] {
  return splitList(text).map((entry) => {
    const match = /^(\[[\da-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.exec(entry);
    if (match?.[1] === undefined) {
      throw new ConfigError(`${origin} holds ${quote(entry)}; write host names such as tessera.internal`);
    }
    return match[1].toLowerCase();
  });
}

/** @throws ConfigError when the name could not stand in a header or a path */
export function parseName({ text, origin }: Given): string {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(text)) {
    throw new ConfigError(`${origin} is ${quote(text)}; use 1 to 64 letters, digits, dots, dashes or underscores`);
  }
  return text;
}

/** @throws ConfigError when the path is empty; made absolute */
export function parsePath({ text, origin }: Given): string {
  if (text === "") throw new ConfigError(`${origin} is empty; write a path`);
  return resolve(text);
}

/** Words that mean something else wherever a token is expected. */
const RESERVED_TOKENS = new Set(["allow", "deny", "manage", "anonymous", "<hidden>"]);

/**
 * A SecretID that an operator chose; taken as it is. Never repeated in a message.
 *
 * @throws ConfigError when it is empty, reserved, or a header could not carry it
 */
export function parseToken({ text, origin }: Given): string {
  if (text === "" || text !== text.trim() || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) {
    throw new ConfigError(`${origin} must be printable text without spaces around it; make one with uuidgen`);
  }
  if (RESERVED_TOKENS.has(text.toLowerCase())) {
    throw new ConfigError(`${origin} is a reserved word; choose another token, such as the output of uuidgen`);
  }
  return text;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
