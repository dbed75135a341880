/**
 * Finds the tags of an organization that are alike. The names are read twice: first for digests of what they could have in
 * common, which are numbers and take little memory however many there are; then for those whose digest occurs again.
 */
import { packTexts, type TextList } from "../../../limits/kept-lists.ts";
import type { ApartWork, Reader } from "../../../storage/database.ts";
import { pause, startTurn } from "../../../turns.ts";
import { alikeKey } from "./key.ts";
import { renderGroup, type GroupedTag } from "./as-json.ts";
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

/** In the order of the first name of each, which is that in which they were found. */
async function writeGroups(groups: ReadonlyMap<string, GroupedTag[]>): Promise<string[]> {
  const turn = startTurn();
  const texts: string[] = [];
  for (const [key, tags] of groups) {
    const [first, ...others] = tags.sort(byUse);
    if (first === undefined || others.length === 0) continue;
    texts.push(JSON.stringify(renderGroup(key, [first, ...others])));
    if (turn.isOver()) await turn.next();
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

/** Numbers in drawers by their first bits, so that none takes long to sort. */
type Drawers = number[][];
const DRAWERS = 1024;

function drawerOf(drawers: Drawers, number: number): number[] {
  return drawers[Math.floor(number / 2 ** (DIGEST_BITS - 10))] ?? [];
}

/** The digests that more than one name of the organization has, in ascending order in each drawer. */
async function findRepeated(db: Reader, organization: string): Promise<Drawers> {
  const drawers: Drawers = Array.from({ length: DRAWERS }, () => []);
  for await (const names of slicesOf((after) => listNamesAfter(db, organization, after, SLICE))) {
    for (const { name } of names) {
      const number = digest(alikeKey(name));
      drawerOf(drawers, number).push(number);
    }
  }
  const turn = startTurn();
  const repeated: Drawers = [];
  for (const drawer of drawers) {
    const sorted = drawer.sort((a, b) => a - b);
    repeated.push(sorted.filter((each, at) => each === sorted[at + 1] && each !== sorted[at - 1]));
    if (turn.isOver()) await turn.next();
  }
  return repeated;
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
    await pause();
  }
}

const DIGEST_BITS = 53;

/** A number of so many bits. Two keys may have the same one: it only says what is worth a second look. */
function digest(key: string): number {
  let [one, other] = [0x9e3779b1, 0x85ebca6b];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other + unit, 0xc2b2ae35) ^ (other >>> 15);
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}

/** Whether it is in its drawer, which is sorted. */
function has(drawers: Drawers, sought: number): boolean {
  const sorted = drawerOf(drawers, sought);
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
