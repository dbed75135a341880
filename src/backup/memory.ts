/** Keeps the memory of a command small that handles much more than it may hold. */
import { garbageCollector } from "../private-node.ts";

/** Characters of content between two collections. */
const BETWEEN = 8 * 1024 * 1024;

let collect: ReturnType<typeof garbageCollector> | undefined;
let [since, times] = [0, 0];

/**
 * Notes that so much was made and let go again. V8 knows little of what buffers and compression take outside of its heap, and lets
 * tens of megabytes of it lie; a small collection now and then costs a millisecond.
 */
export function noteLetGo(characters: number): void {
  since += characters;
  if (since < BETWEEN) return;
  since = 0;
  times += 1;
  collect ??= garbageCollector();
  collect({ type: times % 8 === 0 ? "major" : "minor" });
}
