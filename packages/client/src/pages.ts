import type { Operation, Query, Value } from "./address.ts";
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
    for (let query: Query | undefined = firstQuery(operation, options.query ?? {}); query !== undefined;) {
      const answer: Answer<Body> = await ask<Body>(settings, operation, { ...options, query });
      const next: Query | undefined = nextQuery(settings, operation, answer, query);
      yield { ...answer, items: itemsOf<Item>(answer.body), next };
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
  return isJsonApi ? { "page[size]": SIZES.jsonApi, ...query } : { "page-size": SIZES.v1, ...query };
}

function nextQuery(settings: Settings, { isJsonApi }: Operation, answer: Answer, query: Query): Query | undefined {
  if (!isJsonApi) {
    const after = answer.headers.get("x-service-next");
    return after === null || after === "" ? undefined : { ...query, after };
  }
  const next = (answer.body as { links?: { next?: unknown } } | undefined)?.links?.next;
  if (typeof next !== "string") return undefined;
  // Its query alone: the server may know itself by another name than the one by which the client reaches it.
  const found: Record<string, Value[]> = {};
  for (const [name, value] of new URL(next, settings.address).searchParams) (found[name] ??= []).push(value);
  return found;
}

function itemsOf<Item>(body: unknown): readonly Item[] {
  const list = Array.isArray(body) ? body : (body as { data?: unknown } | undefined)?.data;
  return Array.isArray(list) ? (list as Item[]) : [];
}
