/** Locks that processes hold on files, as the kernel lists them. */
import { readFileSync, statSync } from "node:fs";

/** Whether the kernel lists locks in a way that is read here. */
export const LISTS_LOCKS = process.platform === "linux";

/** Whether a process holds a lock on a file. SQLite holds one on a database for as long as a connection is open. */
export function hasLock(pid: number, path: string): boolean {
  const { ino } = statSync(path);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .some((line) => {
      // Number, kind, ADVISORY, access, process, major:minor:inode, first and last byte.
      const [, , , , holder, file = ""] = line.split(/ +/);
      return holder === String(pid) && file.endsWith(`:${ino}`);
    });
}
