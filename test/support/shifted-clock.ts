/**
 * Preloaded by `--import`: the clock of the program is CLOCK_SHIFT_MS off, as where a machine starts with a wrong one, or by as much
 * as the file CLOCK_SHIFT_FILE says at the moment.
 */
import { readFileSync } from "node:fs";

const { CLOCK_SHIFT_MS: fixed, CLOCK_SHIFT_FILE: file } = process.env;
const shift = (): number => Number(file === undefined ? fixed : readFileSync(file, "utf8"));
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + shift()] : given) as [number]));
  }
  static override now(): number {
    return RealDate.now() + shift();
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
