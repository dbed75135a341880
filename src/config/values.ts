/** Kinds of values that options have: what each looks like, and how it is read. */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseDuration } from "../go/duration.ts";
import { splitHosts, targetSession } from "../storage/postgres/hosts.ts";
import { ConfigError, quote, type GivenOption } from "./given.ts";

export interface OptionKind<T> {
  readonly type: "text" | "switch" | "list" | "choice";
  /** Placeholder of the value in the help text; absent for a switch, and for a choice, whose choices are shown. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** @throws ConfigError that says what to write */
  readonly parse: (given: GivenOption) => T;
}

function textual<T>(value: string, parse: (given: GivenOption) => T): OptionKind<T> & { value: string } {
  return { type: "text", value, parse };
}

/** Entries with commas between them. */
function list(
  value: string,
  parse: (entry: string, origin: string) => string,
): OptionKind<string[]> & { value: string } {
  const entriesOf = (text: string) => text.split(",").map((entry) => entry.trim());
  return {
    type: "list",
    value,
    parse: ({ text, origin }) =>
      entriesOf(text)
        .filter((entry) => entry !== "")
        .map((entry) => parse(entry, origin)),
  };
}

/** One of these words. */
export function choice<const Choice extends string>(...choices: readonly Choice[]): OptionKind<Choice> {
  return {
    type: "choice",
    choices,
    parse({ text, origin }) {
      const found = choices.find((each) => each === text);
      if (found !== undefined) return found;
      throw new ConfigError(`${origin} is ${quote(text)}; use one of ${choices.join("|")}`);
    },
  };
}

/** Yes or no. */
export const toggle: OptionKind<boolean> = {
  type: "switch",
  parse({ text, origin }) {
    if (["true", "1", "yes", "on"].includes(text.toLowerCase())) return true;
    if (["false", "0", "no", "off"].includes(text.toLowerCase())) return false;
    throw new ConfigError(`${origin} is ${quote(text)}; use true or false`);
  },
};

/** `HOST:PORT`, with an IPv6 address in brackets; the host comes without them, and port 0 means any free one. */
export const address = textual("HOST:PORT", ({ text, origin }) => {
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535 || (match?.[1] !== undefined && isIP(match[1]) !== 6)) {
    throw new ConfigError(`${origin} is ${quote(text)}; use HOST:PORT, such as 127.0.0.1:8500 or [::1]:8500`);
  }
  // One address, so that the TLS reload and the limits cover every listening socket.
  return { host: host.toLowerCase() === "localhost" ? "127.0.0.1" : host, port };
});

export interface DatabaseLocation {
  engine: "sqlite" | "postgres";
  /** `sqlite:` and an absolute path, or a `postgres://` URL, which may hold a password. */
  url: string;
}

/** `sqlite:PATH` or a `postgres://` URL. */
export const database = textual("URL", ({ text, origin }): DatabaseLocation => {
  if (text.startsWith("sqlite:")) {
    const file = text.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
    if (file === "" || file === ":memory:") {
      throw new ConfigError(
        `${origin} does not name a file; use sqlite:PATH, such as sqlite:/var/lib/tessera/tessera.db`,
      );
    }
    return sqliteAt(resolve(file));
  }
  const otherwise = "is not a database URL; use sqlite:PATH or postgres://user:password@host/database";
  return { engine: "postgres", url: postgresUrl(text, `${origin} ${otherwise}`, origin, ["read-write", "primary"]) };
});

/** The embedded database in the file at this absolute path. */
export function sqliteAt(file: string): DatabaseLocation {
  return { engine: "sqlite", url: `sqlite:${file}` };
}

/** A `postgres://` URL. */
export const replica = textual("URL", ({ text, origin }) =>
  postgresUrl(text, `${origin} is not a replica URL; use postgres://user:password@host/database`, origin, ["any"]),
);

/**
 * Several hosts, each with its own port, are several servers. The text is not repeated: it may hold a password. What the
 * server does in any case may be said; it must not be told to do something else.
 */
function postgresUrl(text: string, otherwise: string, origin: string, sessions: readonly string[]): string {
  const isUrl = /^postgres(?:ql)?:\/\//.test(text) && splitHosts(text).every((url) => URL.canParse(url));
  if (!isUrl) throw new ConfigError(otherwise);
  const wanted = targetSession(text);
  if (wanted === undefined || sessions.includes(wanted)) return text;
  throw new ConfigError(
    `${origin} contains target_session_attrs=${wanted}; remove it, or use ${sessions.join(" or ")}`,
  );
}

function wholeNumber({ text, origin }: GivenOption, least: number, most: number, wanted: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (number >= least && number <= most) return number;
  throw new ConfigError(`${origin} is ${quote(text)}; use a whole number ${wanted}`);
}

/** A whole number from 1 on. */
export const count = textual("NUMBER", (given) => wholeNumber(given, 1, Infinity, "of at least 1"));

/** The same, or 0 for no limit. */
export const limit = textual("NUMBER", (given) => (given.text === "0" ? 0 : count.parse(given)));

/** Maximum number of processes that share a port. */
const MAX_PROCESSES = 64;

/** A whole number from 1 to 64, or `auto` for as many as there are cores. */
export const processes = textual("NUMBER", (given) =>
  given.text === "auto"
    ? Math.min(availableParallelism(), MAX_PROCESSES)
    : wholeNumber(given, 1, MAX_PROCESSES, `from 1 to ${MAX_PROCESSES}, or auto`),
);

/** The longest answer, an expanded token of 25 MiB before escapes, has to find room. */
const MIN_SENDING_MIB = 64;

/** A whole number of MiB from 64 on; read as bytes. */
export const sending = textual(
  "MIB",
  (given) => wholeNumber(given, MIN_SENDING_MIB, Infinity, `of MiB, at least ${MIN_SENDING_MIB}`) * 1024 * 1024,
);

function nanoseconds(text: string): bigint {
  try {
    return parseDuration(text);
  } catch {
    // -1 is outside of all bounds: the text is not a duration.
    return -1n;
  }
}

const MIN_TTL = 60_000_000_000n;

/** A duration as clients write them, of a minute or more, in nanoseconds; 0 for ever. */
export const ttl = textual("DURATION", ({ text, origin }) => {
  const found = nanoseconds(text);
  if (text === "0" || found >= MIN_TTL) return found;
  throw new ConfigError(
    `${origin} must be a duration of at least 1m, such as 12h, or 0 for no expiry, not ${quote(text)}`,
  );
});

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than any date can be back. */
const MAX_RETENTION_MS = 100_000 * DAY_MS;

/** Whole days, or a duration as clients write them, of a minute or more; 0 for ever. In milliseconds. */
export const retention = textual("DURATION", ({ text, origin }) => {
  const found = minutesOrMore(text);
  if (text === "0" || found !== undefined) return found ?? 0;
  throw new ConfigError(
    `${origin} must be a duration of at least 1m, such as 400d or 12h, or 0 to keep all, not ${quote(text)}`,
  );
});

/** The same, but not for ever. */
export const interval = textual("DURATION", ({ text, origin }) => {
  const found = minutesOrMore(text);
  if (found !== undefined) return found;
  throw new ConfigError(`${origin} must be a duration of at least 1m, such as 6h or 1d, not ${quote(text)}`);
});

function minutesOrMore(text: string): number | undefined {
  const [, days] = /^(\d{1,6})d$/.exec(text) ?? [];
  const found = days === undefined ? Number(nanoseconds(text)) / 1e6 : Number(days) * DAY_MS;
  return found >= Number(MIN_TTL) / 1e6 && found <= MAX_RETENTION_MS ? found : undefined;
}

const MAX_DELAY_MS = 600_000;

/** A duration as clients write them, of at most ten minutes; in milliseconds. */
export const delay = textual("DURATION", ({ text, origin }) => {
  const milliseconds = Number(nanoseconds(text)) / 1e6;
  if (milliseconds >= 0 && milliseconds <= MAX_DELAY_MS) return milliseconds;
  throw new ConfigError(`${origin} must be a duration of at most 10m, such as 5s, not ${quote(text)}`);
});

/** An absolute http or https URL without query; the slash at its end is left out. */
export const publicUrl = textual("URL", ({ text, origin }) => {
  const url = URL.parse(text);
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!usable || url.username !== "" || url.password !== "") {
    throw new ConfigError(`${origin} is ${quote(text)}; use an absolute URL, such as https://tessera.example.com`);
  }
  return url.href.replace(/\/+$/, "");
});

/** An absolute http or https URL that is posted to. Not repeated: who knows it may post there. */
export const webhook = textual("URL", ({ text, origin }) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new ConfigError(`${origin} must be an http or https URL, without a user or password`);
  }
  url.hash = "";
  return url.href;
});

/** IP addresses, and ranges in CIDR notation. */
export const ranges = list("CIDR,…", (entry, origin) => {
  const [start = "", prefix, rest] = entry.split("/");
  const family = isIP(start);
  const bits = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  if (family === 0 || rest !== undefined || bits > (family === 4 ? 32 : 128)) {
    throw new ConfigError(`${origin} contains ${quote(entry)}; use IP addresses or ranges such as 10.0.0.0/8`);
  }
  return entry;
});

/** IP addresses, with or without a port; they come with one. */
export const nameServers = list("IP[:PORT],…", (entry, origin) => {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry);
  const [ip, port] = isIP(entry) === 0 ? [match?.[1] ?? match?.[2] ?? "", Number(match?.[3] ?? 53)] : [entry, 53];
  if (isIP(ip) === 0 || port < 1 || port > 65_535) {
    throw new ConfigError(`${origin} contains ${quote(entry)}; use IP addresses such as 10.0.0.53 or [fd00::53]:5353`);
  }
  return isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`;
});

/** Host names, with or without a port; they come in lower case and without it. */
export const hostNames = list("NAME,…", (entry, origin) => {
  const match = /^(\[[\da-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.exec(entry);
  if (match?.[1] !== undefined) return match[1].toLowerCase();
  throw new ConfigError(`${origin} contains ${quote(entry)}; use host names such as tessera.internal`);
});

/** A name that can stand in a header or a path. */
export const label = textual("NAME", ({ text, origin }) => {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(text)) return text;
  throw new ConfigError(`${origin} is ${quote(text)}; use 1 to 64 letters, digits, dots, dashes or underscores`);
});

/** A path; it comes absolute. */
export const path = textual("PATH", ({ text, origin }) => {
  if (text === "") throw new ConfigError(`${origin} is empty; set a path`);
  return resolve(text);
});

/** A command line for `/bin/sh`. It may hold a secret, so it is never repeated. */
export const shellCommand = textual("CMD", ({ text, origin }) => {
  if (text.trim() === "" || text.includes("\0")) throw new ConfigError(`${origin} is empty; set a command`);
  return text;
});

/** Words that mean something else wherever a token is expected. */
const RESERVED_TOKENS = new Set(["allow", "deny", "manage", "anonymous", "<hidden>"]);

/** A SecretID that an operator chose, which a header can carry; taken as it is. Never repeated in a message. */
export const token = textual("TEXT", ({ text, origin }) => {
  if (text === "" || text !== text.trim() || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) {
    throw new ConfigError(`${origin} must be printable text without surrounding spaces; generate one with uuidgen`);
  }
  if (RESERVED_TOKENS.has(text.toLowerCase())) {
    throw new ConfigError(`${origin} is a reserved word; choose another token, such as the output of uuidgen`);
  }
  return text;
});
