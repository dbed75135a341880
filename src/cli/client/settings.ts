/**
 * Which server, and as whom: what flags, the environment and the context say together. A token goes only where its own source
 * says: a context's to the context's address, Consul's variable to Consul's address, so that pointing at another server never
 * hands it a secret.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { CliContext } from "./contexts.ts";
import { readContexts } from "./contexts.ts";
import { usage } from "./exit.ts";
import { fromConsul, fromTerraform, terraformTokenFor, type ForeignEnvironment, type Foreign } from "./foreign.ts";
import type { Variable } from "../../config/client-variables.ts";

/** Settings of a command. */
export interface ClientSettings {
  readonly address: string;
  /** Source of the address, such as `TESSERA_ADDR`. */
  readonly addressFrom: string;
  readonly token: string | undefined;
  readonly tokenFrom: string | undefined;
  readonly namespace: string | undefined;
  readonly partition: string | undefined;
  readonly organization: string | undefined;
  readonly caFile: string | undefined;
  readonly clientCert: string | undefined;
  readonly clientKey: string | undefined;
  /** The context in use. */
  readonly context: string | undefined;
}

/** Flags that every command has. */
export interface GlobalFlags {
  readonly address?: string;
  readonly context?: string;
  readonly tokenFile?: string;
  readonly namespace?: string;
  readonly partition?: string;
  readonly organization?: string;
  readonly caFile?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

const DEFAULT_ADDRESS = "http://127.0.0.1:8500";

/** A token, and what said so. */
interface Secret {
  text: string;
  from: string;
}

/**
 * Puts all sources together.
 *
 * @param options `withoutToken`: no token is looked for; `withoutCommand`: no command is asked for one
 * @throws CliError when a source cannot be read, or two exclude one another
 */
export function readSettings(
  flags: GlobalFlags,
  env: ForeignEnvironment,
  { withoutToken = false, withoutCommand = false } = {},
): ClientSettings {
  const own = ownVariables(env);
  const chosen = chooseContext(flags, own, env);
  const foreign = chosen === undefined ? (fromConsul(env) ?? fromTerraform(env)) : undefined;
  const place = chooseAddress(flags, own, chosen, foreign);
  const token = withoutToken
    ? undefined
    : chooseToken(flags, own, withoutCommand ? quietly(chosen) : chosen, foreign, place.address, env);
  const context = place.isOfContext ? chosen?.context : undefined;
  const given = { ...(place.isForeign ? foreign : undefined), ...context };
  return {
    address: place.address,
    addressFrom: place.from,
    token: token?.text,
    tokenFrom: token?.from,
    namespace: flags.namespace ?? own("TESSERA_NAMESPACE") ?? given.namespace,
    partition: flags.partition ?? own("TESSERA_PARTITION") ?? given.partition,
    organization: flags.organization ?? own("TESSERA_ORGANIZATION") ?? given.organization ?? terraformOrganization(env),
    caFile: flags.caFile ?? own("TESSERA_CA_FILE") ?? given.caFile,
    clientCert: flags.clientCert ?? own("TESSERA_CLIENT_CERT") ?? given.clientCert,
    clientKey: flags.clientKey ?? own("TESSERA_CLIENT_KEY") ?? given.clientKey,
    context: place.isOfContext ? chosen?.name : undefined,
  };
}

/** Reads variables of this program; an empty one is not set. */
function ownVariables(env: ForeignEnvironment): (name: Variable) => string | undefined {
  return (name) => (env[name] === "" ? undefined : env[name]);
}

type Own = ReturnType<typeof ownVariables>;

function terraformOrganization(env: ForeignEnvironment): string | undefined {
  return env["TFE_ORGANIZATION"] === "" ? undefined : env["TFE_ORGANIZATION"];
}

interface Chosen {
  name: string;
  context: CliContext;
}

function chooseContext(flags: GlobalFlags, own: Own, env: ForeignEnvironment): Chosen | undefined {
  const asked = flags.context ?? own("TESSERA_CONTEXT");
  const { current, contexts } = readContexts(env);
  const name = asked ?? current;
  if (name === undefined) return undefined;
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context !== undefined) return { name, context };
  if (asked === undefined) return undefined;
  const names = Object.keys(contexts).slice(0, 20);
  throw usage(
    `context ${JSON.stringify(name)} not found`,
    names.length === 0 ? "no contexts exist; run tessera context add" : `contexts: ${names.join(", ")}`,
  );
}

/** A context without its command. */
function quietly(chosen: Chosen | undefined): Chosen | undefined {
  if (chosen === undefined) return undefined;
  const { tokenCommand: _command, ...context } = chosen.context;
  return { name: chosen.name, context };
}

interface Place {
  address: string;
  from: string;
  isOfContext: boolean;
  isForeign: boolean;
}

function chooseAddress(flags: GlobalFlags, own: Own, chosen: Chosen | undefined, foreign: Foreign | undefined): Place {
  const said = flags.address ?? own("TESSERA_ADDR");
  const ofContext = chosen === undefined ? undefined : addressOf(chosen.context.address, `the context ${chosen.name}`);
  if (said !== undefined) {
    const from = flags.address === undefined ? "TESSERA_ADDR" : "--address";
    const address = addressOf(said, from);
    return { address, from, isOfContext: address === ofContext, isForeign: address === foreign?.address };
  }
  if (ofContext !== undefined && chosen !== undefined) {
    return { address: ofContext, from: `the context ${chosen.name}`, isOfContext: true, isForeign: false };
  }
  if (foreign !== undefined) {
    return {
      address: addressOf(foreign.address, foreign.from),
      from: foreign.from,
      isOfContext: false,
      isForeign: true,
    };
  }
  return { address: DEFAULT_ADDRESS, from: "the default", isOfContext: false, isForeign: false };
}

/**
 * An address as it is compared and used: scheme and host, and a path when the server lies below one.
 *
 * @throws CliError when it is none
 */
export function addressOf(text: string, from: string): string {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme))
    throw usage(
      `${from} is not a valid address: ${JSON.stringify(text)}`,
      "use a URL such as https://tessera.example.com",
    );
  const url = new URL(withScheme);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw usage(`${from} must use http or https: ${JSON.stringify(text)}`);
  if (url.username !== "" || url.password !== "")
    throw usage(`${from} contains a user or a password, which would appear in logs: set a token instead`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function chooseToken(
  flags: GlobalFlags,
  own: Own,
  chosen: Chosen | undefined,
  foreign: Foreign | undefined,
  address: string,
  env: ForeignEnvironment,
): Secret | undefined {
  if (flags.tokenFile !== undefined)
    return { text: readSecretFile(flags.tokenFile, "--token-file"), from: "--token-file" };
  const direct = own("TESSERA_TOKEN");
  if (direct !== undefined) return { text: checkedSecret(direct, "TESSERA_TOKEN"), from: "TESSERA_TOKEN" };
  const file = own("TESSERA_TOKEN_FILE");
  if (file !== undefined) return { text: readSecretFile(file, "TESSERA_TOKEN_FILE"), from: "TESSERA_TOKEN_FILE" };
  if (chosen !== undefined && addressOf(chosen.context.address, "the context") === address) {
    const secret = secretOf(chosen.context, `the context ${chosen.name}`, env);
    if (secret !== undefined) return secret;
  }
  if (foreign?.address === address) {
    const { token, tokenFile, tokenFrom } = foreign;
    if (token !== undefined) return { text: checkedSecret(token, tokenFrom), from: tokenFrom };
    if (tokenFile !== undefined) return { text: readSecretFile(tokenFile, tokenFrom), from: tokenFrom };
  }
  return terraformTokenFor(address, env);
}

function secretOf(
  { token, tokenFile, tokenCommand }: CliContext,
  name: string,
  env: ForeignEnvironment,
): Secret | undefined {
  if (token !== undefined) return { text: checkedSecret(token, name), from: name };
  if (tokenFile !== undefined) return { text: readSecretFile(tokenFile, name), from: `${name} (token file)` };
  if (tokenCommand === undefined) return undefined;
  return { text: checkedSecret(outputOf(tokenCommand, name, env), name), from: `${name} (token command)` };
}

/** Returns the standard output of a user's command. Its standard error is shown to the user. */
function outputOf(command: string, name: string, env: ForeignEnvironment): string {
  try {
    return execFileSync("/bin/sh", ["-c", command], {
      encoding: "utf8",
      env: { ...env },
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 60_000,
    }).trim();
  } catch (error) {
    // The message of Node repeats all that was printed.
    const { status, signal } = error as { status?: number | null; signal?: string | null };
    throw usage(`the token command of ${name} failed (${signal ?? `exit code ${status ?? "unknown"}`})`);
  }
}

function readSecretFile(path: string, from: string): string {
  try {
    return checkedSecret(readFileSync(path === "-" ? 0 : path, "utf8").trim(), from);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw usage(`cannot read ${path} (${String(error.code)}). Check ${from}`);
  }
}

/** @throws CliError on what cannot be sent in a header, or is empty; the text itself is never repeated */
function checkedSecret(text: string, from: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw usage(`${from} contains an empty token`);
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw usage(`${from} does not contain a valid token: it has spaces, line breaks or non-ASCII characters`);
  return trimmed;
}
