/** Durations as the API writes them (`1h30m0s`), so that two spellings of one are the same. */

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 24 * 3600e9,
};

/** The form in which the server answers a duration; undefined for what is none. Days, of 24 hours, may stand in front: `1d12h`. */
export function durationText(text: string): string | undefined {
  if (text === "0") return "0s";
  const parts = /^(?=.)(?:\d{1,6}d)?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))*$/.test(text)
    ? text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g)
    : undefined;
  if (parts === undefined) return undefined;
  let total = 0;
  for (const [, count = "", unit = ""] of parts) total += Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isSafeInteger(Math.round(total / 1e3))) return undefined;
  return written(Math.round(total));
}

function written(total: number): string {
  if (total === 0) return "0s";
  if (total < 1e3) return `${total}ns`;
  if (total < 1e6) return `${total / 1e3}µs`;
  if (total < 1e9) return `${total / 1e6}ms`;
  const hours = Math.floor(total / 3600e9);
  const minutes = Math.floor((total % 3600e9) / 60e9);
  const seconds = (total % 60e9) / 1e9;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
