/** Keys and values that a list is filtered by: any number of them, as parameters of the address and of the API have them. */
import type { Search } from "../../base/search.ts";
import type { Several } from "../../kit/filter.ts";
import { textOf, type KeyValue } from "./key-texts.ts";

/** A key, and its value; any when that is empty. */
export type Wanted = KeyValue;

const PARAMETER = /^filter\[tagged\]\[(\d{1,6})\]\[(key|value)\]$/;

/** The parameter by which a key without a value is one that has none. */
export const NO_VALUE = "filter[tag-value-default-null]";

/** The keys that the address asks for, in their order. */
export function wantedOf(search: Search): readonly Wanted[] {
  const numbers = Object.keys(search).flatMap((name) => PARAMETER.exec(name)?.[1] ?? []);
  return [...new Set(numbers)]
    .sort((one, other) => Number(one) - Number(other))
    .map((number) => ({ key: textIn(search, number, "key"), value: textIn(search, number, "value") }))
    .filter(({ key }) => key !== "");
}

/**
 * Returns address parameters that request these tag keys.
 *
 * @param search current parameters: key parameters in it that are not needed are cleared
 */
export function askingFor(wanted: readonly Wanted[], search: Search = {}): Search {
  const gone = Object.keys(search).filter((name) => PARAMETER.test(name));
  const asked = wanted
    .map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key }) => key !== "");
  return Object.fromEntries([
    ...gone.map((name) => [name, ""] as const),
    ...asked.flatMap(({ key, value }, number) => [
      [nameOf(String(number), "key"), key] as const,
      ...(value === "" ? [] : [[nameOf(String(number), "value"), value] as const]),
    ]),
  ]);
}

/** Filter for several tag keys; each can be removed by itself. */
export const SEVERAL_KEYS: Several = {
  has: (parameter) => PARAMETER.test(parameter),
  asked: (search) => askingFor(wantedOf(search)),
  each: (search) => {
    const all = wantedOf(search);
    return all.map((one) => ({
      text: textOf(one),
      without: askingFor(
        all.filter((other) => other !== one),
        search,
      ),
    }));
  },
};

function textIn(search: Search, number: string, member: "key" | "value"): string {
  return (search[nameOf(number, member)] ?? "").trim();
}

function nameOf(number: string, member: "key" | "value"): string {
  return `filter[tagged][${number}][${member}]`;
}
