/** The folder of the backups that a server makes by itself. Their names say when each was begun. */
import { lstatSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isBackup } from "../files.ts";

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

/**
 * The backups in a folder, the newest first: a file has its name only when all is in it. What has such a name and is none, such as
 * an empty file, counts for nothing, and stays.
 *
 * @throws Error of the file system
 */
export async function listBackups(folder: string): Promise<{ name: string; time: number }[]> {
  const found = (await readdir(folder)).flatMap((name) => {
    const time = timeOf(name);
    return time !== undefined && beginsAsBackup(join(folder, name)) ? [{ name, time }] : [];
  });
  return found.sort((one, other) => other.time - one.time);
}

function beginsAsBackup(path: string): boolean {
  try {
    return lstatSync(path).isFile() && isBackup(path);
  } catch {
    // Gone meanwhile, or nothing that this server may read.
    return false;
  }
}

const HALF = /^tessera-\d{8}T\d{6}Z\.backup\.(?:part|copy)-\d+(?:-journal)?$/;

/** Removes what is left of backups that were cut off. To be called under the lease: then nobody is at work on any of them. */
export async function removeHalves(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (HALF.test(name)) await rm(join(folder, name), { force: true });
}

/** Removes all but the newest. */
export async function removeOld(folder: string, keep: number): Promise<void> {
  for (const { name } of (await listBackups(folder)).slice(keep)) await rm(join(folder, name), { force: true });
}
