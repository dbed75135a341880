/** Disks as a power cut may leave them: all that was synced, and any part of what was written since. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Random } from "../support/seeded.ts";
import type { Change, DiskTrace, Inode, Naming, Span } from "./disk-trace.ts";

const SECTOR = 512;

/** Disks differ in what they have written already when the power goes. */
type Mood = "nothing" | "everything" | "some" | "torn";

/** Writes into `folder` what the traced `root` may hold after a power cut at line `cut`. */
export function writeImage(trace: DiskTrace, root: string, cut: number, random: Random, folder: string): void {
  const moods: Mood[] = ["nothing", "everything", "some", "some", "torn"];
  const mood = moods[Math.floor(random() * moods.length)] ?? "some";
  const names = survivingNames(trace, cut, random);
  for (const [path, inode] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const above = dirname(path);
    if (above !== root && !names.has(above)) continue;
    const place = join(folder, relative(root, path));
    if (inode.directory) mkdirSync(place, { mode: 0o700 });
    else writeFileSync(place, contentAt(inode, cut, random, mood), { mode: 0o600 });
  }
}

/** Start of the last sync that was complete at the cut: everything that began before is on disk for certain. */
function lastSync(syncs: readonly Span[], cut: number): number {
  return syncs.reduce((last, sync) => (sync.end <= cut && sync.start > last ? sync.start : last), -1);
}

/** A name is on disk for certain once its directory was synced; until then it may be, or may not. */
function survivingNames(trace: DiskTrace, cut: number, random: Random): Map<string, Inode> {
  const names = new Map<string, Inode>();
  const note = ({ path, inode }: Naming) => {
    if (inode === undefined) names.delete(path);
    else names.set(path, inode);
  };
  for (const naming of trace.namings) {
    if (naming.start > cut) break;
    const certain = naming.end <= lastSync(trace.directories.get(dirname(naming.path))?.syncs ?? [], cut);
    if (certain || random() < 0.5) note(naming);
  }
  return names;
}

/** A file's content while it is put together; what lies past its size is zero. */
interface Content {
  readonly bytes: Buffer;
  size: number;
}

function contentAt(inode: Inode, cut: number, random: Random, mood: Mood): Buffer {
  const synced = lastSync(inode.syncs, cut);
  const content: Content = { bytes: Buffer.alloc(Math.max(0, ...inode.changes.map(endOf))), size: 0 };
  for (const change of inode.changes) {
    if (change.start > cut) break;
    if (change.end <= synced || mood === "everything") apply(content, change);
    else if (mood === "nothing") continue;
    else if (mood === "torn" && random() < 0.5) applyTorn(content, change, random);
    else if (random() < 0.5) apply(content, change);
    // The size may have been written and the data not.
    else if ("data" in change && random() < 0.2) content.size = Math.max(content.size, endOf(change));
  }
  return content.bytes.subarray(0, content.size);
}

/** End of the file when the change is its last. */
function endOf(change: Change): number {
  return "size" in change ? change.size : change.offset + change.data.length;
}

function apply(content: Content, change: Change): void {
  if ("size" in change) {
    content.bytes.fill(0, change.size);
    content.size = change.size;
    return;
  }
  change.data.copy(content.bytes, change.offset);
  content.size = Math.max(content.size, endOf(change));
}

/** Each sector arrives or not by itself. */
function applyTorn(content: Content, change: Change, random: Random): void {
  if ("size" in change) return;
  const end = endOf(change);
  for (let at = change.offset; at < end;) {
    const next = Math.min((Math.floor(at / SECTOR) + 1) * SECTOR, end);
    const data = change.data.subarray(at - change.offset, next - change.offset);
    if (random() < 0.5) apply(content, { start: 0, end: 0, offset: at, data });
    at = next;
  }
}
