/** Changes of what a directory of declared files owns: only after that was said. */
import { TesseraError } from "@tessera-server/client";
import * as texts from "../texts/kit-forms.ts";

/** Owners from whom the next write that they stand against may take something. */
const released = new Set<string>();

/** By whom a write was refused; undefined for other failures. */
export function ownerIn(error: unknown): string | undefined {
  return error instanceof TesseraError && (error.status === 409 || error.status === 412) ? error.owner : undefined;
}

/** An owner in words: the server names none to who may not read declarations. */
export function ownerWords(owner: string): string {
  return owner.replace(/\?$/, texts.hiddenOwner);
}

/** Lets the next write that was refused for this owner go on. */
export function takeOver(owner: string): void {
  released.add(owner);
}

/** Writes, unless somebody owns it from whom nobody said to take it. @param write is told the headers of its request */
export async function writeUnowned<T>(write: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  try {
    return await write({ "x-tessera-unowned": "true" });
  } catch (error) {
    const owner = ownerIn(error);
    // Once: the next write is another decision.
    if (owner === undefined || !released.delete(owner)) throw error;
    return write({});
  }
}
