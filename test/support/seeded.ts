/** A number from 0 up to 1, other at each call; made from a seed, so that a failure can be repeated. */
export type Random = () => number;

/** Makes a generator (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SEED = Number(process.env["TESSERA_TEST_SEED"] ?? Math.floor(Math.random() * 1_000_000));
let isUsed = false;

/**
 * The seed of what is random in this run: another one each time, or what `TESSERA_TEST_SEED` says. `file-setup.ts`
 * prints it when a test of a file that asked for it fails. The file is to be run whole to be repeated.
 */
export function seedOfRun(): number {
  isUsed = true;
  return SEED;
}

/** Makes a generator from the seed of the run. @param number tells apart those that should give other numbers */
export function randomOfRun(number = 0): Random {
  return seeded(seedOfRun() + number);
}

/** Text to print for a failed test; undefined if nothing depends on a seed. */
export function howToRepeat(): string | undefined {
  return isUsed
    ? `its random choices are those of the seed ${SEED}: TESSERA_TEST_SEED=${SEED} repeats them`
    : undefined;
}
