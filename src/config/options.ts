/**
 * Every option of `tessera serve`, once: the same table makes the flags, the environment variables, the keys of the
 * `--config` file, the help text, the defaults and the members of `Config`.
 */
import { AUDIT_OPTIONS } from "./audit-options.ts";
import { BACKUP_OPTIONS } from "./backup-options.ts";
import { CONSOLE_OPTIONS } from "./console-options.ts";
import type { GivenOption } from "./given.ts";
import { LIMIT_OPTIONS } from "./limit-options.ts";
import { LOGIN_OPTIONS } from "./login-options.ts";
import type { Option } from "./option.ts";
import { TRACE_OPTIONS } from "./trace-options.ts";
import * as values from "./values.ts";

export const OPTIONS = [
  {
    name: "listen",
    ...values.address,
    default: "127.0.0.1:8500",
    help: "Address to listen on. Port 0 takes a free one. An IPv6 address is written [::1]:8500.",
  },
  {
    name: "address-file",
    ...values.path,
    help: "Write the address that the server really listens on to this file, as a URL.",
  },
  {
    name: "data-dir",
    ...values.path,
    default: "./tessera-data",
    help: "Directory for the database file, the master key and the first token. Made when missing.",
  },
  {
    name: "database",
    ...values.database,
    default: "sqlite:<data-dir>/tessera.db",
    isShownOnly: true,
    help: "sqlite:PATH or postgres://user:password@host/database?sslmode=verify-full",
  },
  {
    name: "replica",
    ...values.replica,
    help: "Streaming replica of the PostgreSQL database. It answers reads that ask for ?stale.",
  },
  {
    name: "feed",
    ...values.choice("notify", "poll"),
    default: "notify",
    help: "How servers on one PostgreSQL learn of each other's changes: poll leaves out the notifications that make it faster, for servers without them.",
  },
  {
    name: "processes",
    ...values.processes,
    default: "1",
    help: "Processes that share the port and answer from one PostgreSQL; auto for one per core. Limits such as --waits-per-token count in each process by itself.",
  },
  {
    name: "threads",
    ...values.threadsOn(process.platform),
    default: "1",
    help: "Threads that share the port and answer from the embedded database, of which one makes all writes; auto for one per core. Limits such as --waits-per-token count in each by itself.",
  },
  {
    name: "tls-cert",
    ...values.path,
    help: "Certificate chain in PEM. Read again on SIGHUP and when the file changes.",
  },
  {
    name: "tls-key",
    ...values.path,
    help: "Private key of the certificate, in PEM.",
  },
  {
    name: "key-file",
    ...values.path,
    default: "<data-dir>/master-key",
    isShownOnly: true,
    help: "Master key that opens the secrets in the database. Keep it apart from the database's backups.",
  },
  {
    name: "key-command",
    ...values.shellCommand,
    help: "Command that prints the master key, run by /bin/sh at each start, in place of a file: a key store can keep the key.",
  },
  {
    name: "bootstrap",
    ...values.choice("auto", "manual"),
    default: "auto",
    help: "auto makes the first management token on an empty database; manual makes none but --initial-management-token.",
  },
  {
    name: "bootstrap-secret",
    ...values.token,
    help: "What an operator must present to bootstrap by hand; better given by the environment than as a flag. A UUID becomes the first token's SecretID.",
  },
  {
    name: "initial-management-token",
    ...values.token,
    help: "SecretID of the first management token, on a database that was never bootstrapped.",
  },
  {
    name: "initial-management-token-file",
    ...values.path,
    help: "The same, read from a file; one line break at its end is left out.",
  },
  {
    name: "edition",
    ...values.choice("enterprise", "community"),
    default: "enterprise",
    help: "community answers as a server without namespaces and partitions.",
  },
  {
    name: "default-policy",
    ...values.choice("deny", "allow"),
    default: "deny",
    help: "What holds where no rule says anything. allow grants neither acl nor organizations and workspaces.",
  },
  {
    name: "own-token-words",
    ...values.toggle,
    default: "false",
    help: "Tell a request of /v1 whose token is unknown so in words of its own, and not in Consul's, which clients such as Terraform's provider take for an object that is gone.",
  },
  {
    name: "datacenter",
    ...values.label,
    default: "dc1",
    help: "Name of this installation, as clients see it.",
  },
  {
    name: "waits-per-token",
    ...values.count,
    default: "16384",
    help: "Blocking queries and event streams that one token may have open; more are answered 429.",
  },
  {
    name: "waits-per-address",
    ...values.count,
    default: "256",
    help: "The same of one client address without a token.",
  },
  {
    name: "max-connections",
    ...values.count,
    default: "20480, or fewer where the limit on open files leaves no room",
    isShownOnly: true,
    help: "Connections that clients may have open; more are closed as soon as they are opened.",
  },
  {
    name: "max-sending",
    ...values.sending,
    default: "256",
    isShownOnly: true,
    help: "MiB of answers that may be on their way to clients, all together; reads beyond it are answered 429 or 503. 64 at least.",
  },
  ...LOGIN_OPTIONS,
  ...LIMIT_OPTIONS,
  {
    name: "drain-delay",
    ...values.delay,
    default: "0",
    help: "How long connections are still accepted after SIGTERM, while /readyz says 503: as long as a load balancer takes to see that.",
  },
  {
    name: "outbound-allow",
    ...values.ranges,
    help: "Networks that webhooks and auth methods may connect to though they are loopback, or private; methods in default/default may use private ones without it.",
  },
  ...AUDIT_OPTIONS,
  ...BACKUP_OPTIONS,
  ...CONSOLE_OPTIONS,
  {
    name: "name-servers",
    ...values.nameServers,
    help: "DNS servers that are asked for the names in auth methods, instead of those of the system.",
  },
  {
    name: "public-url",
    ...values.publicUrl,
    help: "Address under which clients reach the server; absolute links are made from it.",
  },
  {
    name: "trusted-proxies",
    ...values.ranges,
    value: "IP,CIDR,…",
    help: "Proxies whose X-Forwarded-* headers are believed. Nobody's by default.",
  },
  {
    name: "allowed-hosts",
    ...values.hostNames,
    help: "Host names accepted besides the loopback ones while listening on loopback.",
  },
  {
    name: "allow-insecure",
    ...values.toggle,
    default: "false",
    help: "Start in spite of a combination that is refused as unsafe. Each one is logged as a warning.",
  },
  {
    name: "allow-empty-database",
    ...values.toggle,
    default: "false",
    help: "Begin an empty database though the master key has sealed another one, which is missing; refused otherwise.",
  },
  {
    name: "accept-clock",
    ...values.toggle,
    default: "false",
    help: "Believe the clock at this start though it is more than a day from the last trusted time; else nothing is removed for its age for an hour.",
  },
  {
    name: "accept-lost-writes",
    ...values.toggle,
    default: "false",
    help: "Start though the write-ahead log of the embedded database has lost acknowledged writes; refused otherwise. It is put on record.",
  },
  {
    name: "metrics-open",
    ...values.toggle,
    default: "false",
    help: "Answer /metrics without a token; otherwise it needs one with operator:read.",
  },
  ...TRACE_OPTIONS,
  {
    name: "access-log",
    ...values.toggle,
    default: "false",
    help: "Log successful reads too; writes, refusals and failures are always logged.",
  },
  {
    name: "log-level",
    ...values.choice("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    help: "Least severe lines that are logged, as JSON, to standard output.",
  },
  {
    name: "config",
    ...values.path,
    help: "JSON file whose keys are these options without the dashes. Flags and environment win over it.",
  },
] as const satisfies readonly Option[];

type Known = (typeof OPTIONS)[number];
export type OptionName = Known["name"];

type MemberName<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<MemberName<Rest>>}`
  : Name;

type ValueOf<O> = O extends { parse: (given: GivenOption) => infer T }
  ? O extends { isShownOnly: true }
    ? T | undefined
    : O extends { default: string }
      ? T
      : T extends string[]
        ? T
        : T | undefined
  : never;

/** The values of all options: `data-dir` is `dataDir`. */
export type OptionValues = { -readonly [O in Known as MemberName<O["name"]>]: ValueOf<O> };

/** Reads what was given, and the defaults of the rest. @throws ConfigError */
export function readValues(given: ReadonlyMap<OptionName, GivenOption>): OptionValues {
  const members = OPTIONS.map((option: Option & { name: OptionName }) => {
    const text = option.isShownOnly ? undefined : (option.default ?? (option.type === "list" ? "" : undefined));
    const found = given.get(option.name) ?? (text === undefined ? undefined : { text, origin: "the default" });
    return [option.name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()), found && option.parse(found)];
  });
  return Object.fromEntries(members) as OptionValues;
}

/** An option's value as the help text shows it, such as `PATH` or `auto|manual`. */
export function shownValue({ value, choices }: Option): string {
  return value ?? choices?.join("|") ?? "VALUE";
}

const byName = new Map<string, Option & { name: OptionName }>(OPTIONS.map((option) => [option.name, option]));

/** The option of this name, or undefined. */
export function findOption(name: string): (Option & { name: OptionName }) | undefined {
  return byName.get(name);
}

/** Name of the environment variable that carries an option, such as `TESSERA_DATA_DIR`. */
export function environmentName(name: string): string {
  return `TESSERA_${name.toUpperCase().replaceAll("-", "_")}`;
}
