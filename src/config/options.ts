/**
 * Every option of `tessera serve`, once: the same table makes the flags, the
 * environment variables, the keys of the `--config` file and the help text.
 */
export interface Option {
  /** Flag without dashes, and key of the configuration file. */
  readonly name: string;
  readonly type: "text" | "switch" | "list" | "choice";
  /** What the value looks like, for the help text. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Shown by the help text; the value itself is filled in by `readConfig`. */
  readonly default?: string;
  readonly help: string;
}

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const OPTIONS = [
  {
    name: "listen",
    type: "text",
    value: "HOST:PORT",
    default: "127.0.0.1:8500",
    help: "Address to listen on. Port 0 takes a free one. An IPv6 address is written [::1]:8500.",
  },
  {
    name: "address-file",
    type: "text",
    value: "PATH",
    help: "Write the address that the server really listens on to this file, as a URL.",
  },
  {
    name: "data-dir",
    type: "text",
    value: "PATH",
    default: "./tessera-data",
    help: "Directory for the database file, the master key and the first token. Made when missing.",
  },
  {
    name: "database",
    type: "text",
    value: "URL",
    default: "sqlite:<data-dir>/tessera.db",
    help: "sqlite:PATH or postgres://user:password@host/database?sslmode=verify-full",
  },
  {
    name: "replica",
    type: "text",
    value: "URL",
    help: "Streaming replica of the PostgreSQL database. It answers reads that ask for ?stale.",
  },
  {
    name: "feed",
    type: "choice",
    choices: ["notify", "poll"],
    default: "notify",
    help: "How servers on one PostgreSQL learn of each other's changes: poll leaves out the notifications that make it faster, for servers without them.",
  },
  {
    name: "processes",
    type: "text",
    value: "NUMBER",
    default: "1",
    help: "Processes that share the port and answer from one PostgreSQL; auto for one per core. Limits such as --waits-per-token count in each process by itself.",
  },
  {
    name: "tls-cert",
    type: "text",
    value: "PATH",
    help: "Certificate chain in PEM. Read again on SIGHUP and when the file changes.",
  },
  {
    name: "tls-key",
    type: "text",
    value: "PATH",
    help: "Private key of the certificate, in PEM.",
  },
  {
    name: "key-file",
    type: "text",
    value: "PATH",
    default: "<data-dir>/master-key",
    help: "Master key that opens the secrets in the database. Keep it apart from the database's backups.",
  },
  {
    name: "bootstrap",
    type: "choice",
    choices: ["auto", "manual"],
    default: "auto",
    help: "auto makes the first management token on an empty database; manual makes none but --initial-management-token.",
  },
  {
    name: "bootstrap-secret",
    type: "text",
    value: "TEXT",
    help: "What an operator must present to bootstrap by hand; better given by the environment than as a flag. A UUID becomes the first token's SecretID.",
  },
  {
    name: "initial-management-token",
    type: "text",
    value: "TEXT",
    help: "SecretID of the first management token, on a database that was never bootstrapped.",
  },
  {
    name: "initial-management-token-file",
    type: "text",
    value: "PATH",
    help: "The same, read from a file; one line break at its end is left out.",
  },
  {
    name: "edition",
    type: "choice",
    choices: ["enterprise", "community"],
    default: "enterprise",
    help: "community answers as a server without namespaces and partitions.",
  },
  {
    name: "default-policy",
    type: "choice",
    choices: ["deny", "allow"],
    default: "deny",
    help: "What holds where no rule says anything. allow grants neither acl nor organizations and workspaces.",
  },
  {
    name: "datacenter",
    type: "text",
    value: "NAME",
    default: "dc1",
    help: "Name of this installation, as clients see it.",
  },
  {
    name: "waits-per-token",
    type: "text",
    value: "NUMBER",
    default: "16384",
    help: "Blocking queries and event streams that one token may have open; more are answered 429.",
  },
  {
    name: "waits-per-address",
    type: "text",
    value: "NUMBER",
    default: "256",
    help: "The same of one client address without a token.",
  },
  {
    name: "max-auth-methods",
    type: "text",
    value: "NUMBER",
    default: "100",
    help: "Auth methods that one namespace may hold; another one is refused with 400.",
  },
  {
    name: "max-connections",
    type: "text",
    value: "NUMBER",
    default: "20480, or fewer where the limit on open files leaves no room",
    help: "Connections that clients may have open; more are closed as soon as they are opened.",
  },
  {
    name: "max-sending",
    type: "text",
    value: "MIB",
    default: "256",
    help: "MiB of answers that may be on their way to clients, all together; reads beyond it are answered 429 or 503. 64 at least.",
  },
  {
    name: "login-failure-limit",
    type: "text",
    value: "NUMBER",
    default: "100",
    help: "Refused logins a minute of one auth method from one client address that claim to be the same subject; more are answered 429. 0 for no limit.",
  },
  {
    name: "login-limit-per-identity",
    type: "text",
    value: "NUMBER",
    default: "1000",
    help: "Logins a minute of one identity, which all at once may use up; more are answered 429. 0 for no limit.",
  },
  {
    name: "login-limit-per-method",
    type: "text",
    value: "NUMBER",
    default: "20000",
    help: "The same of all identities of one auth method.",
  },
  {
    name: "login-tokens-per-identity",
    type: "text",
    value: "NUMBER",
    default: "1000",
    help: "Living tokens that logins of one identity may have made; another login is answered 429. 0 for no limit.",
  },
  {
    name: "default-login-ttl",
    type: "text",
    value: "DURATION",
    default: "24h",
    help: "How long tokens live that logins make by auth methods without a MaxTokenTTL; 0 for ever. Unless it is set, those of the types kubernetes and aws-iam live for ever.",
  },
  {
    name: "drain-delay",
    type: "text",
    value: "DURATION",
    default: "0",
    help: "How long connections are still accepted after SIGTERM, while /readyz says 503: as long as a load balancer takes to see that.",
  },
  {
    name: "outbound-allow",
    type: "list",
    value: "CIDR,…",
    help: "Networks that auth methods may connect to though they are loopback, or private and the method is not in default/default.",
  },
  {
    name: "name-servers",
    type: "list",
    value: "IP[:PORT],…",
    help: "DNS servers that are asked for the names in auth methods, instead of those of the system.",
  },
  {
    name: "public-url",
    type: "text",
    value: "URL",
    help: "Address under which clients reach the server; absolute links are made from it.",
  },
  {
    name: "trusted-proxies",
    type: "list",
    value: "IP,CIDR,…",
    help: "Proxies whose X-Forwarded-* headers are believed. Nobody's by default.",
  },
  {
    name: "allowed-hosts",
    type: "list",
    value: "NAME,…",
    help: "Host names accepted besides the loopback ones while listening on loopback.",
  },
  {
    name: "allow-insecure",
    type: "switch",
    default: "false",
    help: "Start in spite of a combination that is refused as unsafe. Each one is logged as a warning.",
  },
  {
    name: "allow-empty-database",
    type: "switch",
    default: "false",
    help: "Begin an empty database though the master key has sealed another one, which is missing; refused otherwise.",
  },
  {
    name: "metrics-open",
    type: "switch",
    default: "false",
    help: "Answer /metrics without a token; otherwise it needs one with operator:read.",
  },
  {
    name: "access-log",
    type: "switch",
    default: "false",
    help: "Log successful reads too; writes, refusals and failures are always logged.",
  },
  {
    name: "log-level",
    type: "choice",
    choices: LOG_LEVELS,
    default: "info",
    help: "Least severe lines that are logged, as JSON, to standard output.",
  },
  {
    name: "config",
    type: "text",
    value: "PATH",
    help: "JSON file whose keys are these options without the dashes. Flags and environment win over it.",
  },
] as const satisfies readonly Option[];

export type OptionName = (typeof OPTIONS)[number]["name"];

const byName = new Map<string, Option & { name: OptionName }>(OPTIONS.map((option) => [option.name, option]));

/** The option of this name, or undefined. */
export function findOption(name: string): (Option & { name: OptionName }) | undefined {
  return byName.get(name);
}

/** Name of the environment variable that carries an option, such as `TESSERA_DATA_DIR`. */
export function environmentName(name: string): string {
  return `TESSERA_${name.toUpperCase().replaceAll("-", "_")}`;
}
