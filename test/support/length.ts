/**
 * How long the tests of faults and of random inputs are. `npm test` runs their short form; `npm run test:soak` runs
 * every file that imports this one in its long form.
 */

/** Set to 1 for the long form; a file by itself: `TESSERA_TEST_LONG=1 npx vitest run test/faults/kill.test.ts`. */
export const LONG_VARIABLE = "TESSERA_TEST_LONG";

/** Whether this is the long form. */
export const IS_LONG = process.env[LONG_VARIABLE] === "1";

/** One of two sizes of the same thing: rounds, clients, seconds. */
export function sized<T>(short: T, long: T): T {
  return IS_LONG ? long : short;
}
