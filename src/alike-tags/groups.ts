/**
 * Finds the tags of an organization that are alike. The names are read twice: first for digests of what they could have in
 * common, which are numbers and take little memory however many there are; then for those whose digest occurs again.
 */
import { setImmediate } from "node:timers/promises";
import { packTexts, type TextList } from "../limits/kept-lists.ts";
import type { ApartWork, Reader } from "../storage/database.ts";
import { alikeKey } from "./key.ts";
import { renderGroup, type GroupedTag } from "./render.ts";
import { listNamesAfter, listTagsAfter } from "./store.ts";

/** Tags that groups are made of, so that no pool fills the memory: those behind them in order of names are left out. */
const MAX_ALIKE = 100_000;
/** Names that are read and looked at in one turn of the event loop. */
const SLICE = 1000;

export const ALIKE_TAGS: ApartWork<{ organization: string; most?: number }, TextList[]> = {
  name: "alike tags",
  async run(source, { organization, most = MAX_ALIKE }) {
    const repeated = await findRepeated(source, organization);
    const groups = new Map<string, GroupedTag[]>();
    let left = most;
    for await (const tags of slicesOf((after) => listTagsAfter(source, organization, after, SLICE))) {
      for (const tag of tags) {
        const key = alikeKey(tag.name);
        if (!has(repeated, digest(key)) || left-- <= 0) continue;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [tag]);
        else group.push(tag);
      }
    }
    return [packTexts(await writeGroups(groups), left >= 0)];
  },
};

async function writeGroups(groups: ReadonlyMap<string, GroupedTag[]>): Promise<string[]> {
  const texts: string[] = [];
  let written = 0;
  // The order of the units of their texts, which is the same everywhere and always.
  for (const key of [...groups.keys()].sort()) {
    const [first, ...others] = (groups.get(key) ?? []).sort(byUse);
    if (first === undefined || others.length === 0) continue;
    texts.push(JSON.stringify(renderGroup(key, [first, ...others])));
    written += 1 + others.length;
    if (written < SLICE) continue;
    written = 0;
    await setImmediate();
  }
  return texts;
}

/** The one to keep first: what most workspaces carry, then what is shortest, then what is oldest. */
function byUse(a: GroupedTag, b: GroupedTag): number {
  return (
    b.instanceCount - a.instanceCount ||
    a.name.length - b.name.length ||
    compare(a.createdAt, b.createdAt) ||
    compare(a.name, b.name)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The digests that more than one name of the organization has, in ascending order. */
async function findRepeated(db: Reader, organization: string): Promise<Float64Array> {
  const all: number[] = [];
  for await (const names of slicesOf((after) => listNamesAfter(db, organization, after, SLICE))) {
    for (const { name } of names) all.push(digest(alikeKey(name)));
  }
  const sorted = Float64Array.from(all).sort();
  return sorted.filter((each, at) => each === sorted[at + 1] && each !== sorted[at - 1]);
}

/** Slices in order of names, between which the event loop gets its turn. */
async function* slicesOf<T extends { name: string }>(read: (after: string) => Promise<T[]>): AsyncGenerator<T[]> {
  let after = "";
  for (;;) {
    const slice = await read(after);
    yield slice;
    const last = slice.at(-1);
    if (slice.length < SLICE || last === undefined) return;
    after = last.name;
    await setImmediate();
  }
}

/** A number of 53 bits. Two keys may have the same one: it only says what is worth a second look. */
function digest(key: string): number {
  let [one, other] = [0x9e3779b1, 0x85ebca6b];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other + unit, 0xc2b2ae35) ^ (other >>> 15);
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}

/** Whether a sorted list has it. */
function has(sorted: Float64Array, sought: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = sorted[middle] ?? 0;
    if (found === sought) return true;
    if (found < sought) from = middle + 1;
    else to = middle;
  }
  return false;
}
