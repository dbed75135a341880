/** Names of objects, from the server, kept for 30 seconds in a file. What takes too long is fetched by a process of its own. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import type { OperationId } from "@tessera-server/client";
import { connect } from "../connection.ts";
import { readContexts } from "../contexts.ts";
import { cacheFolder, readIfThere, writePrivate } from "../files.ts";
import { at } from "../output/values.ts";
import { readSettings, type GlobalFlags, type ClientSettings } from "../settings.ts";
import type { Completion } from "../spec.ts";
import type { Surroundings } from "../surroundings.ts";

/** Environment and deadline of a request for names. */
export interface CompletionContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When it has to be answered, on the clock of `performance.now()`. */
  readonly deadline: number;
}

const KEPT = 30_000;
/** More help nobody. */
const MOST = 500;

interface Source {
  readonly operation: OperationId;
  readonly value: string;
  readonly isOfOrganization?: boolean;
}

const SOURCES: Readonly<Partial<Record<Completion, Source>>> = {
  organization: { operation: "listOrganizations", value: "attributes.name" },
  project: { operation: "listProjects", value: "attributes.name", isOfOrganization: true },
  workspace: { operation: "listWorkspaces", value: "attributes.name", isOfOrganization: true },
  tag: { operation: "listTags", value: "attributes.name", isOfOrganization: true },
  job: { operation: "listTagJobs", value: "id", isOfOrganization: true },
  webhook: { operation: "listTagWebhooks", value: "id", isOfOrganization: true },
  policy: { operation: "listPolicies", value: "Name" },
  role: { operation: "listRoles", value: "Name" },
  token: { operation: "listTokens", value: "AccessorID" },
  "auth-method": { operation: "listAuthMethods", value: "Name" },
  "binding-rule": { operation: "listBindingRules", value: "ID" },
  declaration: { operation: "listDeclarations", value: "Name" },
  "decision-mapping": { operation: "listDecisionMappings", value: "Name" },
  namespace: { operation: "listNamespaces", value: "Name" },
  partition: { operation: "listPartitions", value: "Name" },
};

/** Names of a kind; none when the server is away, slow, or does not show them. Never throws, and says nothing. */
export async function namesOf(
  what: Completion,
  given: GlobalFlags,
  { env, deadline }: CompletionContext,
): Promise<string[]> {
  try {
    if (what === "context") return Object.keys(readContexts(env).contexts);
    const source = SOURCES[what];
    // A command that gives a token may ask somebody for a password.
    const settings = readSettings(given, env, { withoutCommand: true });
    if (source === undefined || (source.isOfOrganization === true && settings.organization === undefined)) return [];
    const file = join(cacheFolder(env), `${keyOf(what, settings)}.json`);
    const kept = readKept(file);
    if (kept !== undefined) return kept;
    const left = deadline - performance.now();
    const names = left > 5 ? await within(left, fetchNames(source, settings, env)) : undefined;
    if (names === undefined) fetchLater(what, given);
    else keepNames(file, names);
    return names ?? [];
  } catch {
    return [];
  }
}

/** Fetches names for the next time. Never throws. */
export async function fillNames(what: Completion, given: GlobalFlags, env: CompletionContext["env"]): Promise<void> {
  await namesOf(what, given, { env, deadline: performance.now() + 5000 });
}

function readKept(file: string): string[] | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const { time, names } = JSON.parse(text) as { time: number; names: string[] };
  const age = Date.now() - time;
  return age >= 0 && age < KEPT ? names : undefined;
}

function keepNames(file: string, names: readonly string[]): void {
  writePrivate(file, JSON.stringify({ time: Date.now(), names }));
}

/** Returns the cache key of a server, a token and a scope: the names of one token are not shown to another one. */
function keyOf(what: string, { address, token, namespace, partition, organization }: ClientSettings): string {
  const parts = [what, address, token ?? "", namespace ?? "", partition ?? "", organization ?? ""];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

async function fetchNames(
  { operation, value, isOfOrganization }: Source,
  settings: ClientSettings,
  env: CompletionContext["env"],
): Promise<string[]> {
  const client = connect(settings, { env } as Surroundings, { timeout: 5000 });
  const path = isOfOrganization === true ? { organization_name: settings.organization } : {};
  const query = isOfOrganization === true || operation === "listOrganizations" ? {} : { "page-size": MOST };
  const answer = await client.request(operation, {
    path,
    query: {
      ...query,
      ...(operation.startsWith("list") && value.startsWith("attributes") ? { "page[size]": 100 } : {}),
    },
    retries: 0,
  });
  const list = Array.isArray(answer.body)
    ? (answer.body as unknown[])
    : ((answer.body as { data?: unknown[] }).data ?? []);
  return list.slice(0, MOST).flatMap((item) => {
    const name = at(item, value);
    // A shell would take a line break for the next one.
    return typeof name === "string" && /^[^\p{Cc}]+$/u.test(name) ? [name] : [];
  });
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Another process goes on, so that the next completion has them. */
function fetchLater(what: Completion, given: GlobalFlags): void {
  const main = process.argv[1];
  if (main === undefined) return;
  const child = spawn(
    process.execPath,
    [...process.execArgv, main, "__complete", "--fill", what, JSON.stringify(given)],
    { detached: true, stdio: "ignore" },
  );
  child.on("error", () => undefined);
  child.unref();
}
