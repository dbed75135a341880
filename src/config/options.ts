/**
 * Every option of `tessera serve`, once: the same table makes the flags, the environment variables, the keys of the
 * `--config` file, the help text, the defaults and the members of `Config`.
 */
import { AUDIT_OPTIONS } from "./audit-options.ts";
import { USE_OPTIONS } from "./use-options.ts";
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
    help: "Listen address. Port 0 selects a free port. IPv6 example: [::1]:8500.",
  },
  {
    name: "address-file",
    ...values.path,
    help: "File to which the server writes its actual listen address, as a URL.",
  },
  {
    name: "data-dir",
    ...values.path,
    default: "./tessera-data",
    help: "Directory for the database file, the master key and the first token. Created if missing.",
  },
  {
    name: "database",
    ...values.database,
    default: "sqlite:<data-dir>/tessera.db",
    isShownOnly: true,
    help: "Database URL: sqlite:PATH or postgres://user:password@host/database?sslmode=verify-full",
  },
  {
    name: "replica",
    ...values.replica,
    help: "Streaming replica of the PostgreSQL database. The replica serves reads with ?stale.",
  },
  {
    name: "feed",
    ...values.choice("notify", "poll"),
    default: "notify",
    help: "How servers that share a PostgreSQL database receive changes. notify: LISTEN/NOTIFY and polling. poll: polling only, for databases without LISTEN/NOTIFY.",
  },
  {
    name: "processes",
    ...values.processes,
    default: "1",
    help: "Number of processes that serve requests when the database is PostgreSQL. auto: one per CPU core. Limits such as --waits-per-token apply to each process separately.",
  },
  {
    name: "tls-cert",
    ...values.path,
    help: "TLS certificate chain in PEM. Reloaded on SIGHUP and when the file changes.",
  },
  {
    name: "tls-key",
    ...values.path,
    help: "Private key of the TLS certificate, in PEM.",
  },
  {
    name: "key-file",
    ...values.path,
    default: "<data-dir>/master-key",
    isShownOnly: true,
    help: "File with the master key, which decrypts the secrets in the database. Do not store it with the backups.",
  },
  {
    name: "key-command",
    ...values.shellCommand,
    help: "Command that prints the master key, for example from a key store. Run by /bin/sh at each startup, instead of --key-file.",
  },
  {
    name: "bootstrap",
    ...values.choice("auto", "manual"),
    default: "auto",
    help: "auto: create the first management token in an empty database. manual: create no token, except the one in --initial-management-token.",
  },
  {
    name: "bootstrap-secret",
    ...values.token,
    help: "Secret required for manual bootstrap. Set it with the environment variable, not the flag. If the secret is a UUID, it becomes the SecretID of the first token.",
  },
  {
    name: "initial-management-token",
    ...values.token,
    help: "SecretID of the first management token. Used only on a database that was never bootstrapped.",
  },
  {
    name: "initial-management-token-file",
    ...values.path,
    help: "File that contains the SecretID of the first management token. One trailing newline is ignored.",
  },
  {
    name: "edition",
    ...values.choice("enterprise", "community"),
    default: "enterprise",
    help: "community: no namespaces or partitions, like Consul CE.",
  },
  {
    name: "default-policy",
    ...values.choice("deny", "allow"),
    default: "deny",
    help: "Decision when no rule matches. The value allow does not apply to acl, organizations or workspaces.",
  },
  {
    name: "own-token-words",
    ...values.toggle,
    default: "false",
    help: "In /v1, reject unknown tokens with a text that differs from Consul's. The Terraform provider treats Consul's text as a deleted object and removes its objects from the state.",
  },
  {
    name: "datacenter",
    ...values.label,
    default: "dc1",
    help: "Datacenter name of this installation.",
  },
  {
    name: "waits-per-token",
    ...values.count,
    default: "16384",
    help: "Maximum open blocking queries and event streams per token. Further requests get 429.",
  },
  {
    name: "waits-per-address",
    ...values.count,
    default: "256",
    help: "Maximum open blocking queries and event streams per client address, for requests without a token.",
  },
  {
    name: "max-connections",
    ...values.count,
    default: "20480, or fewer, depending on the limit on open files",
    isShownOnly: true,
    help: "Maximum open client connections. Further connections are closed immediately.",
  },
  {
    name: "max-sending",
    ...values.sending,
    default: "256",
    isShownOnly: true,
    help: "Maximum total size of responses in flight, in MiB. Further reads get 429 or 503. Minimum: 64.",
  },
  ...LOGIN_OPTIONS,
  ...LIMIT_OPTIONS,
  {
    name: "drain-delay",
    ...values.delay,
    default: "0",
    help: "How long to accept connections after SIGTERM while /readyz returns 503. Set it to the time that your load balancer needs to notice a failed health check.",
  },
  {
    name: "outbound-allow",
    ...values.ranges,
    help: "Loopback or private networks that webhooks and auth methods may connect to. Auth methods in the default namespace of the default partition can connect to private networks without this option.",
  },
  ...AUDIT_OPTIONS,
  ...USE_OPTIONS,
  ...BACKUP_OPTIONS,
  ...CONSOLE_OPTIONS,
  {
    name: "name-servers",
    ...values.nameServers,
    help: "DNS servers for host names in auth methods. Default: DNS servers of the system.",
  },
  {
    name: "public-url",
    ...values.publicUrl,
    help: "URL under which clients reach the server. Used for absolute links.",
  },
  {
    name: "trusted-proxies",
    ...values.ranges,
    value: "IP,CIDR,…",
    help: "Proxies whose X-Forwarded-* headers are trusted. Default: none.",
  },
  {
    name: "allowed-hosts",
    ...values.hostNames,
    help: "Host names to accept in addition to the loopback names. Applies only to a loopback listen address.",
  },
  {
    name: "allow-insecure",
    ...values.toggle,
    default: "false",
    help: "Allow unsafe configurations. Each one is logged as a warning.",
  },
  {
    name: "allow-empty-database",
    ...values.toggle,
    default: "false",
    help: "Create an empty database even if a master key exists but its database is missing.",
  },
  {
    name: "accept-clock",
    ...values.toggle,
    default: "false",
    help: "Trust the system clock at this startup, even if it differs by more than a day from the last trusted time. Without this option, the server deletes no expired data until the clock has run steadily for an hour.",
  },
  {
    name: "accept-lost-writes",
    ...values.toggle,
    default: "false",
    help: "Start even though the write-ahead log of the embedded database has lost acknowledged writes. The loss is recorded in the audit log.",
  },
  {
    name: "metrics-open",
    ...values.toggle,
    default: "false",
    help: "Serve /metrics without a token. Default: requires a token with operator:read.",
  },
  ...TRACE_OPTIONS,
  {
    name: "access-log",
    ...values.toggle,
    default: "false",
    help: "Also log successful reads. Writes, denied requests and failures are always logged.",
  },
  {
    name: "log-level",
    ...values.choice("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    default: "info",
    help: "Minimum log level. Logs are JSON lines on stdout.",
  },
  {
    name: "config",
    ...values.path,
    help: "JSON configuration file. Keys are option names without the leading --, such as data-dir. Flags and environment variables override the file.",
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
