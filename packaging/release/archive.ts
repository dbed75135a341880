/** Archives that are the same whenever and by whomever they are made, and the sums of files. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Packs a folder's entries.
 *
 * @param epoch seconds since 1970 that each of them is dated by
 * @param rename a sed expression for tar's `--transform`
 * @throws Error when tar cannot
 */
export function packFolder(
  folder: string,
  entries: readonly string[],
  target: string,
  epoch: number,
  rename?: string,
): void {
  const same = ["--sort=name", `--mtime=@${epoch}`, "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"];
  const modes = ["--mode=u=rwX,go=rX"];
  // Without gzip's own name and time.
  const gzip = ["--use-compress-program", "gzip -n -6"];
  const renamed = rename === undefined ? [] : [`--transform=${rename}`];
  const args = [...same, ...modes, ...renamed, ...gzip, "-cf", target, "-C", folder, ...entries];
  const { status, stderr, error } = spawnSync("tar", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar failed: ${error?.message ?? stderr}`);
}

/** The SHA-256 of a file, in hexadecimal. */
export function sumOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
