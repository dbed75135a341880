/**
 * The configuration of the server: read once at start from flags, environment
 * and a JSON file, checked as a whole, and never looked up again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config/config.ts";
import { ConfigError } from "./config/error.ts";
import { findOption, LOG_LEVELS, type OptionName } from "./config/options.ts";
import { isLoopback, unsafeCombinations, weakChoices } from "./config/safety.ts";
import { collectOptions, errorCode, type Environment, type Given } from "./config/sources.ts";
import * as values from "./config/values.ts";

export { ConfigError, isLoopback };

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
    throw new ConfigError("--replica is of a PostgreSQL database; give --database postgres://… too, or leave it out");
  }
  if (config.processes > 1 && config.database.engine === "sqlite") {
    throw new ConfigError(
      `--processes ${config.processes} is not for SQLite, whose file one process owns; give --database postgres://…, or leave it out`,
    );
  }
  const problems = unsafeCombinations(config, env);
  const [first] = problems;
  if (first !== undefined && !config.allowInsecure) {
    throw new ConfigError(`${first}, or accept the risk with --allow-insecure`);
  }
  config.warnings.push(...problems, ...weakChoices(config));
  return config;
}

function buildConfig(given: ReadonlyMap<OptionName, Given>, warnings: string[]): Config {
  const dataDir = read(given, "data-dir", values.parsePath) ?? values.parsePath(byDefault("./tessera-data"));
  return {
    listen: read(given, "listen", values.parseListen) ?? { host: "127.0.0.1", port: 8500 },
    addressFile: read(given, "address-file", values.parsePath),
    dataDir,
    database: read(given, "database", values.parseDatabase) ?? values.sqliteAt(join(dataDir, "tessera.db")),
    replica: read(given, "replica", values.parseReplica),
    feed: choice(given, "feed", ["notify", "poll"]) ?? "notify",
    processes: read(given, "processes", values.parseProcesses) ?? 1,
    tls: readTls(given),
    keyFile: read(given, "key-file", values.parsePath),
    bootstrap: choice(given, "bootstrap", ["auto", "manual"]) ?? "auto",
    bootstrapSecret: read(given, "bootstrap-secret", values.parseToken),
    initialManagementToken: readManagementToken(given),
    edition: choice(given, "edition", ["enterprise", "community"]) ?? "enterprise",
    defaultPolicy: choice(given, "default-policy", ["deny", "allow"]) ?? "deny",
    datacenter: read(given, "datacenter", values.parseName) ?? "dc1",
    waitsPerToken: read(given, "waits-per-token", values.parseCount) ?? 16_384,
    waitsPerAddress: read(given, "waits-per-address", values.parseCount) ?? 256,
    maxAuthMethods: read(given, "max-auth-methods", values.parseCount) ?? 100,
    maxConnections: read(given, "max-connections", values.parseCount),
    maxSendingBytes: read(given, "max-sending", values.parseSending),
    loginFailureLimit: read(given, "login-failure-limit", values.parseLimit) ?? 100,
    loginLimitPerIdentity: read(given, "login-limit-per-identity", values.parseLimit) ?? 1000,
    loginLimitPerMethod: read(given, "login-limit-per-method", values.parseLimit) ?? 20_000,
    loginTokensPerIdentity: read(given, "login-tokens-per-identity", values.parseLimit) ?? 1000,
    defaultLoginTtl: read(given, "default-login-ttl", values.parseTtl),
    drainDelay: read(given, "drain-delay", values.parseDelay) ?? 0,
    outboundAllow: read(given, "outbound-allow", values.parseRanges) ?? [],
    nameServers: read(given, "name-servers", values.parseNameServers) ?? [],
    publicUrl: read(given, "public-url", values.parsePublicUrl),
    trustedProxies: read(given, "trusted-proxies", values.parseRanges) ?? [],
    allowedHosts: read(given, "allowed-hosts", values.parseAllowedHosts) ?? [],
    allowInsecure: read(given, "allow-insecure", values.parseSwitch) ?? false,
    allowEmptyDatabase: read(given, "allow-empty-database", values.parseSwitch) ?? false,
    metricsOpen: read(given, "metrics-open", values.parseSwitch) ?? false,
    accessLog: read(given, "access-log", values.parseSwitch) ?? false,
    logLevel: choice(given, "log-level", LOG_LEVELS) ?? "info",
    warnings: [...warnings],
  };
}

function read<T>(given: ReadonlyMap<OptionName, Given>, name: OptionName, parse: (given: Given) => T): T | undefined {
  const value = given.get(name);
  return value === undefined ? undefined : parse(value);
}

function choice<Choice extends string>(
  given: ReadonlyMap<OptionName, Given>,
  name: OptionName,
  allowed: readonly Choice[],
): Choice | undefined {
  const option = findOption(name);
  return option && read(given, name, (value) => values.parseChoice(option, value, allowed));
}

function readTls(given: ReadonlyMap<OptionName, Given>): Config["tls"] {
  const certFile = read(given, "tls-cert", values.parsePath);
  const keyFile = read(given, "tls-key", values.parsePath);
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw new ConfigError("--tls-key is given without --tls-cert; give both or neither");
  if (keyFile === undefined) throw new ConfigError("--tls-cert is given without --tls-key; give both or neither");
  return { certFile, keyFile };
}

function readManagementToken(given: ReadonlyMap<OptionName, Given>): string | undefined {
  const direct = given.get("initial-management-token");
  const file = given.get("initial-management-token-file");
  if (direct !== undefined && file !== undefined) {
    throw new ConfigError(`${direct.origin} and ${file.origin} are both given; leave one out`);
  }
  if (file === undefined) return direct && values.parseToken(direct);
  try {
    const text = readFileSync(values.parsePath(file), "utf8").replace(/\r?\n$/, "");
    return values.parseToken({ text, origin: `the token in ${file.text}` });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file.origin} cannot be read (${errorCode(error)}); check the path and its permissions`);
  }
}

function byDefault(text: string): Given {
  return { text, origin: "the default" };
}
