/** The processor time of whole process trees: a node with its `--processes`, or PostgreSQL with its backends. */
import { readdirSync, readFileSync } from "node:fs";

const TICK_NANOSECONDS = 1e7;

/**
 * Processor time that the trees of these processes have used since they began, in microseconds; what children had used
 * that have ended counts too.
 */
export function treeMicroseconds(roots: readonly number[]): number {
  return roots.reduce((sum, root) => sum + treeNanoseconds(root), 0) / 1000;
}

function treeNanoseconds(pid: number): number {
  let sum = endedChildren(pid);
  for (const thread of list(`/proc/${pid}/task`)) {
    const place = `/proc/${pid}/task/${thread}`;
    // Nanoseconds. The ticks of `stat` (10 ms each) would lose too much on PostgreSQL's many backends.
    sum += Number(read(`${place}/schedstat`).split(" ")[0] ?? 0);
    const children = read(`${place}/children`).split(" ");
    for (const child of children) if (child.trim() !== "") sum += treeNanoseconds(Number(child));
  }
  return sum;
}

/** Processor time of terminated children: `cutime` and `cstime`. */
function endedChildren(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // The name in front may hold blanks and parentheses; the state is the first field behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * TICK_NANOSECONDS;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Empty when the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
