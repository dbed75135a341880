import type { Operation, Query, Value } from "./address.ts";
import { ConnectionError } from "./errors.ts";
import { ask, type Answer, type RequestOptions, type Settings } from "./send.ts";

/** A page of a list. */
export interface Page<Item = unknown, Body = unknown> extends Answer<Body> {
  readonly items: readonly Item[];
  /** The query that asks for the page behind this one; undefined on the last. A list that was cut goes on with it. */
  readonly next: Query | undefined;
}

/** A list, which is asked for page by page while it is walked. */
export interface Pages<Item = unknown, Body = unknown> extends AsyncIterable<Page<Item, Body>> {
  /** Its entries, one after the other. */
  items(): AsyncIterableIterator<Item>;
  /** All of its entries; whole only if nothing changes meanwhile. */
  all(): Promise<Item[]>;
}

/** The most that a page of either family has. */
const SIZES = { jsonApi: 100, v1: 1000 };

/** The pages of a list of either family; of a list that has none, the one answer. Each page is tried again by itself. */
export function pagesOf<Item, Body>(
  settings: Settings,
  operation: Operation,
  options: RequestOptions,
): Pages<Item, Body> {
  async function* walk(): AsyncGenerator<Page<Item, Body>> {
    const first = firstQuery(operation, options.query ?? {});
    const isAskedBefore = createLoopWatch(first);
    for (let query: Query | undefined = first; query !== undefined;) {
      const answer: Answer<Body> = await ask<Body>(settings, operation, { ...options, query });
      const entries = itemsOf<Item>(settings, operation, answer.body);
      const next: Query | undefined = nextQuery(settings, operation, answer, query);
      // It would be asked for again and again.
      if (next !== undefined && isAskedBefore(next))
        throw strange(settings, "the list repeats a page that the client has already read");
      yield { ...answer, items: entries, next };
      query = next;
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of walk()) yield* page.items;
  }
  return {
    [Symbol.asyncIterator]: walk,
    items,
    async all() {
      const found: Item[] = [];
      for await (const item of items()) found.push(item);
      return found;
    },
  };
}

function firstQuery({ flags, isJsonApi }: Operation, query: Query): Query {
  if (!flags.includes("l")) return query;
  // A page that says its limit is one of a sorted list.
  if (!isJsonApi && "limit" in query) return query;
  return isJsonApi ? { "page[size]": SIZES.jsonApi, ...query } : { "page-size": SIZES.v1, ...query };
}

function nextQuery(settings: Settings, { isJsonApi }: Operation, answer: Answer, query: Query): Query | undefined {
  if (!isJsonApi) {
    const after = answer.headers.get("x-tessera-next") ?? answer.headers.get("x-service-next");
    return after === null || after === "" ? undefined : { ...query, after };
  }
  const next = (answer.body as { links?: { next?: unknown } } | undefined)?.links?.next;
  if (typeof next !== "string") return undefined;
  // Its query alone: the server may know itself by another name than the one by which the client reaches it.
  const found: Record<string, Value[]> = {};
  for (const [name, value] of paramsOf(settings, next)) (found[name] ??= []).push(value);
  return found;
}

function paramsOf(settings: Settings, next: string): URLSearchParams {
  try {
    return new URL(next, settings.address).searchParams;
  } catch {
    throw strange(settings, "the link to the next page is not a URL");
  }
}

/** Finds every circle of pages, and keeps one of them only: the one to compare with moves on, less and less often. */
function createLoopWatch(first: Query): (next: Query) => boolean {
  let mark = formOf(first);
  let steps = 0;
  let rest = 1;
  return (next) => {
    const form = formOf(next);
    if (form === mark) return true;
    if (++steps === rest) {
      mark = form;
      steps = 0;
      rest *= 2;
    }
    return false;
  };
}

/** The same for queries that ask the same, in whatever order. */
function formOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${String(each)}`),
  );
  return pairs.sort((a, b) => (a < b ? -1 : 1)).join("&");
}

function strange({ address }: Settings, words: string): ConnectionError {
  return new ConnectionError("protocol", `${address}: ${words}; is it a Tessera server?`);
}

/** The objects of a list. What holds none is not an empty list: who took it for one would make or delete by it. */
function itemsOf<Item>(settings: Settings, { flags }: Operation, body: unknown): readonly Item[] {
  const { data, Entries } = (body ?? {}) as { data?: unknown; Entries?: unknown };
  const list = Array.isArray(body) ? body : (data ?? Entries);
  if (!Array.isArray(list)) throw strange(settings, "the response does not contain a list");
  if (flags.includes("l") && !list.every((each) => typeof each === "object" && each !== null))
    throw strange(settings, "the list contains an entry that is not an object");
  return list as Item[];
}
