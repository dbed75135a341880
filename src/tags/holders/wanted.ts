/** Links of one holder that a request concerns, as the request changes them. */
import { invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { checkNumber } from "./bindings/keys.ts";
import type { TagBinding } from "./bindings/store.ts";
import { asTag, BINDING, LENT, TAG, valued } from "../pool/marks.ts";
import { soughtName } from "../pool/names.ts";
import type { NamedTag, TagLink } from "../pool/store.ts";
import { newTag, type BulkTag } from "../pool/uses.ts";
import { NOT_HELD, type HeldWrite, type LinkDiff } from "./holder.ts";
import { hasMark, isChange, withoutMark } from "./links.ts";
import type { TagReference } from "./references.ts";
import type { BindingRequest, LinkRequest } from "./request.ts";

interface WantedLink extends LinkDiff {
  /** The tag of the pool; one that the pool lacks is new. */
  tag: BulkTag;
}

/** @throws AppError `invalid` when a row of the pool is a key only, since flat tags are compared in lower case */
export function checkFlat(name: string): void {
  if (soughtName(name) !== name) throw invalid(`${name} is a tag key, not a tag name. Add it as key/value`);
}

/**
 * Computes one difference of all changes that a request makes to a holder. Flat tags and keys share rows of the pool and links to
 * them, and a transaction does not see its own writes.
 */
export class WantedLinks {
  private readonly byId = new Map<string, WantedLink>();
  private readonly byName = new Map<string, WantedLink>();

  private readonly now: string;

  /** @param found tags that the request concerns, with the holder's links; the first of doubled ones counts */
  constructor(found: readonly NamedTag[], now: string) {
    this.now = now;
    for (const tag of found) {
      if (this.byId.has(tag.id)) continue;
      this.keep({ id: tag.id, name: tag.name, tag, before: tag, after: tag });
    }
  }

  private keep(entry: WantedLink): WantedLink {
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

  private mark(entry: WantedLink): void {
    this.last(entry, { ...entry.after, marks: asTag(entry.after.marks) });
  }

  /**
   * @param inherited keys that the holder has from above
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

  /** Names that the request gives, and not those that it removes. */
  given({ tags, bindings }: LinkRequest): HeldWrite["given"] {
    const flat = tags === undefined || tags.mode === "remove" ? [] : tags.references;
    return [
      ...flat.flatMap((reference) => {
        const found = this.find(reference);
        return found === undefined ? [] : [{ name: found.name, value: undefined }];
      }),
      ...(bindings?.wanted ?? []).map(({ key }) => ({ name: key, value: this.byName.get(key)?.after.value })),
    ];
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

  /** Number of links that are to have this mark. */
  count(mark: number): number {
    return [...this.byId.values()].filter(({ after }) => hasMark(after, mark)).length;
  }

  /** Number of flat tags that are added, whatever goes. */
  gained(): number {
    return [...this.byId.values()].filter(({ before, after }) => !hasMark(before, TAG) && hasMark(after, TAG)).length;
  }

  /** Returns the links that the request changes, new ones in the order of the request. */
  diff(): WantedLink[] {
    return [...this.byId.values()].filter(isChange);
  }

  /** Moves a tag that the holder does not have yet behind the others: its place is then that in the request. */
  private last(entry: WantedLink, after: TagLink): void {
    if (entry.before.marks === 0 && entry.after.marks === 0) {
      this.byId.delete(entry.id);
      this.byId.set(entry.id, entry);
    }
    entry.after = after;
  }

  private born(name: string): WantedLink {
    const tag = newTag(name);
    return this.keep({ id: tag.id, name, tag, before: NOT_HELD, after: NOT_HELD });
  }

  private find(reference: TagReference): WantedLink | undefined {
    return "id" in reference ? this.byId.get(reference.id) : this.byName.get(reference.name);
  }

  private *referenced(references: readonly TagReference[]): Generator<WantedLink> {
    for (const reference of references) {
      const name = "name" in reference ? soughtName(reference.name) : undefined;
      const found = "id" in reference ? this.find(reference) : name === undefined ? undefined : this.byName.get(name);
      if (found !== undefined) yield found;
    }
  }
}
