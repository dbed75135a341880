/** How far something is that takes a while; shown to people only. */

export interface Progress {
  /** Notes that so much more is done. @param what of which part, such as a table */
  add(count: number, what: string): void;
  /** Takes the line away. */
  end(): void;
}

const WIDTH = 30;
const EVERY_MS = 100;

/**
 * A bar on standard error, when that is a terminal; nothing otherwise.
 *
 * @param total how much there is to do
 */
export function showProgress(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { add: () => undefined, end: () => undefined };
  let [done, last] = [0, -Infinity];
  return {
    add(count, what) {
      done += count;
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      stream.write(`\r\x1b[K${barOf(done, total)} ${what}`);
    },
    end: () => void stream.write("\r\x1b[K"),
  };
}

/** Such as `[########----] 67%`. */
export function barOf(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * WIDTH);
  return `[${"#".repeat(full)}${"-".repeat(WIDTH - full)}] ${Math.floor(share * 100)}%`;
}
