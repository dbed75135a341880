/** Pure rules of one link between a holder and a tag. */
import { newId } from "../../ids.ts";
import { BINDING, valued, without, type TagMark } from "../pool/marks.ts";
import type { TagLink } from "../pool/store.ts";
import { NOT_HELD, type LinkDiff } from "./holder.ts";

export function hasMark(link: { marks: number }, marks: number): boolean {
  return (link.marks & marks) !== 0;
}

/** Returns the link without its mark as a flat tag or as a key. */
export function withoutMark(link: TagLink, mark: TagMark): TagLink {
  const left = without(link.marks, mark);
  return hasMark({ marks: left }, BINDING) ? { ...link, marks: left } : { ...NOT_HELD, marks: left };
}

/** A link as a binding with this value. @param before how the holder holds the tag */
export function bound(before: TagLink | undefined, value: string, boundAt: string): TagLink {
  const marks = BINDING | valued(before?.marks ?? 0, value);
  if (before !== undefined && hasMark(before, BINDING)) return { ...linkOf(before), marks, value };
  return { marks, value, bindingId: newId("tb"), boundAt };
}

/** Returns the columns of the link alone: a `NamedTag` is a link too. */
export function linkOf({ marks, value, bindingId, boundAt }: TagLink): TagLink {
  return { marks, value, bindingId, boundAt };
}

/** Whether a link is to be another one than it was. */
export function isChange({ before, after }: Pick<LinkDiff, "before" | "after">): boolean {
  return before.marks !== after.marks || before.value !== after.value;
}

/** Number of links with this mark that a difference adds; negative where it removes more. */
export function gain(diff: readonly LinkDiff[], mark: number): number {
  return diff.reduce((sum, { before, after }) => sum + Number(hasMark(after, mark)) - Number(hasMark(before, mark)), 0);
}
