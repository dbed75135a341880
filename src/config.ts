/**
 * The configuration of the server: read once at start from flags, environment
 * and a JSON file, checked as a whole, and never looked up again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isIPv4 } from "node:net";
import * as values from "./config/values.ts";
import { ConfigError, errorCode, type GivenOption } from "./config/given.ts";
import { type OptionName, type OptionValues, readValues } from "./config/options.ts";
import { collectOptions, type Environment } from "./config/sources.ts";
import { splitHosts } from "./storage/postgres/hosts.ts";

export { ConfigError };

/** The configuration: the options by name, and what several of them come to together. Bounds and units are the options'. */
export interface Config extends Omit<
  OptionValues,
  "database" | "tlsCert" | "tlsKey" | "initialManagementTokenFile" | "config"
> {
  database: values.DatabaseLocation;
  tls: { certFile: string; keyFile: string } | undefined;
  /** One line each, for the log at start. */
  warnings: string[];
}

/**
 * Reads the whole configuration.
 *
 * @param args command line behind `serve`
 * @throws ConfigError on anything unknown, unreadable, malformed or unsafe
 */
export function readConfig(args: readonly string[], env: Environment = process.env): Config {
  const { values: given, warnings } = collectOptions(args, env);
  const config = buildConfig(given, warnings);
  if (config.replica !== undefined && config.database.engine === "sqlite") {
    throw new ConfigError("--replica requires a PostgreSQL database; set --database postgres://…, or remove --replica");
  }
  refuseWrongEngine(config);
  if (config.auditWebhookSecret !== undefined && config.auditWebhook === undefined) {
    throw new ConfigError(
      "--audit-webhook-secret requires --audit-webhook; set both, or remove --audit-webhook-secret",
    );
  }
  if ((config.backupEvery === undefined) !== (config.backupDir === undefined)) {
    throw new ConfigError("--backup-every and --backup-dir require each other; set both or neither");
  }
  if (config.keyFile !== undefined && config.keyCommand !== undefined) {
    throw new ConfigError("--key-file and --key-command cannot be combined; remove one");
  }
  const problems = unsafeCombinations(config, env);
  const [first] = problems;
  if (first !== undefined && !config.allowInsecure) {
    throw new ConfigError(`${first}, or accept the risk with --allow-insecure`);
  }
  config.warnings.push(...problems, ...weakChoices(config));
  return config;
}

/** Only PostgreSQL lets several processes share a database. */
function refuseWrongEngine({ processes, database }: Config): void {
  if (processes > 1 && database.engine === "sqlite") {
    throw new ConfigError(
      `--processes ${processes} requires PostgreSQL, because one process owns an SQLite file; set --database postgres://…, or remove --processes`,
    );
  }
}

function buildConfig(given: ReadonlyMap<OptionName, GivenOption>, warnings: string[]): Config {
  const { database, tlsCert, tlsKey, initialManagementTokenFile: _, config: __, ...others } = readValues(given);
  return {
    ...others,
    database: database ?? values.sqliteAt(join(others.dataDir, "tessera.db")),
    tls: tlsFiles(tlsCert, tlsKey),
    initialManagementToken: readManagementToken(given),
    warnings: [...warnings],
  };
}

function tlsFiles(certFile: string | undefined, keyFile: string | undefined): Config["tls"] {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new ConfigError("--tls-key requires --tls-cert; set both or neither");
  if (keyFile === undefined) throw new ConfigError("--tls-cert requires --tls-key; set both or neither");
  return { certFile, keyFile };
}

function readManagementToken(given: ReadonlyMap<OptionName, GivenOption>): string | undefined {
  const direct = given.get("initial-management-token");
  const file = given.get("initial-management-token-file");
  if (direct !== undefined && file !== undefined) {
    throw new ConfigError(`${direct.origin} and ${file.origin} are both set; remove one`);
  }
  if (file === undefined) return direct && values.token.parse(direct);
  try {
    const text = readFileSync(values.path.parse(file), "utf8").replace(/\r?\n$/, "");
    return values.token.parse({ text, origin: `the token in ${file.text}` });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file.origin} is not readable (${errorCode(error)}); check the path and its permissions`);
  }
}

/** Shorter management tokens can be guessed: warned about, and refused off loopback. */
const TOKEN_LENGTH = 32;

/** Lists the unsafe parts of a configuration, each as one line that also contains the remedy. Empty for a safe one. */
function unsafeCombinations(config: Config, env: Environment): string[] {
  const problems: string[] = [];
  const { host } = config.listen;
  const exposed = !isLoopback(host);
  if (exposed && config.tls === undefined) {
    problems.push(`--listen ${host} is not a loopback address and TLS is disabled; set --tls-cert and --tls-key`);
  }
  if (config.database.engine === "postgres" && !isProtectedPostgres(config.database.url, env)) {
    problems.push("--database is a remote PostgreSQL without verified TLS; add sslmode=verify-full to its URL");
  }
  if (config.replica !== undefined && !isProtectedPostgres(config.replica, env)) {
    problems.push("--replica is a remote PostgreSQL without verified TLS; add sslmode=verify-full to its URL");
  }
  if (exposed && config.bootstrap === "manual" && config.bootstrapSecret === undefined) {
    problems.push(
      "--bootstrap manual without a secret lets the first client take over the server; set --bootstrap-secret",
    );
  }
  if (exposed && isShortToken(config)) {
    problems.push(`the initial management token is shorter than ${TOKEN_LENGTH} characters; choose a longer one`);
  }
  return problems;
}

/** Advice about what is allowed but weak. */
function weakChoices(config: Config): string[] {
  return [
    ...(isShortToken(config)
      ? [`the initial management token is shorter than ${TOKEN_LENGTH} characters; it can be guessed`]
      : []),
    ...(config.auditWebhook !== undefined && config.auditWebhookSecret === undefined
      ? ["--audit-webhook is set without --audit-webhook-secret; the receiver cannot verify the sender"]
      : []),
  ];
}

function isShortToken(config: Config): boolean {
  return config.initialManagementToken !== undefined && config.initialManagementToken.length < TOKEN_LENGTH;
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^::ffff:/, "");
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Loopback, a socket in the file system, or TLS whose certificate is checked. */
function isProtectedPostgres(text: string, env: Environment): boolean {
  return splitHosts(text).every((url) => isProtectedServer(new URL(url), env));
}

function isProtectedServer(url: URL, env: Environment): boolean {
  // The driver may take the other one of a parameter that is given twice; and this variable disables all verification.
  if (["sslmode", "host"].some((name) => url.searchParams.getAll(name).length > 1)) return false;
  const isChecked = env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0";
  const mode = url.searchParams.get("sslmode") ?? env["PGSSLMODE"];
  if (isChecked && (mode === "verify-full" || mode === "verify-ca")) return true;
  const named = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  const host = (named === "" ? env["PGHOST"] : named) ?? "localhost";
  return host.split(",").every((each) => each.startsWith("/") || isLoopback(each.replace(/^\[(.*)\]$/, "$1")));
}
