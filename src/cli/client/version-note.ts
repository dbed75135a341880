/** Says when the server is of another version than the command: what one of them has, the other may not know. */
import { readVersion } from "../../config/version.ts";
import type { Output } from "./output/types.ts";

/** Makes what is told of the version of each answer. It says so once, of the first that is older or newer. */
export function createVersionNote(out: Output): (version: string) => Promise<void> {
  let isSaid = false;
  let own: string | undefined;
  return async (version) => {
    if (isSaid) return;
    const order = compare(version, (own ??= readVersion()));
    if (order === 0) return;
    isSaid = true;
    await out.note(
      `The server is ${order < 0 ? "older" : "newer"} (${version}) than this command (${own}). Some features may not work.`,
    );
  };
}

/** Negative when `one` is the older one. What differs in its last number alone is the same: such a release only mends. */
function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => /^(\d{1,9})\.(\d{1,9})\./.exec(text));
  if (!a || !b) return 0;
  return Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]);
}
