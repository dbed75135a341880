/**
 * The pool of tags of an organization: list, search, create, rename, delete.
 * Attaching tags to workspaces is the feature `workspace-tags`.
 */
import { authorize, permitted, visibleWorkspaces } from "../../rights/authorize.ts";
import type { Access } from "../../rights/rules/rule.ts";
import { recordChange, type Author, type RecordedChange } from "../changes/record.ts";
import type { Context } from "../../context.ts";
import { nameTaken } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { addToOrganizationCounts, type Organization } from "../../organizations/store.ts";
import { checkOrganization, getOrganization } from "../../organizations/access.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import type { TextRange } from "../../storage/reads/conditions.ts";
import { anyBound, countTags, readerForTagsOf } from "../holders/workspace-tags/store.ts";
import { judgeNames, loadTagPolicy, warningsOf, type TagWarning } from "../rules/enforce.ts";
import { judgePool } from "../rules/judge-pool.ts";
import { findWorkspace } from "../../workspaces/store.ts";
import { countFiltered, listFiltered, type TagSort } from "./filtered-store.ts";
import { soughtPart, tagName } from "./names.ts";
import { newName } from "./new-name.ts";
import { searchTags } from "./search.ts";
import {
  findTag,
  findTagsByName,
  idsOf,
  insertTag,
  listTags,
  listTagsExcluding,
  listTagsFromEnd,
  pinTags,
  renameTag,
  type OwnedTag,
  type Tag,
} from "./store.ts";
import { listValues, type TagValues } from "./values-store.ts";

/** Search of a list request. */
export interface PoolSearch {
  /** Part of a name, as the client wrote it. */
  part: string | undefined;
  /** ID that may belong to no workspace. */
  excludedWorkspace: string | undefined;
  unused: boolean | undefined;
  /** Whether the tag is a key of a workspace or project that the caller may see. */
  key: boolean | undefined;
  least: number | undefined;
  most: number | undefined;
  /** Bounds of the IDs. */
  ids: TextRange | undefined;
  sort: TagSort;
}

/** Rows that a query may pass over before it is sent off the event loop. */
const NEAR = 1000;

export interface TagList {
  organizationName: string;
  tags: Tag[];
  total: number;
}

/**
 * A page of an organization's tags.
 *
 * @param withValues whether the values of those that are keys are found too
 * @throws AppError `not_found` when the organization is missing or may not be read
 */
export async function listPool(
  ctx: Context,
  organizationName: string,
  search: PoolSearch,
  page: { offset: number; size: number },
  withValues = false,
): Promise<TagList & { values: Map<string, TagValues> | undefined }> {
  const organization = await getOrganization(ctx, organizationName, "read");
  const found = await findPage(ctx, organization, search, page);
  const values = withValues ? await valuesOf(ctx, organization, found.tags) : undefined;
  return { organizationName: organization.name, ...found, values };
}

/** Values are counted link by link, and those of hidden workspaces are as if they were not there. */
function valuesOf(
  ctx: Context,
  { name, projectCount }: Organization,
  tags: readonly Tag[],
): Promise<Map<string, TagValues>> {
  const links = tags.reduce((sum, { instanceCount }) => sum + instanceCount, projectCount);
  const visibility = visibleWorkspaces(ctx.actor, name);
  return listValues(links > NEAR ? ctx.db.long : ctx.db, idsOf(tags), visibility);
}

async function findPage(
  ctx: Context,
  organization: Organization,
  search: PoolSearch,
  page: { offset: number; size: number },
): Promise<{ tags: Tag[]; total: number }> {
  const excluded = await visibleWorkspace(ctx, organization, search.excludedWorkspace);
  const part = search.part === undefined ? "" : soughtPart(search.part);
  if (part === undefined) return { tags: [], total: 0 };
  const isCounted = [search.unused, search.key, search.least, search.most, search.ids].some(
    (each) => each !== undefined,
  );
  if (isCounted || search.sort !== "name") {
    const asked = { ...search, part: part === "" ? undefined : part, excludedWorkspace: excluded };
    return listChosen(ctx, organization, asked, page);
  }
  if (part !== "") {
    const asked = { organization: organization.id, part, excludedWorkspace: excluded ?? "" };
    return searchTags(ctx.db, { ...asked, limit: page.size, offset: page.offset }, organization.tagCount);
  }
  if (excluded !== undefined) return listRest(ctx, organization, excluded, page);
  return listPage(ctx, organization, page);
}

/** A page in another order, or by how often tags are used. */
async function listChosen(
  ctx: Context,
  { id: organization, name, tagCount }: Organization,
  { sort, part, excludedWorkspace, unused, key, least, most, ids }: PoolSearch,
  { offset, size }: { offset: number; size: number },
): Promise<{ tags: Tag[]; total: number }> {
  const keys = key === undefined ? undefined : { are: key, seenBy: visibleWorkspaces(ctx.actor, name) };
  const conditions = { part, excludedWorkspace, unused, keys, least, most, ids };
  const filter = { organization, ...conditions };
  const isWhole = Object.values(conditions).every((condition) => condition === undefined);
  const db = (isWhole ? offset : tagCount) > NEAR ? ctx.db.long : ctx.db;
  const [tags, counted] = await Promise.all([
    listFiltered(db, filter, sort, size, offset),
    isWhole ? tagCount : countFiltered(db, filter),
  ]);
  return { tags, total: tags.length === 0 ? counted : Math.max(counted, offset + tags.length) };
}

/** A workspace that the caller may not see excludes nothing, as one that does not exist. */
async function visibleWorkspace(
  ctx: Context,
  organization: Organization,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined || id === "") return undefined;
  const workspace = await findWorkspace(ctx.db, id);
  if (workspace?.organizationId !== organization.id) return undefined;
  return authorize(ctx.actor, "workspace", `${organization.name}/${workspace.name}`, "read") ? id : undefined;
}

async function listRest(
  ctx: Context,
  organization: Organization,
  workspace: string,
  page: { offset: number; size: number },
): Promise<{ tags: Tag[]; total: number }> {
  const carried = await countTags(await readerForTagsOf(ctx.db, workspace), workspace);
  const db = page.offset + carried > NEAR ? ctx.db.long : ctx.db;
  const tags = await listTagsExcluding(db, organization.id, workspace, page.size, page.offset);
  return { tags, total: organization.tagCount - carried };
}

/**
 * From whichever end is nearer; far from both it is a long read. The organization was read before the page: what was made
 * or deleted since is not in its count, and must not be cut off by it either.
 */
async function listPage(
  ctx: Context,
  { id, tagCount }: Organization,
  { offset, size }: { offset: number; size: number },
): Promise<{ tags: Tag[]; total: number }> {
  const fromEnd = Math.max(0, tagCount - offset - size);
  const isNearerToEnd = fromEnd < offset;
  const db = Math.min(fromEnd, offset) > NEAR ? ctx.db.long : ctx.db;
  const tags = await (isNearerToEnd ? listTagsFromEnd : listTags)(db, id, size, offset);
  if (tags.length === 0 && offset > 0) return { tags, total: tagCount };
  const seen = offset + tags.length;
  return { tags, total: tags.length < size ? seen : Math.max(tagCount, seen) };
}

/**
 * Reads one tag.
 *
 * @param db the transaction, where it is read for a change
 * @throws AppError `not_found` when it is missing or its organization may not be read
 */
export async function readTag(ctx: Context, id: string, db: Reader = ctx.db): Promise<OwnedTag> {
  return visibleTag(ctx, await findTag(db, id), "read");
}

function visibleTag(ctx: Context, tag: OwnedTag | undefined, access: Access): OwnedTag {
  return permitted(ctx, "tag", tag, "organization", (found) => found.organizationName, access);
}

/**
 * Creates tags in the pool. A tag that exists is given back as it is; either way
 * it stays in the pool from then on, also without uses.
 *
 * @param names in the order of the request; each answer entry is one distinct name
 * @throws AppError `invalid` on a name that breaks the rules, those of the organization for new ones too, `not_found`
 */
export async function createTags(
  ctx: Context,
  organizationName: string,
  names: readonly string[],
): Promise<TagList & Warned> {
  const organization = await getOrganization(ctx, organizationName, "write");
  const wanted = [...new Set(names.map((name, index) => tagName(name, `/data/${index}/attributes/name`)))];
  const now = new Date(ctx.now()).toISOString();
  const made = await ctx.db.inTransaction({ kind: "organization", id: organization.id }, async (tx) => {
    const [found, policy] = await Promise.all([
      findTagsByName(tx, organization.id, wanted),
      loadTagPolicy(tx, organization.id),
      checkOrganization(ctx, tx, organization.id, "write"),
    ]);
    const existing = new Set(found.map((tag) => tag.name));
    const missing = wanted.filter((name) => !existing.has(name));
    const warnings = warningsOf(judgeNames(policy, missing));
    const pooled = { organizationId: organization.id, pinned: 1, instanceCount: 0, projectCount: 0, createdAt: now };
    const created = missing.map((name) => ({ id: newId("tag"), name, ...pooled }));
    for (const tag of created) {
      insertTag(tx, tag);
      await recordTag(tx, ctx, tag, "created", { name: tag.name });
    }
    const pinned = found.filter((tag) => tag.pinned === 0);
    pinTags(tx, idsOf(pinned));
    for (const { id: objectId, name } of pinned) {
      tx.record({ organizationId: organization.id, kind: "tag", objectId, name, action: "pin" });
    }
    if (created.length > 0) addToOrganizationCounts(tx, organization.id, { tags: created.length });
    const byName = new Map<string, Tag>([...found, ...created].map((tag) => [tag.name, tag]));
    return { tags: wanted.flatMap((name) => byName.get(name) ?? []), warnings };
  });
  return { organizationName: organization.name, ...made, total: made.tags.length };
}

/** Warnings that the response adds to a result. */
interface Warned {
  warnings: TagWarning[];
}

const NAME_POINTER = "/data/attributes/name";

/**
 * Renames a tag; workspaces and projects keep it. A tag that is used as a key gets a name that a key may have. The name
 * keeps its case when the present name cannot be that of a flat tag.
 *
 * @throws AppError `already_exists` when another tag has the name, `invalid`, `not_found`
 */
export async function renamePoolTag(
  ctx: Context,
  id: string,
  name: string | undefined,
): Promise<{ tag: OwnedTag } & Warned> {
  const before = visibleTag(ctx, await findTag(ctx.db, id), "write");
  if (name === undefined) return { tag: before, warnings: [] };
  const to = newName([{ name: before.name, isBound: false }], name, NAME_POINTER);
  return ctx.db.inTransaction({ kind: "organization", id: before.organizationId }, async (tx) => {
    const [found, taken, policy] = await Promise.all([
      findTag(tx, id),
      findTagsByName(tx, before.organizationId, [to]),
      loadTagPolicy(tx, before.organizationId),
    ]);
    const tag = visibleTag(ctx, found, "write");
    if (tag.name === to) return { tag, warnings: [] };
    if (taken.length > 0) throw nameTaken();
    newName([{ name: before.name, isBound: await anyBound(tx, [id]) }], name, NAME_POINTER);
    const warnings = warningsOf(await judgePool(tx, policy, { tags: [tag], to: { name: to, isNew: true } }));
    renameTag(tx, id, to);
    await recordTag(tx, ctx, tag, "renamed", { from: tag.name, to });
    return { tag: { ...tag, name: to }, warnings };
  });
}

/** Tags that are born by use, or leave with it, have no record: that of what carried them says it. */
export function recordTag(
  tx: Transaction,
  author: Author,
  { id, name, organizationId }: Pick<OwnedTag, "id" | "name" | "organizationId">,
  action: RecordedChange["action"],
  details: RecordedChange["details"],
): Promise<void> {
  return recordChange(tx, author, { organizationId, kind: "tag", objectId: id, name, action, details });
}
