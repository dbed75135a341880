import { fold } from "../../fold.ts";
import { invalid } from "../../errors.ts";

const NAME = /^[a-z0-9](?:[a-z0-9:_-]*[a-z0-9])?$/;
const MAX_LENGTH = 255;
/** Part of any name in the pool, keys included, in folded form. */
const PART = /^[a-z0-9_.=+\-@:]*$/;

/**
 * The stored form of a tag name: upper case is folded to lower case.
 *
 * @param pointer JSON pointer to the name, for the error
 * @throws AppError `invalid` when it is no tag name
 */
export function tagName(name: string, pointer: string): string {
  const folded = fold(name);
  if (folded.length > MAX_LENGTH) throw invalid(`Tag names are at most ${MAX_LENGTH} characters long`, pointer);
  if (NAME.test(folded)) return folded;
  throw invalid(
    "Tags must only contain letters, numbers, colons, hyphens or underscores, and start and end with a letter or number",
    pointer,
  );
}

/** Returns the stored form of a name that is only searched for. Undefined when no tag can have it. */
export function soughtName(name: string): string | undefined {
  const folded = fold(name);
  return NAME.test(folded) && folded.length <= MAX_LENGTH ? folded : undefined;
}

/** Returns the folded part of a tag's or key's name to search for. Undefined when no name can contain it. */
export function soughtPart(part: string): string | undefined {
  const folded = fold(part);
  return PART.test(folded) && folded.length <= MAX_LENGTH ? folded : undefined;
}

const POOL_PART = /^[a-z0-9_.=+\-@:]*$/;

/**
 * Returns the folded part of any name in the pool to search for, keys included. Undefined when no name can contain it.
 */
export function soughtPoolPart(part: string): string | undefined {
  const folded = fold(part);
  return POOL_PART.test(folded) && folded.length <= MAX_LENGTH ? folded : undefined;
}
