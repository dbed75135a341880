/** Contexts: servers that a user works with, by names, in a file that only this user may read. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { usage } from "./exit.ts";
import { configFolder, readIfThere, writePrivate } from "./files.ts";

/** One server, and as whom one works there. */
export interface CliContext {
  address: string;
  /** A secret; `tokenCommand` and `tokenFile` stand for one that lies elsewhere. */
  token?: string;
  tokenCommand?: string;
  tokenFile?: string;
  namespace?: string;
  partition?: string;
  organization?: string;
  caFile?: string;
  clientCert?: string;
  clientKey?: string;
  /** The token is one that `tessera login` made, and `tessera logout` ends. */
  loggedIn?: boolean;
}

/** Content of the contexts file. */
export interface Contexts {
  current?: string;
  contexts: Record<string, CliContext>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MEMBERS: readonly (keyof CliContext)[] = [
  "address",
  "token",
  "tokenCommand",
  "tokenFile",
  "namespace",
  "partition",
  "organization",
  "caFile",
  "clientCert",
  "clientKey",
];

/** The file's path. */
export function contextsFile(env: Environment): string {
  return join(configFolder(env), "contexts.json");
}

/**
 * Reads the file; no file is one without contexts.
 *
 * @throws CliError when others may read it, or it is none of this program's
 */
export function readContexts(env: Environment): Contexts {
  if (env["HOME"] === undefined && env["XDG_CONFIG_HOME"] === undefined) return { contexts: {} };
  const path = contextsFile(env);
  const text = readIfThere(path);
  if (text === undefined) return { contexts: {} };
  if ((statSync(path).mode & 0o077) !== 0) {
    throw usage(`${path} contains secrets, and other users can read it`, `chmod 600 ${path}`);
  }
  try {
    return checked(JSON.parse(text));
  } catch (error) {
    throw usage(
      `cannot read ${path}: ${(error as Error).message}`,
      "repair the file, or delete it and add the contexts again",
    );
  }
}

/** Writes the file, with mode 0600. */
export function writeContexts(env: Environment, contexts: Contexts): void {
  writePrivate(contextsFile(env), `${JSON.stringify(contexts, undefined, 2)}\n`);
}

/** @throws CliError on a name that would be a nuisance in a shell */
export function checkContextName(name: string): void {
  if (!NAME.test(name))
    throw usage(`${JSON.stringify(name)} is not a valid context name: use up to 64 letters, digits, ".", "_" and "-"`);
}

function checked(content: unknown): Contexts {
  const { current, contexts } = record(content, "the file");
  const made: Contexts = { contexts: {} };
  if (typeof current === "string") made.current = current;
  for (const [name, value] of Object.entries(record(contexts, "contexts"))) made.contexts[name] = context(value, name);
  return made;
}

function context(value: unknown, name: string): CliContext {
  const given = record(value, `the context ${name}`);
  if (typeof given["address"] !== "string") throw new Error(`the context ${name} has no address`);
  const made: CliContext = { address: given["address"] };
  for (const member of MEMBERS) {
    const text = given[member];
    if (typeof text === "string") Object.assign(made, { [member]: text });
    else if (text !== undefined) throw new Error(`${member} of the context ${name} is not a string`);
  }
  if (given["loggedIn"] === true) made.loggedIn = true;
  return made;
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Record<string, unknown>;
}
