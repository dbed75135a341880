/** A file system that is full as soon as a test wants it to be. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/engines.ts";
import { findRunAs, sharedTemporaryDirectory } from "../support/postgres-native.ts";

const PAGE = 4096;

/** Mounts a file system of that size; says why it cannot. */
export function mount(folder: string, megabytes: number): string | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no small file system can be mounted here: ${String(error).split("\n")[0]}`;
  }
}

export const unmount = (folder: string) => execFileSync("umount", ["--lazy", folder], { stdio: "pipe" });

/** Mounts one in a place that the user of PostgreSQL may enter. @throws Error when it cannot */
export function mountForPostgres(megabytes: number): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-small-"));
  chmodSync(folder, 0o755);
  const reason = mount(folder, megabytes);
  if (reason !== undefined) throw new Error(reason);
  chmodSync(folder, 0o755);
  return {
    folder,
    remove: () => {
      unmount(folder);
      rmdirSync(folder);
    },
  };
}

/** A directory for the user that PostgreSQL runs as. */
export function openDirectory(folder: string, name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  const user = findRunAs();
  if (user !== undefined) chownSync(place, user.uid, user.gid);
  return place;
}

/** Why no small file system can be had on this machine; undefined where one can. */
export function whyNoMount(): string | undefined {
  const folder = join(temporaryDirectory(), "try");
  mkdirSync(folder);
  const reason = mount(folder, 1);
  if (reason === undefined) unmount(folder);
  return reason;
}

/** Leaves no free byte. @returns the file to remove for space */
export function fill(folder: string): string {
  const ballast = join(folder, "ballast");
  const file = openSync(ballast, "a");
  try {
    for (;;) writeSync(file, Buffer.alloc(PAGE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
  return ballast;
}
