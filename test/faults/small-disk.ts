/** A file system that is full as soon as a test wants it to be. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/engines.ts";

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
