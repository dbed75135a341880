import { statSync } from "node:fs";
import { dirname } from "node:path";

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

/** So long after its last change a folder is not believed: where clocks are coarse, a later change may leave the same time. */
const SETTLED_MS = 3000;

/**
 * Makes what finds moved files like `findMoved`, and hardly costs anything while no name in their folders has changed: of
 * the files themselves it asks nothing. On Linux from 6.13 on, whoever asks for a file's times makes the next change of it
 * leave a new one, so that the next sync of a log has to write the file's metadata too: measured, 0.4 ms instead of 0.27.
 *
 * What leaves the folders' times as they are, such as a file system mounted over a file, it does not see.
 */
export function createMoveWatch(files: readonly Placed[]): () => string | undefined {
  const folders = files.map(({ path }) => dirname(path)).filter((folder, i, all) => all.indexOf(folder) === i);
  let settled: string | undefined;
  return () => {
    const now = stateOf(folders);
    if (now !== undefined && now === settled) return undefined;
    const moved = findMoved(files);
    // As it was before the look: what is renamed during it is looked at again.
    settled = moved === undefined ? now : undefined;
    return moved;
  };
}

/** Which folders lie at these paths, and when names in them last changed; undefined when that was only just now. */
function stateOf(folders: readonly string[]): string | undefined {
  let state = "";
  for (const folder of folders) {
    let stats;
    try {
      stats = statSync(folder, { bigint: true });
    } catch {
      return undefined;
    }
    if (Date.now() - Number(stats.mtimeMs) < SETTLED_MS) return undefined;
    state += `${stats.dev}/${stats.ino}/${stats.mtimeNs}/${stats.ctimeNs} `;
  }
  return state;
}
