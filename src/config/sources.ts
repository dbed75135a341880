import { VARIABLES } from "./client-variables.ts";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ConfigError, errorCode, quote, type GivenOption } from "./given.ts";
import type { Option } from "./option.ts";
import { environmentName, findOption, OPTIONS, shownValue, type OptionName } from "./options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of three sources: flags have precedence over the environment, and the environment over the file. */
interface GivenOptions {
  values: Map<OptionName, GivenOption>;
  warnings: string[];
}

/**
 * Collects the options from flags, environment and the `--config` file.
 *
 * @throws ConfigError on an unknown flag or key, a flag without its value or
 * given twice, an option that was removed, and a configuration file that cannot be read
 */
export function collectOptions(args: readonly string[], env: Environment): GivenOptions {
  const flags = readFlags(args);
  const { values: variables, warnings } = readEnvironment(env);
  const file = flags.get("config") ?? variables.get("config");
  const keys = file === undefined ? new Map<OptionName, GivenOption>() : readFile(file);
  return { values: new Map([...keys, ...variables, ...flags]), warnings };
}

function readFlags(args: readonly string[]): Map<OptionName, GivenOption> {
  const options = Object.fromEntries(
    OPTIONS.map((option: Option) => [
      option.name,
      { type: option.type === "switch" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true });
  const values = new Map<OptionName, GivenOption>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      throw new ConfigError(`unexpected argument ${quote(token.value)}; use --name VALUE for options`);
    }
    refuseRemoved(token.name, `--${token.name}`);
    const option = findOption(token.name);
    if (option === undefined)
      throw unknownName(`flag ${token.rawName}`, token.name, "--", "; run tessera serve --help");
    if (values.has(option.name)) throw new ConfigError(`${token.rawName} is set twice; remove one`);
    values.set(option.name, { text: flagValue(option, token), origin: `--${option.name}` });
  }
  return values;
}

function flagValue(
  option: Option,
  token: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
): string {
  if (option.type === "switch") return token.value ?? "true";
  // Without "=", a following flag was taken for the value: the value was forgotten.
  if (token.value === undefined || (token.inlineValue !== true && token.value.startsWith("--"))) {
    throw new ConfigError(`${token.rawName} requires a value: ${token.rawName} ${shownValue(option)}`);
  }
  return token.value;
}

function readEnvironment(env: Environment): GivenOptions {
  const values = new Map<OptionName, GivenOption>();
  // The same shell often sets variables of the client commands too.
  const known = new Set<string>(Object.keys(VARIABLES));
  for (const { name } of OPTIONS) {
    const variable = environmentName(name);
    known.add(variable);
    const text = env[variable];
    // An empty variable is what a shell or a compose file makes of an unset one.
    if (text !== undefined && text !== "") values.set(name, { text, origin: variable });
  }
  for (const name of REMOVED.keys()) {
    const variable = environmentName(name);
    if ((env[variable] ?? "") !== "") refuseRemoved(name, variable);
  }
  const warnings = Object.keys(env)
    .filter((variable) => variable.startsWith("TESSERA_") && !known.has(variable) && !isServiceLink(variable))
    .toSorted()
    .map((variable) => `the environment variable ${variable} is not an option of the server and is ignored`);
  return { values, warnings };
}

/** Options of earlier versions that were removed, and what to do instead. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  ["threads", "remove it. For more CPU cores, use PostgreSQL with --processes or several servers"],
]);

/** Refuses an option that was removed, with every value. @throws ConfigError */
function refuseRemoved(name: string, origin: string): void {
  const instead = REMOVED.get(name);
  if (instead !== undefined) throw new ConfigError(`${origin} was removed from the server; ${instead}`);
}

/** Kubernetes sets variables such as `TESSERA_SERVICE_HOST` for a service called tessera. */
function isServiceLink(variable: string): boolean {
  return /^TESSERA_(?:SERVICE_|PORT(?:_|$))/.test(variable);
}

function readFile(file: GivenOption): Map<OptionName, GivenOption> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file.text, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is not JSON" : `cannot be read (${errorCode(error)})`;
    throw new ConfigError(`the configuration file ${file.text} ${reason}; fix it or remove ${file.origin}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new ConfigError(`the configuration file ${file.text} must contain one JSON object with options`);
  }
  const values = new Map<OptionName, GivenOption>();
  for (const [key, value] of Object.entries(content)) {
    refuseRemoved(key, `"${key}" in ${file.text}`);
    const option = findOption(key);
    if (option === undefined || option.name === "config") {
      throw unknownName(`key ${quote(key)} in ${file.text}`, key, "", "");
    }
    const origin = `"${key}" in ${file.text}`;
    values.set(option.name, { text: fileValue(option, value, origin), origin });
  }
  return values;
}

function fileValue(option: Option, value: unknown, origin: string): string {
  if (option.type === "switch" && typeof value === "boolean") return String(value);
  if (option.type === "list" && Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return value.join(",");
  }
  if (option.type !== "switch" && typeof value === "string") return value;
  const wanted = option.type === "switch" ? "true or false" : option.type === "list" ? "a list of strings" : "a string";
  throw new ConfigError(`${origin} must be ${wanted}`);
}

function unknownName(what: string, name: string, dashes: string, otherwise: string): ConfigError {
  const nearest = nearestOption(name);
  return new ConfigError(`unknown ${what}${nearest === undefined ? otherwise : `; did you mean ${dashes}${nearest}?`}`);
}

/** The option that comes closest to a misspelt name, for the hint in an error; undefined when none is near. */
function nearestOption(name: string): string | undefined {
  let best: string | undefined;
  let bestDistance = 3;
  for (const option of OPTIONS) {
    const distance = editDistance(name, option.name);
    if (distance < bestDistance) {
      best = option.name;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
