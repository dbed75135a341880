/** Bounds of a saved view. */
import { invalid } from "../../errors.ts";
import type { View, ViewContent } from "./store.ts";

/** Content of a view in a request. */
export interface ViewInput extends ViewContent {
  readonly list: string;
  readonly name: string;
  /** Whether it belongs to the namespace. */
  readonly isShared: boolean;
}

/** Maximum number of bytes of a view, as JSON with its name. */
export const VIEW_BYTES = 4 * 1024;
/** Maximum number of characters of a name. */
export const NAME_LENGTH = 100;

export const DENSITIES = ["comfortable", "compact"] as const;

const NOUN = /^[a-z][a-z0-9-]{0,63}$/;

/** Checks a view, and returns it in the form that is stored. @throws AppError `invalid` */
export function checkViewContent(input: ViewInput): Pick<View, "list" | "name" | "content"> {
  const { list, query, sort, columns, density } = input;
  const name = input.name.trim();
  if (name === "" || name.length > NAME_LENGTH) {
    throw invalid(`Name must have 1 to ${NAME_LENGTH} characters`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) throw invalid("Name must not contain control characters");
  if (!NOUN.test(list)) throw invalid("List must be the name of a list, such as roles");
  if (density !== "" && !DENSITIES.some((each) => each === density)) {
    throw invalid(`Density must be one of ${DENSITIES.join(", ")}`);
  }
  const content = { query: { ...query }, sort, columns, density };
  const bytes = Buffer.byteLength(JSON.stringify({ list, name, content }));
  if (bytes > VIEW_BYTES) throw invalid(`The view has ${bytes} bytes as JSON; maximum ${VIEW_BYTES}`);
  return { list, name, content };
}
