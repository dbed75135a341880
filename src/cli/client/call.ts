/** One command that is being run: its words, and what it may do. */
import type { Client, OperationId, RequestOptions } from "@tessera-server/client";
import { connect } from "./connection.ts";
import { confirm } from "./confirm.ts";
import { CliError, EXIT, usage } from "./exit.ts";
import type { Item, Output } from "./output/types.ts";
import { memberOf } from "./member.ts";
import { createVersionNote } from "./version-note.ts";
import { readSettings, type ClientSettings } from "./settings.ts";
import type { Call, ChangeReason, EveryFlags, Verb } from "./spec.ts";
import type { Surroundings } from "./surroundings.ts";

/** Words and flags as they were parsed. */
export interface Parsed {
  readonly verb: Verb;
  readonly words: string;
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly flags: EveryFlags & Readonly<Record<string, unknown>>;
}

/** Makes the call of a command. Settings are read, and a client is made, only when they are asked for. */
export function createCall(io: Surroundings, out: Output, { verb, words, args, flags }: Parsed): Call {
  let settings: ClientSettings | undefined;
  let client: Client | undefined;
  const reason: ChangeReason = { text: textOf(flags.reason)?.trim() || undefined, isRequested: false };
  const call: Call = {
    io,
    out,
    verb,
    words,
    flags,
    get settings() {
      return (settings ??= readSettings(flags, io.env));
    },
    settingsIfRead: () => settings,
    get client() {
      return (client ??= connect(call.settings, io, {
        timeout: timeoutOf(flags.timeout),
        onVersion: createVersionNote(out),
        reason,
      }));
    },
    reason,
    clientAt(prefix) {
      const { address, ...others } = call.settings;
      return connect({ ...others, address: `${address}${prefix}` }, io, { timeout: timeoutOf(flags.timeout), reason });
    },
    arg: (name) => required(args[name], name),
    optionalArg: (name) => textOf(args[name]),
    args: (name) => listOf(args[name]),
    flag: (name) => textOf(flags[memberOf(name)]),
    flagList: (name) => listOf(flags[memberOf(name)]),
    isSet: (name) => flags[memberOf(name)] === true,
    organization() {
      const name = call.settings.organization;
      if (name !== undefined) return name;
      throw usage(
        "no organization is set",
        "set --organization, TESSERA_ORGANIZATION, or the organization of the context",
      );
    },
    read: (operation, input) => call.client.request(operation as OperationId, { signal: io.signal, ...input }),
    pages: (operation, input) =>
      limited(
        call.client.pages(operation as OperationId, { signal: io.signal, ...input }).items(),
        limitOf(flags["limit"]),
      ),
    write: (operation, input) => write(call, operation, input),
    confirm: (question, what) => confirm(call, question, what),
    sleep: (milliseconds) => sleep(milliseconds, io.signal),
  };
  return call;
}

/** Makes a write of the command, or shows it (`--dry-run`). */
async function write(
  call: Call,
  operation: string,
  input?: RequestOptions,
): Promise<Awaited<ReturnType<Call["write"]>>> {
  if (call.flags.dryRun === true) {
    await showRequest(call, operation, input);
    return undefined;
  }
  const { writeUnowned } = await import("./owners.ts");
  try {
    return await writeUnowned(call, operation, input);
  } catch (error) {
    // It knows the client's errors, which nobody needs before one is met.
    const { toldAsTaken } = await import("./taken.ts");
    throw toldAsTaken(error, call, input);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : typeof value === "string" ? [value] : [];
}

function required(value: unknown, name: string): string {
  const text = textOf(value);
  if (text === undefined || text === "") throw usage(`${name} is missing`);
  return text;
}

function limitOf(text: unknown): number {
  if (typeof text !== "string") return Infinity;
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw usage(`invalid --limit: expected an integer of at least 1, got ${JSON.stringify(text)}`);
  return Number(text);
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^(\d+(?:\.\d+)?)s?$/.exec(text)?.[1];
  if (seconds === undefined || Number(seconds) <= 0)
    throw usage(`invalid --timeout: expected seconds, such as 30, got ${JSON.stringify(text)}`);
  return Number(seconds) * 1000;
}

async function* limited(items: AsyncIterable<unknown>, limit: number): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield itemOf(item);
    count++;
    if (count >= limit) return;
  }
}

function itemOf(item: unknown): Item {
  if (typeof item !== "object" || item === null)
    throw new CliError(
      EXIT.failed,
      "the list of the server contains a value that is not an object",
      "is it a Tessera server?",
    );
  return item as Item;
}

/** Shows the request that `--dry-run` does not send. No body here contains a token, but it may contain a new secret. */
async function showRequest(call: Call, operation: string, { path, query, body }: RequestOptions = {}): Promise<void> {
  const { text: reason } = call.reason;
  const shown = {
    ...(path === undefined ? {} : { path }),
    ...(query === undefined || Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : masked(body) }),
    ...(reason === undefined ? {} : { reason }),
  };
  await call.out.note("Dry run: no request was sent.");
  await call.out.value({ operation, ...shown });
}

const SECRET_MEMBERS = new Set([
  "SecretID",
  "BearerToken",
  "OIDCClientSecret",
  "ServiceAccountJWT",
  "PemKey",
  "token",
  "Secrets",
]);

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, SECRET_MEMBERS.has(key) ? "<hidden>" : masked(each)]),
  );
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new CliError(EXIT.interrupted, "interrupted"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
