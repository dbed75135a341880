/** The folder of the backups that a server makes by itself. Their names say when each was begun. */
import { lstatSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "../../storage/files.ts";
import { isBackup } from "../files.ts";
import type { Allowance } from "./allowance.ts";
import { chooseRemovable, type BackupRetention } from "./retention.ts";

const NAME = /^tessera-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** Such as `tessera-20261124T153000Z.backup`. */
export function nameAt(now: Date): string {
  return `tessera-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.backup`;
}

/** When a backup of this name was begun, in milliseconds since the epoch; undefined for any other file. */
export function timeOf(name: string): number | undefined {
  const [, ...parts] = NAME.exec(name) ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number);
  if (year === undefined || month === undefined) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** A file that begins as a backup, and when it was begun, in milliseconds since the epoch. */
export interface Listed {
  name: string;
  time: number;
}

/** Servers that share a folder have clocks that differ by so much at most; what is later than that was made by a wrong one. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Lists the backups in a folder: a file has its name only when all is in it. A file that has such a name and is none, such as an empty
 * one, counts for nothing, and stays.
 *
 * @param now in milliseconds since the epoch
 * @returns the newest first; apart those that are dated after now, which count for nothing until their time has come
 * @throws Error of the file system
 */
export async function listBackups(folder: string, now: number): Promise<{ past: Listed[]; future: Listed[] }> {
  const found = (await readdir(folder)).flatMap((name) => {
    const time = timeOf(name);
    return time !== undefined && beginsAsBackup(join(folder, name)) ? [{ name, time }] : [];
  });
  const [past, future]: [Listed[], Listed[]] = [[], []];
  for (const each of found.sort((one, other) => other.time - one.time)) {
    (each.time > now + CLOCKS_DIFFER_MS ? future : past).push(each);
  }
  return { past, future };
}

function beginsAsBackup(path: string): boolean {
  try {
    return lstatSync(path).isFile() && isBackup(path);
  } catch {
    // Gone meanwhile, or nothing that this server may read.
    return false;
  }
}

/** Begins the ending of a backup that is not verified yet; then it gets its name. */
const UNVERIFIED = ".new";
const HALF = /^tessera-\d{8}T\d{6}Z\.backup\.(?:new|(?:new\.)?(?:part|copy)-\d+(?:-journal)?)$/;

/** @returns where a backup is written before it is verified */
export function unverified(file: string): string {
  return `${file}${UNVERIFIED}`;
}

/** Gives a backup that was verified its name, durably. */
export async function nameVerified(file: string): Promise<void> {
  await rename(unverified(file), file);
  syncDirectory(dirname(file));
}

/** Removes what is left of backups that were cut off. To be called under the lease: then nobody is at work on any of them. */
export async function removeHalves(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (HALF.test(name)) await rm(join(folder, name), { force: true });
}

/**
 * Removes backups that no number keeps, the oldest first, as long as the allowance has one.
 *
 * @param past as `listBackups` gives it
 */
export async function removeOld(
  folder: string,
  past: readonly Listed[],
  kept: BackupRetention,
  allowance: Allowance,
): Promise<void> {
  const removable = chooseRemovable(
    past.map(({ time }) => time),
    kept,
  );
  for (const time of removable) {
    if (!allowance.take()) return;
    await rm(join(folder, nameAt(new Date(time))), { force: true });
  }
}
