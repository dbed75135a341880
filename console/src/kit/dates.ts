/** Dates as the browser's language writes them, inside of English sentences. */

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** Sets a text apart from the one around it: a date in Arabic would change the order of the words. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A day of the server, which is a day of UTC, such as `2026-11-30`. */
export function dayText(day: string): string {
  return isolated(DAY.format(Date.parse(day)));
}

/** Date and time in the viewer's zone. */
export function momentText(time: string): string {
  return isolated(new Date(time).toLocaleString());
}
