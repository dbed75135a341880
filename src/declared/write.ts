/** Makes one change on a server, unless the object is not any more what it was when the plan was made. */
import { fold } from "../fold.ts";
import { ConnectionError, TesseraError, type OperationId } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import { readLive, V1 } from "./live.ts";
import type { Live } from "./object.ts";
import type { KindName } from "./kinds.ts";
import { isMadeByHome } from "./order.ts";
import { resolveSecret, type SecretSources } from "./secrets.ts";
import { readOne, scopeQuery, type Server } from "./server.ts";
import { isRecord, isSame, toWire, type FileContent } from "./shape.ts";
import { writeOrganizations } from "./write-organizations.ts";

/** Somebody else has written the object since the plan was made. */
export class ChangedSincePlan extends Error {
  constructor({ object }: PlannedChange, cause?: unknown) {
    super(`${object.kind.name} ${object.path} has changed since the plan`, { cause });
    this.name = "Moved";
  }
}

/** As often a change is tried whose outcome is not known. */
const ATTEMPTS = 3;

/**
 * Makes a change.
 *
 * @throws Moved; Error in words when a secret cannot be had; what the client throws
 */
export async function makeChange(server: Server, change: PlannedChange, secrets: SecretSources): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const known = change.live === undefined ? { ...change, live: await madeByHome(server, change) } : change;
      await (V1[known.object.kind.name] === undefined
        ? writeOrganizations(server, known)
        : writeV1(server, known, secrets));
      return;
    } catch (error) {
      if (isMoved(error)) {
        // A try before whose outcome was not known may have made it.
        if (attempt > 1 && (await isMade(server, change))) return;
        throw new ChangedSincePlan(change, error);
      }
      if (!isUncertain(error) || server.signal?.aborted === true) throw error;
      if (await isMade(server, change)) return;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

function isMoved(error: unknown): boolean {
  if (!(error instanceof TesseraError)) return error instanceof Error && error.name === "NotAsPlanned";
  if (error.status === 409 || error.status === 412) return true;
  return /already (exists|in use)|already been taken|Cannot find .* to delete|cannot find/i.test(error.detail);
}

/** Whether it is open if the server has done what was asked. */
function isUncertain(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.kind === "cut" || error.kind === "timeout";
  return error instanceof TesseraError && error.status === 503 && error.retryAfter === undefined;
}

async function isMade(server: Server, { object, content, action }: PlannedChange): Promise<boolean> {
  const { kind, where, key } = object;
  const [live] = await readLive(server, [{ kind, where, has: (each) => each === key }]);
  if (action === "delete" || live === undefined) return action === "delete" && (live === undefined || live.isGoing);
  return Object.entries(kind.members).every(
    ([name, { shape }]) =>
      name === "secret" ||
      (kind.isSparse === true && content[name] === undefined) ||
      isSame(shape, live.content[name], content[name]),
  );
}

async function writeV1(server: Server, change: PlannedChange, secrets: SecretSources): Promise<void> {
  const { live } = change;
  const { kind, where } = change.object;
  const operation = (verb: string) => `${verb}${nounOf(kind.name)}` as OperationId;
  const query = { ...scopeQuery(server, where), cas: String(live?.index ?? 0) };
  if (live === undefined) {
    await readOne(server, operation("create"), { query, body: await createdBody(change, secrets) });
    return;
  }
  const { parameter } = V1[kind.name] as { parameter: string };
  const path = { [parameter]: live.id };
  if (change.action === "delete") await server.api.request(operation("delete"), { path, query, signal: server.signal });
  else await readOne(server, operation("update"), { path, query, body: patchOf(change) });
}

/** Finds an object that the server has made with what it lies in: it may be declared too. */
async function madeByHome(server: Server, { object }: PlannedChange): Promise<Live | undefined> {
  const { kind, where, name, key } = object;
  if (!isMadeByHome(kind.name, name)) return undefined;
  const [live] = await readLive(server, [{ kind, where, has: (each) => each === key }]);
  return live;
}

/** All of an object that is made. */
async function createdBody(
  { object, content }: PlannedChange,
  secrets: SecretSources,
): Promise<Record<string, unknown>> {
  const { kind, name } = object;
  const body = withAcls(kind.name, toWire(kind.members, content));
  if (kind.named === "name") body["Name"] = name;
  if (kind.named === "accessor-id") body["AccessorID"] = name;
  if (typeof body["SecretID"] === "string") body["SecretID"] = await resolveSecret(body["SecretID"], secrets);
  return body;
}

/** Returns the change as a merge patch: members that the server has and this program does not know stay as they are. */
function patchOf({ object, content, fields, live }: PlannedChange): Record<string, unknown> {
  const { members } = object.kind;
  const changed: FileContent = Object.fromEntries(
    fields.flatMap(({ name }) => (content[name] === undefined ? [] : [[name, content[name]]])),
  );
  const patch = toWire(members, changed);
  for (const { name } of fields) {
    const wire = members[name]?.wire ?? name;
    if (!(wire in patch)) patch[wire] = null;
    const before = live?.content[name];
    if (members[name]?.shape === "free" || members[name]?.shape === "map")
      patch[wire] = mergePatch(before, patch[wire]);
  }
  return withAcls(object.kind.name, patch);
}

/** Returns the merge patch that turns the first into the second. A member that only the first has is removed. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const spelled = new Map(Object.keys(after).map((name) => [fold(name), name]));
  const gone = Object.keys(before).filter((name) => !spelled.has(fold(name)));
  return { ...after, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

/** The defaults of a namespace lie in a member of their own on the wire. */
function withAcls(kind: KindName, body: Record<string, unknown>): Record<string, unknown> {
  if (kind !== "namespace") return body;
  const { PolicyDefaults, RoleDefaults, ...others } = body;
  const acls = {
    ...(PolicyDefaults === undefined ? {} : { PolicyDefaults: PolicyDefaults ?? [] }),
    ...(RoleDefaults === undefined ? {} : { RoleDefaults: RoleDefaults ?? [] }),
  };
  return Object.keys(acls).length === 0 ? others : { ...others, ACLs: acls };
}

/** Returns the noun in the names of the operations of a kind: `AuthMethod` for `auth-method`. */
function nounOf(kind: KindName): string {
  return kind.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
