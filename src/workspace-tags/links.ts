/**
 * Changes the tags and keys of one workspace inside a transaction of its organization. Flat tags and keys share rows of
 * the pool and links to them, and a transaction does not see its own writes. Therefore all changes that a request makes
 * to a workspace are computed here as one difference. The first use of a tag creates it when it does not exist; a tag
 * that was created by a use is deleted with its last use.
 */
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Transaction } from "../storage/database.ts";
import { checkNumber } from "../tag-bindings/keys.ts";
import { listProjectBindings, type TagBinding } from "../tag-bindings/store.ts";
import { loadTagPolicy, warningsOf, type TagWarning } from "../tag-policies/enforce.ts";
import { judgeWorkspaces } from "../tag-policies/judge.ts";
import { asTag, BINDING, LENT, TAG, valued, without, type TagMark } from "../tags/marks.ts";
import { soughtName } from "../tags/names.ts";
import { idsOf, type TagLink, type NamedTag } from "../tags/store.ts";
import {
  countWhereCrowded,
  findConcerned,
  forEachSlice,
  listAll,
  MAX_TAGS_OF_WORKSPACE,
  sizeOf,
  type BindingRequest,
  type LinkRequest,
} from "./link-request.ts";
import type { TagReference } from "./references.ts";
import { updateWorkspaceKey } from "./link-store.ts";
import type { Carrier, LinkDiff } from "./records.ts";
import { writeLinks } from "./write-links.ts";

export const NOT_HELD: TagLink = { marks: 0, value: "", bindingId: "", boundAt: "" };

/** Result of a change to the tags of one workspace. */
export interface ChangedLinks {
  /** The bindings that the request names, as they are then. */
  bindings: TagBinding[];
  /** Rules that the workspace breaks by it, where they only advise. */
  warnings: TagWarning[];
}

/**
 * Changes the tags of a workspace. Tags that it has already keep their place.
 *
 * @param workspace as it is to be
 * @param from the project that it was in; empty for a workspace that is being made
 * @throws AppError `not_found` when an id is none of the organization's, `invalid` when it would carry too many or
 * break rules of the organization
 */
export async function changeLinks(
  ctx: Context,
  tx: Transaction,
  workspace: Carrier,
  { tags, bindings }: LinkRequest,
  from = workspace.projectId,
): Promise<ChangedLinks> {
  const isNew = from === "";
  const [index, found, carried, policy, inherited] = await Promise.all([
    tx.index(),
    findConcerned(tx, workspace, { tags, bindings }),
    isNew || tags?.mode === "replace" ? 0 : countWhereCrowded(tx, workspace.id, sizeOf({ tags, bindings })),
    loadTagPolicy(tx, workspace.organizationId),
    bindings?.wanted.some(({ value }) => value === undefined) ? listProjectBindings(tx, workspace.projectId) : [],
  ]);
  const links = new Links(found, new Date(ctx.now()).toISOString());
  if (tags !== undefined) links.changeTags(tags);
  if (bindings !== undefined) links.bind(bindings, new Set(inherited.map(({ key }) => key)));
  const before = tags?.mode === "replace" ? links.count(TAG) - links.gained() : carried;
  if (before + links.gained() > MAX_TAGS_OF_WORKSPACE) links.keepLentOff();
  if (links.gained() > 0) checkRoom(before + links.gained());
  const diff = links.diff();
  const sets = links.namesSetBy({ tags, bindings });
  const warnings = warningsOf(await judgeWorkspaces(tx, policy, [{ workspace, from, diff, sets }]));
  await writeLinks(ctx, tx, workspace, index, diff);
  return { bindings: (bindings?.wanted ?? []).flatMap(({ key }) => links.bindingOf(key)), warnings };
}

/** Takes everything off a workspace, as when it is deleted. */
export async function clearLinks(ctx: Context, tx: Transaction, workspace: Carrier): Promise<void> {
  const [index, held] = await Promise.all([tx.index(), listAll(tx, workspace.id)]);
  const diff = held.map((tag) => ({ id: tag.id, name: tag.name, tag, before: tag, after: NOT_HELD }));
  await writeLinks(ctx, tx, workspace, index, diff);
}

/** Follows the rename of a workspace, so that the workspaces of a tag stay in order. */
export function renameCarrier(tx: Transaction, workspace: Carrier, newKey: string): Promise<void> {
  return forEachSlice(tx, workspace.id, (tags) => updateWorkspaceKey(tx, workspace.id, idsOf(tags), newKey));
}

/** @throws AppError `invalid` when a workspace may not carry so many */
export function checkRoom(tags: number): void {
  if (tags <= MAX_TAGS_OF_WORKSPACE) return;
  throw new AppError("invalid", `A workspace may carry at most ${MAX_TAGS_OF_WORKSPACE} tags`);
}

/** @throws AppError `invalid` when a row of the pool is a key only, since flat tags are compared in lower case */
export function checkFlat(name: string): void {
  if (soughtName(name) !== name) throw invalid(`${name} is a key and no tag name: put it on as key/value`);
}

export function hasMark(link: { marks: number }, marks: number): boolean {
  return (link.marks & marks) !== 0;
}

/** Returns the link without its mark as a flat tag or as a key. */
export function withoutMark(link: TagLink, mark: TagMark): TagLink {
  const left = without(link.marks, mark);
  return hasMark({ marks: left }, BINDING) ? { ...link, marks: left } : { ...NOT_HELD, marks: left };
}

/** The links that a request concerns, as it changes them. */
class Links {
  private readonly byId = new Map<string, LinkDiff>();
  private readonly byName = new Map<string, LinkDiff>();

  private readonly now: string;

  constructor(found: readonly NamedTag[], now: string) {
    this.now = now;
    for (const tag of found) {
      if (this.byId.has(tag.id)) continue;
      this.keep({ id: tag.id, name: tag.name, tag, before: tag, after: tag });
    }
  }

  private keep(entry: LinkDiff): LinkDiff {
    this.byId.set(entry.id, entry);
    this.byName.set(entry.name, entry);
    return entry;
  }

  changeTags({ references, mode }: NonNullable<LinkRequest["tags"]>): void {
    if (mode === "remove") {
      for (const entry of this.referenced(references)) entry.after = withoutMark(entry.after, TAG);
      return;
    }
    const wanted = new Set(
      references.map((reference) => this.find(reference) ?? this.born((reference as { name: string }).name)),
    );
    if (mode === "replace") {
      for (const entry of this.byId.values()) if (!wanted.has(entry)) entry.after = withoutMark(entry.after, TAG);
    }
    for (const { name } of wanted) checkFlat(name);
    for (const entry of wanted) this.mark(entry);
  }

  private mark(entry: LinkDiff): void {
    this.last(entry, { ...entry.after, marks: asTag(entry.after.marks) });
  }

  /**
   * @param inherited keys that the project has
   * @throws AppError `invalid` when it would have too many keys
   */
  bind({ wanted, replaces, tagsToo = false }: BindingRequest, inherited: ReadonlySet<string>): void {
    const named = new Set(wanted.map(({ key }) => key));
    for (const entry of this.byId.values()) {
      if (replaces && !named.has(entry.name)) entry.after = withoutMark(entry.after, BINDING);
    }
    for (const { key, value: given } of wanted) {
      const isNamed = tagsToo && soughtName(key) === key;
      const known = this.byName.get(key);
      if (given === undefined && inherited.has(key) && (known === undefined || !hasMark(known.after, BINDING))) {
        if (isNamed) this.mark(known ?? this.born(key));
        continue;
      }
      const entry = known ?? this.born(key);
      const value = given ?? entry.after.value;
      const isLent = isNamed && (given ?? "") === "" && !hasMark(entry.after, TAG);
      const before = given === undefined ? entry.after.marks : valued(entry.after.marks, given);
      const marks = BINDING | before | (isLent ? TAG | LENT : 0);
      const { bindingId, boundAt } = hasMark(entry.after, BINDING)
        ? entry.after
        : { bindingId: newId("tb"), boundAt: this.now };
      this.last(entry, { marks, value, bindingId, boundAt });
    }
    checkNumber(this.count(BINDING));
  }

  /** The names that a request gives, and not those that it takes away. */
  namesSetBy({ tags, bindings }: LinkRequest): string[] {
    const given = tags === undefined || tags.mode === "remove" ? [] : tags.references;
    const names = given.flatMap((reference) => this.find(reference)?.name ?? []);
    return [...names, ...(bindings?.wanted ?? []).map(({ key }) => key)];
  }

  /** None of what is only inherited. */
  bindingOf(key: string): TagBinding[] {
    const { bindingId, value, boundAt, marks } = this.byName.get(key)?.after ?? NOT_HELD;
    return hasMark({ marks }, BINDING) ? [{ bindingId, key, value, boundAt }] : [];
  }

  /** Shows no more keys as flat tags than there were. */
  keepLentOff(): void {
    for (const entry of this.byId.values()) {
      if (hasMark(entry.after, LENT) && !hasMark(entry.before, TAG)) entry.after = withoutMark(entry.after, TAG);
    }
  }

  /** How many are to be held as this. */
  count(mark: number): number {
    return [...this.byId.values()].filter(({ after }) => hasMark(after, mark)).length;
  }

  /** How many flat tags more there are to be, whatever goes. */
  gained(): number {
    return [...this.byId.values()].filter(({ before, after }) => !hasMark(before, TAG) && hasMark(after, TAG)).length;
  }

  /** Returns the links that the request changes, new ones in the order of the request. */
  diff(): LinkDiff[] {
    return [...this.byId.values()].filter(
      ({ before, after }) => before.marks !== after.marks || before.value !== after.value,
    );
  }

  /** Moves a tag that the workspace does not have yet behind the others: its place is then that in the request. */
  private last(entry: LinkDiff, after: TagLink): void {
    if (entry.before.marks === 0 && entry.after.marks === 0) {
      this.byId.delete(entry.id);
      this.byId.set(entry.id, entry);
    }
    entry.after = after;
  }

  private born(name: string): LinkDiff {
    return this.keep({ id: newId("tag"), name, tag: undefined, before: NOT_HELD, after: NOT_HELD });
  }

  private find(reference: TagReference): LinkDiff | undefined {
    return "id" in reference ? this.byId.get(reference.id) : this.byName.get(reference.name);
  }

  private *referenced(references: readonly TagReference[]): Generator<LinkDiff> {
    for (const reference of references) {
      const name = "name" in reference ? soughtName(reference.name) : undefined;
      const found = "id" in reference ? this.find(reference) : name === undefined ? undefined : this.byName.get(name);
      if (found !== undefined) yield found;
    }
  }
}
