/** Preloaded by `--import`: the clock of the program is CLOCK_SHIFT_MS off, as where a machine starts with a wrong one. */
const shift = Number(process.env["CLOCK_SHIFT_MS"]);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + shift] : given) as [number]));
  }
  static override now(): number {
    return RealDate.now() + shift;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
