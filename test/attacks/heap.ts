import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What this process holds, in bytes, when all that nobody holds any more has been thrown away. */
export function heldBytes(): number {
  // What was only waiting for its finalizer goes in the second round.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
