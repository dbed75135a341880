/** Secrets in files: never the secret itself, but where it is (`env:NAME`, `file:PATH`, `command:LINE`). */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readSecretFile, type SecretFiles } from "./secret-files.ts";
import type { FileValue } from "./documents.ts";
import { folded, isRecord, plainText, type FileContent } from "./shape.ts";

/** Members of an auth method's `config` that are secrets, as `folded` has them; inside of others behind a dot. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  "serviceaccountjwt",
  "oidcclientsecret",
  "oidcclientassertion.privatekey.pemkey",
]);
const REFERENCE = /^(env|file|command):(.+)$/s;
/** Maximum size of one secret. */
const MAX_BYTES = 64 * 1024;
const MAX_SECONDS = 30;

/** Text that the server shows in place of a secret to callers that may not write. */
export const HIDDEN = "<hidden>";

/** Whether a member of a configuration is a secret. */
export function isSecretKey(name: string): boolean {
  return SECRET_KEYS.has(folded(name));
}

type Config = Readonly<Record<string, FileValue>>;

/**
 * A configuration with each secret in it changed.
 *
 * @param change is given its name, such as `OIDCClientAssertion.PrivateKey.PemKey`; undefined takes it out
 */
export function mapSecrets(config: Config, change: ChangeSecret): FileContent {
  return mapWithin(config, "", change);
}

type ChangeSecret = (name: string, value: FileValue) => FileValue | undefined;

function mapWithin(config: Config, around: string, change: ChangeSecret): FileContent {
  const mapped: Record<string, FileValue> = {};
  for (const [key, value] of Object.entries(config)) {
    const name = around + key;
    const changed = isSecretKey(name) ? change(name, value) : holdsSecrets(name) ? inside(value, name, change) : value;
    if (changed !== undefined) mapped[key] = changed;
  }
  return mapped;
}

function holdsSecrets(name: string): boolean {
  return [...SECRET_KEYS].some((secret) => secret.startsWith(`${folded(name)}.`));
}

/** A block of HCL is a list of one map. */
function inside(value: FileValue, name: string, change: ChangeSecret): FileValue {
  if (Array.isArray(value)) return value.map((each) => inside(each, name, change));
  return isRecord(value) ? mapWithin(value, `${name}.`, change) : value;
}

/** The secrets of a configuration, by their names. */
export function secretsIn(config: Config): Map<string, FileValue> {
  const found = new Map<string, FileValue>();
  mapSecrets(config, (name, value) => {
    found.set(name, value);
    return value;
  });
  return found;
}

/** Sources of secrets. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commands are run only where they are allowed: a plan of a change that nobody has looked at runs none. */
  readonly allowCommands: boolean;
  readonly files: SecretFiles;
  /** Secrets that were read of another server, by what stands for them; in no file can that be written. */
  readonly taken?: ReadonlyMap<string, string>;
}

/** Returns the fault of a secret in a file. Undefined when it is a reference. */
export function referenceFault(name: string, value: unknown): string | undefined {
  if (typeof value === "string" && REFERENCE.test(value)) return undefined;
  return `the value of ${name} must be a reference to a secret: env:NAME, file:PATH or command:LINE`;
}

/** Faults of all secrets of an object. */
export function secretFaults({ secret, config }: FileContent): string[] {
  const named: [string, unknown][] = secret === undefined ? [] : [["secret", secret]];
  if (isRecord(config)) named.push(...secretsIn(config));
  return named.flatMap(([name, value]) => referenceFault(name, value) ?? []);
}

/**
 * The object with its secrets in place of where they are.
 *
 * @throws Error in words when one cannot be had; the words hold no secret
 */
export async function withSecrets(content: FileContent, sources: SecretSources): Promise<FileContent> {
  const { config } = content;
  if (!isRecord(config)) return content;
  const resolved = new Map<string, string>();
  for (const [name, value] of secretsIn(config)) resolved.set(name, await resolveSecret(plainText(value), sources));
  return resolved.size === 0 ? content : { ...content, config: mapSecrets(config, (name) => resolved.get(name)) };
}

/** The secret that a reference leads to. @throws Error in words */
export async function resolveSecret(
  reference: string,
  { env, allowCommands, files, taken }: SecretSources,
): Promise<string> {
  const known = taken?.get(reference);
  if (known !== undefined) return known;
  const [, kind, where = ""] = REFERENCE.exec(reference) ?? [];
  if (kind === "env") {
    const value = env[where];
    if (value === undefined || value === "")
      throw new Error(`environment variable ${where} of ${reference} is not set`);
    return value;
  }
  if (kind === "file") return readSecretFile(where, reference, files);
  if (kind !== "command") throw new Error("invalid secret reference: use env:NAME, file:PATH or command:LINE");
  if (!allowCommands) throw new Error(`${reference} requires --allow-commands`);
  return runSecret(where, reference);
}

async function runSecret(line: string, reference: string): Promise<string> {
  const run = promisify(execFile);
  try {
    const { stdout } = await run("/bin/sh", ["-c", line], { timeout: MAX_SECONDS * 1000, maxBuffer: MAX_BYTES });
    const secret = stdout.replace(/\r?\n$/, "");
    if (secret !== "") return secret;
  } catch (error) {
    // Its own words may hold what it was to print.
    throw new Error(`${reference} failed`, { cause: error });
  }
  throw new Error(`${reference} printed nothing`);
}
