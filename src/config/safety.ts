import { isIPv4 } from "node:net";
import type { Config } from "./config.ts";
import { splitHosts } from "../storage/postgres/hosts.ts";
import type { Environment } from "./sources.ts";

/** Shorter management tokens can be guessed: warned about, and refused off loopback. */
const TOKEN_LENGTH = 32;

/** What is unsafe about a configuration, each as one line that also says what to do. Empty when nothing is. */
export function unsafeCombinations(config: Config, env: Environment): string[] {
  const problems: string[] = [];
  const { host } = config.listen;
  const exposed = !isLoopback(host);
  if (exposed && config.tls === undefined) {
    problems.push(`--listen ${host} is not a loopback address and there is no TLS; give --tls-cert and --tls-key`);
  }
  if (config.database.engine === "postgres" && !isProtectedPostgres(config.database.url, env)) {
    problems.push("--database is a remote PostgreSQL without verified TLS; add sslmode=verify-full to its URL");
  }
  if (config.replica !== undefined && !isProtectedPostgres(config.replica, env)) {
    problems.push("--replica is a remote PostgreSQL without verified TLS; add sslmode=verify-full to its URL");
  }
  if (exposed && config.bootstrap === "manual" && config.bootstrapSecret === undefined) {
    problems.push("--bootstrap manual lets whoever comes first take over the server; give --bootstrap-secret too");
  }
  if (exposed && isShortToken(config)) {
    problems.push(`the initial management token is shorter than ${TOKEN_LENGTH} characters; choose a longer one`);
  }
  return problems;
}

/** Advice about what is allowed but weak. */
export function weakChoices(config: Config): string[] {
  return isShortToken(config)
    ? [`the initial management token is shorter than ${TOKEN_LENGTH} characters; it can be guessed`]
    : [];
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
  // Of a parameter given twice the driver may take the other one; and this variable turns all checking off.
  if (["sslmode", "host"].some((name) => url.searchParams.getAll(name).length > 1)) return false;
  const isChecked = env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0";
  const mode = url.searchParams.get("sslmode") ?? env["PGSSLMODE"];
  if (isChecked && (mode === "verify-full" || mode === "verify-ca")) return true;
  const named = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  const host = (named === "" ? env["PGHOST"] : named) ?? "localhost";
  return host.split(",").every((each) => each.startsWith("/") || isLoopback(each.replace(/^\[(.*)\]$/, "$1")));
}
