/**
 * State that shows whether anything in an organization has changed: its counter, which every write to its objects
 * increases, and its own attributes, which change under the counter of all organizations. Documents that were read at
 * equal states are equal.
 */
import { sql, type SelectQueryBuilder } from "kysely";
import { fold } from "../../fold.ts";
import { counterName } from "../writes/counters.ts";
import { readCounter } from "./touches.ts";
import type { Database, Reader } from "../database.ts";
import { createDerivedCache, type Dependency } from "../reads/derived-cache.ts";
import { counterChange } from "./feed.ts";
import { definePoint } from "../reads/query.ts";
import type { Tables } from "../tables/tables.ts";

/** State of the objects that a counter guards, as it was read. The text changes with every write that changes them. */
export interface ContentState {
  /** The counter; see `counterName`. */
  counter: string;
  at: string;
  /** Two parts of `at`: the counter's value, and data that changes under another counter. */
  value: number;
  rest: string;
}

type Owned = "organizations" | "projects" | "tags" | "workspaces" | "tag_jobs" | "tag_webhooks" | "reserved_tag_keys";

/** @param key of something that an organization owns, or of an organization */
function stateBy(table: Owned, key: string) {
  return definePoint(`${table}.${key}`, (db) => {
    const rows =
      table === "organizations"
        ? db.selectFrom("organizations")
        : db.selectFrom(table as "tags").innerJoin("organizations", "organizations.id", "organization_id");
    return (rows as unknown as SelectQueryBuilder<Tables, "organizations", object>)
      .select(["organizations.id as id", "organizations.name as name", "organizations.settings as settings"])
      .select(["organizations.email as email", "organizations.default_execution_mode as mode"])
      .select(sql<number>`(select value from counters where name = 'organization/' || organizations.id)`.as("value"));
  });
}

const BY_PARAMETER = {
  workspace_id: stateBy("workspaces", "id"),
  project_id: stateBy("projects", "id"),
  tag_id: stateBy("tags", "id"),
  tag_job_id: stateBy("tag_jobs", "id"),
  webhook_id: stateBy("tag_webhooks", "id"),
  reserved_tag_key_id: stateBy("reserved_tag_keys", "id"),
  organization_name: stateBy("organizations", "name_key"),
};
const byId = stateBy("organizations", "id");
type StateQuery = typeof byId;

async function readBy(db: Reader, query: StateQuery, key: string): Promise<ContentState | undefined> {
  const row = await db.point(query, key);
  if (row === undefined) return undefined;
  const { id, value, name, email, mode, settings } = row;
  const rest = [id, name, email, mode, settings].join("\n");
  return { counter: counterName({ kind: "organization", id }), at: `${value}\n${rest}`, value, rest };
}

/**
 * Whether nothing was changed between two states but by who looks at the second one.
 *
 * @param index of the transaction that reads the second one, where it raises this counter
 */
export function sameContent(
  before: ContentState | undefined,
  now: ContentState | undefined,
  index: number | undefined,
): boolean {
  if (before === undefined || now === undefined) return before === now;
  // The row of the counter does not show the single transactions of a shared commit.
  const value = index === undefined ? now.value : index - 1;
  return now.counter === before.counter && now.rest === before.rest && value === before.value;
}

type Params = Readonly<Record<string, string>>;

/** Returns the query for the object that a path names, and its key. Undefined when the path names all organizations. */
function queryOf(params: Params): { query: StateQuery; key: string } | undefined {
  for (const [name, query] of Object.entries(BY_PARAMETER)) {
    const key = params[name];
    if (key !== undefined) return { query, key: name === "organization_name" ? fold(key) : key };
  }
  // Taken for what all organizations share, a document would be kept beyond the changes that make it wrong.
  const [unknown] = Object.keys(params);
  if (unknown !== undefined) throw new TypeError(`nothing tells when what is at :${unknown} changes`);
  return undefined;
}

/** The state of what a path speaks of, by the names of its parameters; without any, that of all organizations. */
export interface ContentStates {
  /** @returns undefined where there is no such thing, after as many statements as where there is */
  read(db: Reader, params: Params): Promise<ContentState | undefined>;
  /**
   * The same, in the same turn where it is known. For those alone who were shown what belongs to it: that it is known to be
   * there takes no statement, which others could tell by the time.
   */
  readShown(db: Reader, params: Params): Promise<ContentState | undefined> | ContentState | undefined;
}

/**
 * Makes what reads states. Where this process makes all writes it knows when a counter is raised, so it keeps them;
 * elsewhere a read must show what other nodes have just written.
 */
export function createContentStates(db: Database): ContentStates {
  const read = (reader: Reader, params: Params): Promise<ContentState | undefined> => {
    const asked = queryOf(params);
    return asked === undefined ? readGuarded(reader, ROOT) : readBy(reader, asked.query, asked.key);
  };
  if (db.engine === "postgres") return { read, readShown: read };
  const cache = createDerivedCache<{ state: ContentState | undefined }>({
    feed: db.feed,
    name: "content-states",
    maxBytes: CACHE_BYTES,
    sizeOf: ({ state }) => STATE_BYTES + (state?.at.length ?? 0),
  });
  return {
    read,
    readShown(reader, params) {
      const asked = queryOf(params);
      const key = asked === undefined ? "" : `${asked.query.id}\n${asked.key}`;
      const known = cache.get(key);
      if (known !== undefined) return known.state;
      const load = async () => ({ state: await read(reader, params) });
      return cache.fill(key, load, dependenciesOf).then(({ state }) => state);
    },
  };
}

const CACHE_BYTES = 4 * 1024 * 1024;
/** Approximate bytes of a state without its text. */
const STATE_BYTES = 200;

/** Returns the dependencies of a state. The state of a deleted object is not kept. */
function dependenciesOf({ state }: { state: ContentState | undefined }): Dependency[] | undefined {
  if (state === undefined) return undefined;
  return [ROOT, state.counter].map((name) => counterChange(name));
}

const ROOT = counterName({ kind: "root" });
const PREFIX = counterName({ kind: "organization", id: "" });

/** Reads the state of the objects that a counter guards. @returns undefined when that is gone */
export async function readGuarded(db: Reader, counter: string): Promise<ContentState | undefined> {
  if (counter.startsWith(PREFIX)) return readBy(db, byId, counter.slice(PREFIX.length));
  const value = await readCounter(db, counter);
  return value === undefined ? undefined : { counter, at: String(value), value, rest: "" };
}
