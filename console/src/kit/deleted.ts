/** Objects that the user deleted on this page: "Back" leads to them once more, and they are not "deleted by others". */

const deleted = new Set<string>();
/** Paths that are remembered. */
const MOST = 200;

/** Remembers the path of an object that the user has just deleted. */
export function noteDeleted(path: string): void {
  if (deleted.size >= MOST) deleted.clear();
  deleted.add(path);
}

/** Whether the user deleted the object of this path, or of a path above it, such as of its form. */
export function isDeletedHere(path: string): boolean {
  return [...deleted].some((each) => path === each || path.startsWith(`${each}/`));
}
