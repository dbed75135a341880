/**
 * Deletes tokens by what they are like. A request only notes what is wanted, under the ID of a job; the tokens go in slices in the
 * background (`engine.ts`). Implements `POST /v1/acl/tokens/revoke` and `GET /v1/acl/tokens/revoke/:id`.
 */
import type { Context } from "../../../context.ts";
import { AppError, invalid } from "../../../errors.ts";
import { createOwnedLane, type OwnedLane } from "../../../limits/owned-lane.ts";
import { checkPermission } from "../../../rights/permission.ts";
import { roleStore } from "../../roles/store.ts";
import type { Scope } from "../../../rights/scope.ts";
import { isUuid, newUuid } from "../../../rights/uuid.ts";
import { changeIn } from "../../kit/write.ts";
import { unusedSince } from "../filters.ts";
import { ANONYMOUS } from "../../../rights/reserved-secrets.ts";
import { countTokens, listTokens, type TokenFilter } from "../store.ts";
import {
  deleteRevocations,
  findOpen,
  findRevocation,
  findSuperfluous,
  insertRevocation,
  type Revocation,
} from "./store.ts";

export type { Revocation };

/** Which tokens; an empty text asks for nothing, and one at least is not empty. */
export interface RevocationInput {
  /** A duration, such as `90d`. */
  unusedFor: string;
  authMethod: string;
  /** ID or name. */
  role: string;
  description: string;
}

/** Result of a preview: the tokens that a revocation would delete. */
export interface RevocationPreview {
  total: number;
  /** AccessorIDs of the first of them. */
  accessorIds: string[];
}

/** Maximum number of AccessorIDs that a preview names. */
const PREVIEWED = 100;
/** Number of ended revocations that are kept in a namespace. */
const KEPT = 20;
const MOST_CHARACTERS = 1024;

/** Tokens that no revocation deletes. */
export function spared(accessorId: string): readonly string[] {
  return [ANONYMOUS.accessorId, accessorId];
}

/** Creates the turns of previews, each of which can read every token of a namespace. */
export function createPreviewLane(): OwnedLane {
  return createOwnedLane("revocationPreviews", 2, "Too many previews of revocations are running");
}

/**
 * Returns the tokens that a revocation would delete now.
 *
 * @throws AppError `forbidden`, `invalid`, `unavailable` when too many are requested, and as for `startRevocation`
 */
export async function previewRevocation(
  ctx: Context,
  lane: OwnedLane,
  scope: Scope,
  input: RevocationInput,
): Promise<RevocationPreview> {
  checkPermission(ctx, scope, "acl", "write");
  const filter = await resolveFilter(ctx, scope, input);
  const except = spared(ctx.actor.accessorId);
  return lane.run(`${scope.partition}/${scope.namespace}`, async () => {
    const page = { after: "", size: PREVIEWED + except.length, search: "" };
    const [total, tokens] = await Promise.all([
      countTokens(ctx.db.long, scope, filter, ctx.now(), except),
      listTokens(ctx.db.long, scope, filter, page, ctx.now()),
    ]);
    const ids = tokens.map(({ accessorId }) => accessorId).filter((id) => !except.includes(id));
    return { total, accessorIds: ids.slice(0, PREVIEWED) };
  });
}

/**
 * Has tokens deleted from now on.
 *
 * @throws AppError `forbidden`, `invalid`, `conflict` while another one is under way in the namespace, `unavailable` with
 * `unusedFor` while the server does not trust its clock
 */
export async function startRevocation(ctx: Context, scope: Scope, input: RevocationInput): Promise<Revocation> {
  checkPermission(ctx, scope, "acl", "write");
  const filter = await resolveFilter(ctx, scope, input);
  const at = new Date(ctx.now()).toISOString();
  const { partition, namespace } = scope;
  const revocation: Revocation = {
    id: newUuid(),
    scope: { partition, namespace },
    accessorId: ctx.actor.accessorId,
    requestId: ctx.requestId,
    filter: ctx.leavesOwned === true ? { ...filter, leavesOwned: true } : filter,
    status: "queued",
    place: "",
    total: -1,
    revoked: 0,
    reason: "",
    createdAt: at,
    updatedAt: at,
    finishedAt: "",
  };
  return changeIn(ctx, scope, async (tx) => {
    const [open, superfluous] = await Promise.all([findOpen(tx, scope), findSuperfluous(tx, scope, KEPT - 1)]);
    if (open !== undefined)
      throw new AppError("conflict", `This namespace already has a running revocation. Wait until it ends: ${open}`);
    deleteRevocations(tx, superfluous);
    insertRevocation(tx, revocation);
    // The deletions have records of their own, under the revocation's ID.
    const { id: objectId } = revocation;
    const detail = { details: input };
    tx.record({ ...revocation.scope, kind: "token-revocation", objectId, name: "", action: "create", detail });
    return revocation;
  });
}

/** Returns a revocation with its progress. @throws AppError `forbidden`, `not_found` */
export async function readRevocation(ctx: Context, scope: Scope, id: string): Promise<Revocation> {
  checkPermission(ctx, scope, "acl", "read");
  const found = isUuid(id) ? await findRevocation(ctx.db, scope, id.toLowerCase()) : undefined;
  if (found === undefined) throw new AppError("not_found", "Revocation not found in this namespace");
  return found;
}

/**
 * Returns the filter in stored spelling; its time counts from now, however long the work takes.
 *
 * @throws AppError `unavailable` while the server does not trust its clock, by which all tokens may be unused for long
 */
async function resolveFilter(ctx: Context, scope: Scope, input: RevocationInput): Promise<TokenFilter> {
  const { unusedFor, authMethod, role, description } = input;
  const texts = Object.values(input) as string[];
  if (texts.every((text) => text === "")) {
    throw invalid("Set at least one of UnusedFor, AuthMethod, Role and Description");
  }
  if (texts.some((text) => text.length > MOST_CHARACTERS)) {
    throw invalid(`A filter of a revocation has at most ${MOST_CHARACTERS} characters`);
  }
  if (unusedFor !== "" && ctx.db.forGood.isInDoubt()) {
    throw new AppError(
      "unavailable",
      "The server does not trust its system clock, so it cannot find unused tokens. Fix the clock, or " +
        "restart the server with --accept-clock",
    );
  }
  return {
    policy: "",
    role: role === "" ? "" : await findRole(ctx, scope, role),
    serviceName: "",
    authMethod,
    authMethodNamespace: "",
    description,
    unusedSince: unusedSince(unusedFor, ctx.now()),
    expiresBefore: undefined,
  };
}

async function findRole({ db }: Context, scope: Scope, role: string): Promise<string> {
  const isId = isUuid(role);
  const found = isId ? await roleStore.find(db, scope, role.toLowerCase()) : await roleStore.byName(db, scope, role);
  if (found === undefined) throw invalid(`No such ACL role with ${isId ? "ID" : "name"} "${role}"`);
  return found.id;
}
