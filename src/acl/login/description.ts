/** What a token that a login made is described by. */
import { AppError } from "../../errors.ts";

/** More does not go into a description, and every login keeps one. */
const MOST_BYTES = 8 * 1024;

/** @throws AppError `invalid` */
export function checkMeta(meta: Readonly<Record<string, string>>): void {
  if (Buffer.byteLength(JSON.stringify(meta)) <= MOST_BYTES) return;
  throw new AppError("invalid", `Meta is longer than ${MOST_BYTES} bytes`);
}

/** @param meta what the client says of the login; it is shown with its keys in order, as Go writes JSON */
export function describeLogin(how: "login" | "OIDC login", meta: Readonly<Record<string, string>>): string {
  const text = `token created via ${how}`;
  // By bytes, as Go does: by code units characters beyond the first plane would come too early.
  const keys = Object.keys(meta).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  if (keys.length === 0) return text;
  const members = keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(meta[key])}`);
  return `${text}: {${members.join(",").replaceAll(/[<>&\u2028\u2029]/g, escaped)}}`;
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
