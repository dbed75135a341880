/** Directories of declared files, planned and applied on a server of a test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, type ClientOptions } from "@tessera-server/client";
import { applyPlan, type Applied, type ApplyOptions } from "../../src/declared/apply.ts";
import { readDeclaration, type DeclaredDirectory } from "../../src/declared/model.ts";
import { makePlan, type DeclaredPlan, type PlanOptions } from "../../src/declared/plan.ts";
import { lint } from "../../src/declared/lint.ts";
import { openServer, trialsBy, type Server } from "../../src/declared/server.ts";
import { tryChanges } from "../../src/declared/trial.ts";
import { temporaryDirectory } from "./engines.ts";
import { MANAGEMENT, type V1 } from "./v1.ts";

export const SECRETS = { env: {}, allowCommands: false, files: "none" } as const;
const AT_HOME = { partition: "default", namespace: "default" };

/** Writes files into a new directory, by their paths in it; gives its path. */
export function writeFiles(files: Readonly<Record<string, string>>, directory = temporaryDirectory()): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return directory;
}

/** Reads the declaration that these files make. */
export function declare(files: Readonly<Record<string, string>>): DeclaredDirectory {
  return readDeclaration(writeFiles(files), AT_HOME);
}

const addresses = new WeakMap<V1, Promise<string>>();

/** Address of a test's server. The first call makes it listen. */
export function addressOf(v1: V1): Promise<string> {
  const known = addresses.get(v1) ?? v1.listen();
  addresses.set(v1, known);
  return known;
}

/** The server of a test, as plans see it. */
export async function serverOf(
  v1: V1,
  options: Partial<ClientOptions> & { signal?: AbortSignal } = {},
): Promise<Server> {
  const { signal, ...more } = options;
  const address = await addressOf(v1);
  const api = createClient({ address, token: MANAGEMENT, retries: 0, ...more });
  const trials = trialsBy((prefix) =>
    createClient({ token: MANAGEMENT, retries: 0, ...more, address: `${address}${prefix}` }),
  );
  return openServer(api, { signal, trials });
}

export function planOf(
  server: Server,
  declaration: DeclaredDirectory,
  options: Partial<PlanOptions> = {},
): Promise<DeclaredPlan> {
  return makePlan(server, declaration, {
    prune: false,
    selector: undefined,
    secrets: SECRETS,
    partition: "default",
    ...options,
  });
}

/** Objects of a plan that the server would refuse, and those that it was not asked about. @param options isLookedThrough: whether by checks too */
export async function tryFiles(
  v1: V1,
  files: Readonly<Record<string, string>>,
  { token, isLookedThrough = true }: { token: string; isLookedThrough?: boolean },
): Promise<{ errors: string[]; untried: string[] }> {
  const plan = await planOf(await serverOf(v1), declare(files));
  const server = await serverOf(v1, { token });
  const looked = isLookedThrough ? await lint(server, plan.changes) : { errors: [], besideMethods: new Set<string>() };
  const known = new Set(looked.errors.flatMap(({ key }) => key ?? []));
  const options = { secrets: SECRETS, known, besideMethods: looked.besideMethods };
  const { errors, untried } = await tryChanges(server, plan.changes, options);
  return {
    errors: [...looked.errors, ...errors].map(({ message }) => message),
    untried: untried.map(({ change: { object }, why }) => `${object.key}: ${why}`),
  };
}

export function applyOf(server: Server, plan: DeclaredPlan, options: Partial<ApplyOptions> = {}): Promise<Applied> {
  return applyPlan(server, plan, { secrets: SECRETS, partition: "default", ...options });
}

/** Plans and applies. @throws why it ended early */
export async function makeSo(
  server: Server,
  declaration: DeclaredDirectory,
  options: Partial<PlanOptions> = {},
): Promise<DeclaredPlan> {
  const plan = await planOf(server, declaration, options);
  const { failure } = await applyOf(server, plan);
  if (failure !== undefined) throw failure.error;
  return plan;
}

/** The lines of a plan. */
export function linesOf({ changes }: DeclaredPlan): string[] {
  return changes.map(({ action, object, fields }) => {
    const names = fields.map(({ name }) => name).join(",");
    return `${action} ${object.kind.name} ${object.path}${action === "update" ? `: ${names}` : ""}`;
  });
}

/** All counters, and how many audit records there are: what any write moves. */
export async function tracesOf(v1: V1): Promise<unknown> {
  const counters = await v1.db.sql
    .selectFrom("counters")
    .select(["name", "value"])
    .where("name", "not like", "refusals%")
    .orderBy("name")
    .execute();
  const records = await v1.db.sql
    .selectFrom("audit_records")
    .select((eb) => eb.fn.countAll().as("n"))
    // Refusals are recorded in the background, also those of before.
    .where("outcome", "=", "done")
    .executeTakeFirstOrThrow();
  return { counters, records: Number(records.n) };
}
