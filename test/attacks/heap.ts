import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Heap size of this process in bytes, after everything unreachable was collected. */
export function heldBytes(): number {
  // The second round collects objects that only waited for their finalizers.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
