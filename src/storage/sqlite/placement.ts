import { statSync } from "node:fs";

/** Where a file was when it was opened. It can be handed to a thread. */
export interface Placed {
  path: string;
  device: bigint;
  inode: bigint;
}

/** Notes which files lie at these paths now. Those that are not there are left out. */
export function placedNow(paths: readonly string[]): Placed[] {
  return paths.flatMap((path) => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, device: stats.dev, inode: stats.ino }];
  });
}

/**
 * The first of the files that is not at its path any more, and what became of it.
 * A connection goes on reading and writing such a file, which nobody will ever find again.
 *
 * @returns undefined while all are where they were
 */
export function findMoved(files: readonly Placed[]): string | undefined {
  for (const { path, device, inode } of files) {
    let stats;
    try {
      stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      return `${path} cannot be looked at (${String(error)})`;
    }
    if (stats === undefined) return `${path} is gone`;
    if (stats.dev !== device || stats.ino !== inode) return `${path} is another file than the one that is open`;
  }
  return undefined;
}
