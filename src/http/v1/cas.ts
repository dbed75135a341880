import { AppError } from "../../errors.ts";
import type { Query } from "../query.ts";

/**
 * The ModifyIndex that `?cas=` names: the write counts only when the object still has it.
 *
 * @returns undefined when the parameter is absent
 * @throws AppError `bad_parameter` when it is no unsigned 64-bit number
 */
export function readCas(query: Query): number | undefined {
  const text = query["cas"];
  if (text === undefined) return undefined;
  const index = parseIndex(text);
  if (index === undefined) throw new AppError("bad_parameter", "Invalid cas value");
  return index;
}

const MAX_INDEX = 2n ** 64n - 1n;

/**
 * An index in decimal; undefined when it is none. Past 2^53, where no index of
 * ours is, it is as near as a double comes.
 */
export function parseIndex(text: string): number | undefined {
  if (text.length > 64 || !/^\d+$/.test(text)) return undefined;
  return text.length > 19 && BigInt(text) > MAX_INDEX ? undefined : Number(text);
}
