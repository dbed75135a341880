/** The names that jobs give tags of the pool: what a rename does, and which tag others are merged into. */
import { NOTHING_OWNED, type OwnedAmong } from "../../../acl/declarations/owners.ts";
import { fold } from "../../../fold.ts";
import { AppError } from "../../../errors.ts";
import type { Reader } from "../../../storage/database.ts";
import { checkKey } from "../../holders/bindings/keys.ts";
import { loadTagPolicy, NO_VERDICT, refusedBy, RULED, warningsOf, type Verdict } from "../../rules/enforce.ts";
import { judgePool } from "../../rules/judge-pool.ts";
import { newName } from "../../pool/new-name.ts";
import { findTagsById, findTagsByName, idsOf, type NamedTag } from "../../pool/store.ts";
import { newTag, type BulkTag } from "../../pool/uses.ts";
import { anyBound } from "../../holders/workspace-tags/store.ts";
import { OWNED, writeOf, type CountsByReason } from "../job.ts";
import type { PoolRequest } from "../request.ts";
import { warnedOf } from "../warned.ts";

/** Pointer to the new name in a request. */
export const TO = "/data/attributes/to";

/** Each name is that of a key, or else that of a flat tag, which are compared in lower case. */
export async function findNamed(db: Reader, organization: string, names: readonly string[]): Promise<NamedTag[]> {
  const found = await findTagsByName(db, organization, [...new Set([...names, ...names.map(fold)])]);
  const known = new Map(found.map((tag) => [tag.name, tag]));
  const chosen = new Set(names.flatMap((name) => known.get(name) ?? known.get(fold(name)) ?? []));
  return [...chosen].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Effects of a rename. */
export interface Renaming {
  tag: NamedTag | undefined;
  /** The name that it gets; undefined where it keeps its own. */
  to: string | undefined;
  /** Why it keeps it, unless it has that name. */
  refused: string | undefined;
  warned: CountsByReason;
}

/** Plans a rename, for a preview and for the job alike. @param db the transaction, where it is to be written. @param owned finds what is left alone */
export async function planRename(
  db: Reader,
  organization: string,
  { name, to: wanted }: Extract<PoolRequest, { action: "rename" }>,
  owned: OwnedAmong = NOTHING_OWNED,
): Promise<Renaming> {
  const [tag] = await findNamed(db, organization, [name]);
  const kept: Renaming = { tag, to: undefined, refused: undefined, warned: {} };
  if (tag === undefined) return { ...kept, refused: "no-such-tag" };
  const to = await nameOr(() => nameFor(db, [tag], wanted));
  if (to === undefined) return { ...kept, refused: "bad-name" };
  if (tag.name === to) return kept;
  if ((await findTagsByName(db, organization, [to])).length > 0) return { ...kept, refused: "name-taken" };
  const left = await owned(db, [{ ...writeOf("tag", tag, organization), otherName: to }], (each) => each);
  if (left.size > 0) return { ...kept, refused: OWNED };
  const warned = await judgeRename(db, organization, tag, to);
  return warned === undefined ? { ...kept, refused: RULED } : { ...kept, to, warned };
}

/** How much a new name of a tag breaks each rule that only advises; undefined where rules refuse it. */
export async function judgeRename(
  db: Reader,
  organization: string,
  tag: NamedTag,
  name: string,
): Promise<CountsByReason | undefined> {
  const policy = await loadTagPolicy(db, organization);
  const verdict = await judgePool(db, policy, { tags: [tag], to: { name, isNew: true } });
  return refusedBy(verdict).size > 0 ? undefined : warnedOf(verdict);
}

/** @returns undefined where it cannot be */
async function nameOr(find: () => Promise<string>): Promise<string | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return undefined;
    throw error;
  }
}

/** @throws AppError `invalid` when it cannot be */
async function nameFor(db: Reader, before: readonly NamedTag[], wanted: string): Promise<string> {
  const isBound = await anyBound(db, idsOf(before));
  return newName(
    before.map(({ name }) => ({ name, isBound })),
    wanted,
    TO,
  );
}

/** The tag that others are merged into: that of exactly this name, or else of its lower case. */
export async function findTarget(db: Reader, organization: string, to: string): Promise<NamedTag | undefined> {
  return (await findNamed(db, organization, [to]))[0];
}

/**
 * Returns the tag that replaces the others. A tag that does not exist is created, and is pinned when one of the
 * replaced tags was pinned.
 *
 * @param target the one that exists
 * @throws AppError `invalid` where its name cannot be that of what is merged, or rules for tags refuse it
 */
export async function takePlace(
  db: Reader,
  organization: string,
  to: string,
  target: NamedTag | undefined,
  sources: readonly NamedTag[],
): Promise<{ target: BulkTag | undefined; verdict: Verdict }> {
  if (sources.length === 0) return { target: undefined, verdict: NO_VERDICT };
  const name = await placeName(db, to, target, sources);
  const policy = await loadTagPolicy(db, organization);
  const verdict = await judgePool(db, policy, { tags: sources, to: { name, isNew: target === undefined } });
  warningsOf(verdict);
  if (target !== undefined) return { target, verdict };
  const pinned = sources.some((tag) => tag.pinned === 1) ? 1 : 0;
  const born = newTag(name, pinned);
  return { target: born, verdict };
}

/** @throws AppError `invalid` when it cannot be that of what is merged */
async function placeName(
  db: Reader,
  to: string,
  target: NamedTag | undefined,
  sources: readonly NamedTag[],
): Promise<string> {
  if (target === undefined) return nameFor(db, sources, to);
  if (await anyBound(db, idsOf(sources))) checkKey(target.name, TO);
  return target.name;
}

/**
 * Refuses names that cannot be by what is stored now. What of it changes until the job comes to it is told by the job.
 *
 * @param found ids of the first tags that are merged
 * @throws AppError `invalid` with a pointer
 */
export async function checkNames(
  db: Reader,
  organization: string,
  request: Extract<PoolRequest, { action: "rename" | "merge" }>,
  found: readonly string[],
): Promise<void> {
  const { action, to } = request;
  const names = action === "rename" ? [request.name] : "names" in request.selection ? request.selection.names : [];
  const [target, tags] = await Promise.all([
    action === "merge" ? findTarget(db, organization, to) : undefined,
    action === "merge" ? findTagsById(db, organization, found) : findNamed(db, organization, names),
  ]);
  const sources = tags.filter(({ id }) => id !== target?.id);
  if (sources.length > 0) await placeName(db, to, target, sources);
  else if (target === undefined) {
    const absent = names.map((name) => ({ name: fold(name), isBound: false }));
    newName(absent, to, TO);
  }
}
