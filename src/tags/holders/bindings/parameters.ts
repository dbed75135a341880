/** How requests for lists ask for keys and values. */
import { AppError } from "../../../errors.ts";
import { parameter } from "../../../http/jsonapi/schema.ts";
import { readFlag, type QueryParameters } from "../../../http/query.ts";
import type { BindingSearch } from "./organization-bindings.ts";
import type { TaggedSearch } from "./tagged.ts";

const UNION = "filter[tag-union]";
const NULL = "filter[tag-value-default-null]";

/** Parameters of lists by keys and values. Where there is a 0, further numbers ask for further keys. */
export const taggedParameters = {
  "filter[tagged][0][key]": parameter("Effective tag key, in the case in which it was set."),
  "filter[tagged][0][value]": parameter("Tag value. Default: any.", { minLength: 0 }),
  "filter[tagged]": parameter("Single tag key, without an index."),
  "filter[tagged][value]": parameter("Tag value.", { minLength: 0 }),
  [UNION]: parameter("true: any of the tag keys is sufficient."),
  [NULL]: parameter("true: a tag key without a value matches only the key without a value."),
};

/** In one search: each is compared with every workspace that is left. */
const MAX_TESTS = 20;
const PARAMETER = /^filter\[tagged\]\[(\d{1,6})\]\[(key|value)\]$/;
/** One key may be asked for without a number. */
const ALONE: ReadonlyMap<string, string> = new Map([
  ["filter[tagged]", "key"],
  ["filter[tagged][value]", "value"],
]);

/**
 * Reads `filter[tagged][i][key]` and `[value]`, and `filter[tagged]` with `filter[tagged][value]`: all have to fit, or one of them with `filter[tag-union]=true`. A key without a
 * value, or with an empty one as the official client writes it, fits any, or with `filter[tag-value-default-null]=true` only that without one.
 *
 * @returns undefined when nothing is asked for
 * @throws AppError `bad_parameter`
 */
export function readTagged(query: QueryParameters): TaggedSearch | undefined {
  const found = new Map<string, { key?: string | undefined; value?: string | undefined }>();
  for (const name of Object.keys(query)) {
    const alone = ALONE.get(name);
    const [, number, member] = alone === undefined ? (PARAMETER.exec(name) ?? []) : ["", "", alone];
    if (number === undefined) continue;
    found.set(number, { ...found.get(number), [member === "key" ? "key" : "value"]: query[name] });
  }
  const isNull = readFlag(query, NULL) === true;
  const isUnion = readFlag(query, UNION) === true;
  if (found.size === 0) {
    // One of no keys is none, and who asks so has meant to name some.
    if (isUnion || isNull)
      throw new AppError("bad_parameter", `The parameter ${isUnion ? UNION : NULL} requires filter[tagged]`);
    return undefined;
  }
  if (found.size > MAX_TESTS) {
    throw new AppError("bad_parameter", `A search can contain at most ${MAX_TESTS} keys`);
  }
  const wanted = [...found].map(([number, { key, value }]) => {
    const named = number === "" ? "filter[tagged]" : `filter[tagged][${number}][key]`;
    if (!key) throw new AppError("bad_parameter", `The parameter ${named} is missing`);
    return { key, value: value || (isNull ? "" : undefined) };
  });
  return { wanted, isUnion };
}

/** Reads the query parameters of the list of all bindings of an organization. @throws AppError `bad_parameter` */
export function readBindingSearch(query: QueryParameters): BindingSearch & { fields: string[] | undefined } {
  const asked = query["filter[taggable-type]"] || undefined;
  const type = TYPES.find((each) => each === asked || each === `${asked}s`);
  if (asked !== undefined && type === undefined) {
    throw new AppError("bad_parameter", "The parameter filter[taggable-type] must be workspaces or projects");
  }
  const fields = query["fields[tag-binding]"]?.split(",").map((name) => name.trim().replaceAll("_", "-"));
  return { type, tagged: readTagged(query), fields, withCounts: fields?.includes("counts") ?? true };
}

const TYPES = ["workspaces", "projects"] as const;
