/**
 * Keeps what Node compiles of modules between the processes of test runs: each of hundreds of short processes would compile
 * the same sources anew, about a tenth of a run's processor time on SQLite and a quarter of it for files that start programs.
 */
import { resolve } from "node:path";

/** Directory of the cache. It is in node_modules with the packages that it belongs to: `npm ci` empties it. */
const KEPT = resolve(import.meta.dirname, "../../node_modules/.cache/tessera-tests/compiled");

/**
 * Tells Node in the environment that workers and programs inherit. Node keeps an entry by version, path and content of a
 * module, so that a changed source is never read from here. A place that the caller has set stays.
 */
export function keepCompiled(): void {
  process.env["NODE_COMPILE_CACHE"] ??= KEPT;
}
